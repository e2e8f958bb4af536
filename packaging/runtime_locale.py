"""Runs first in the frozen program: gives Qt a UTF-8 locale where the environment names none.

An ordinary Python does the same (PEP 538); the frozen one does not, and Qt would complain on standard error.
"""

import os
import sys

if sys.platform == "linux" and not any(os.environ.get(name) for name in ("LC_ALL", "LC_CTYPE", "LANG")):
    os.environ["LC_CTYPE"] = "C.UTF-8"
