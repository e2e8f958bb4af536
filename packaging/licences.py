"""Gathers the licence texts of everything that a build ships.

Texts that hold for any build lie in resources/licences. Those of Python packages come from the wheels that are frozen,
so they cannot fall behind; those of the system's own libraries from the Debian packages they belong to.
"""

from __future__ import annotations

import shutil
import subprocess
from importlib.metadata import distribution
from pathlib import Path

SHIPPED = ("numpy", "ml_dtypes", "pyqtgraph", "msgspec", "colorama", "pyinstaller")


def gather(folder: Path) -> None:
    """Copies each shipped wheel's licence files into a folder of its own name under `folder`."""
    for name in SHIPPED:
        files = [file for file in distribution(name).files or () if ".dist-info" in file.parts[0]]
        texts = [file for file in files if file.stem.upper().startswith(("LICENSE", "LICENCE", "COPYING", "NOTICE"))]
        if not texts:
            raise SystemExit(f"memory-tax: the wheel of {name} carries no licence text.")
        for file in texts:
            inner = [part for part in file.parts[1:-1] if part != "licenses"]
            target = folder.joinpath(name, *inner, file.name)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(str(file.locate()), target)


def of_system_libraries(sources: list[str]) -> list[tuple[str, Path]]:
    """Debian package and copyright file of each source that is a file of such a package; empty on other systems."""
    if shutil.which("dpkg") is None:
        return []
    paths = sorted({str(Path(source).resolve()) for source in sources} | set(sources))
    asked = subprocess.run(["dpkg", "--search", *paths], capture_output=True, text=True, check=False).stdout
    packages = {line.partition(":")[0] for line in asked.splitlines() if not line.startswith("diversion")}
    found = [(name, Path("/usr/share/doc", name, "copyright")) for name in sorted(packages)]
    return [(name, path) for name, path in found if path.exists()]
