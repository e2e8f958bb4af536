"""Cuts the bundled Inter out of the full family: the characters the product writes, with the features it sets.

    python packaging/subset_fonts.py FOLDER

FOLDER holds Inter-Regular, Inter-Medium and Inter-SemiBold as .woff2 or .ttf, as Inter 4.1 releases them (the npm
package inter-ui 4.1.1 has them under web/). Needs fonttools and brotli, which nothing else here does.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

FONTS = Path(__file__).resolve().parents[1] / "resources" / "fonts"
WEIGHTS = ("Regular", "Medium", "SemiBold")

# Latin-1 and Latin Extended-A, then what the figures and the keys of the menus are written with. Inter has no
# floor or ceiling brackets and no ✕ (U+2715): text says ceil(...), and × or ✗.
RANGES = ("U+0020-007E", "U+00A0-017F", "U+2070", "U+2074-2079", "U+2080-2089")
CHARACTERS = "ΨΔΣμ−–—‘’“”†…•′″⁄≤≥≈≠±×÷·√∞→←↑↓↔✓✗⌘⇧⌥⌃⏎⌫▲▼▶◀●○\u2009\u202f\u2002\u2003\u2011"
FEATURES = "tnum,pnum,kern,mark,mkmk,calt,case,ccmp,locl,zero,frac,numr,dnom,sups,subs,sinf,ss01,ss02,ss03,ss04"


def main(folder: Path) -> None:
    FONTS.mkdir(parents=True, exist_ok=True)
    for weight in WEIGHTS:
        source = next(path for ending in ("woff2", "ttf") if (path := folder / f"Inter-{weight}.{ending}").exists())
        command = [
            sys.executable, "-m", "fontTools.subset", str(source),
            f"--output-file={FONTS / f'Inter-{weight}.ttf'}",
            f"--unicodes={','.join(RANGES)}", f"--text={CHARACTERS}",
            f"--layout-features={FEATURES}",
            "--name-IDs=*",  # without the family's own names Qt cannot tell the weights apart
            "--no-hinting", "--drop-tables+=DSIG",
        ]  # fmt: skip
        subprocess.run(command, check=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
