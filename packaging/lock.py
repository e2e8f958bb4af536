"""Resolves the dependencies of pyproject.toml into the two lock files: exact versions with hashes, no addresses.

uv does the resolving, from a throw-away environment, since nothing else here needs it. A lock written by it names
no index, so the same files serve behind any mirror.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
EXPORT = [
    "--quiet", "--no-config", "export", "--format", "requirements.txt",
    "--no-emit-index-url", "--no-emit-project", "--no-header", "--no-annotate",
]  # fmt: skip


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        tools = Path(folder, "tools")
        venv.create(tools, with_pip=True)
        python = tools / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
        subprocess.run([python, "-m", "pip", "install", "--quiet", "uv"], check=True)
        project = Path(folder, "project")  # uv leaves its own lock beside the project file
        project.mkdir()
        shutil.copy(ROOT / "pyproject.toml", project)
        for name, choice in (("requirements.lock", ["--no-dev"]), ("requirements-dev.lock", [])):
            command = [str(python), "-m", "uv", *EXPORT, "--project", str(project), *choice]
            text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
            if "://" in text:
                raise SystemExit(f"memory-tax: {name} would name a host; it was left as it is.")
            (ROOT / name).write_text(text)


if __name__ == "__main__":
    main()
