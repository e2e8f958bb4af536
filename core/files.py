"""Files that are replaced whole or not at all."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import tempfile
from pathlib import Path

_WRITABLE = stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH


def write_whole(path: Path, data: bytes) -> None:
    """Writes a file beside its place, then moves it there. A device or a pipe is written to as it is.

    Raises OSError, of the kind the system gave, with one sentence that names the file and the reason.
    """
    try:
        target = Path(os.path.realpath(path))  # unlike resolve(), takes a link that leads to itself
        if target.exists() and not target.is_file():
            if target.is_dir():
                raise IsADirectoryError(0, "it is a folder")
            target.write_bytes(data)
            return
        _replace(target, data)
    except OSError as error:
        reason = error.strerror or str(error)
        raise type(error)(f"cannot write {path}: {reason[:1].lower()}{reason[1:]}") from error
    except ValueError as error:
        raise OSError(f"cannot write {str(path)!r}: it is no name of a file") from error


def _replace(target: Path, data: bytes) -> None:
    mode = stat.S_IMODE(target.stat().st_mode) if target.exists() else 0o666 & ~_umask()
    if not mode & _WRITABLE:
        # Moving another file to its place would not ask for what its owner has taken away.
        raise PermissionError(errno.EACCES, "it is read-only")
    handle, name = tempfile.mkstemp(prefix=f".{target.name[:40]}.", suffix=".part", dir=target.parent)
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        temporary.chmod(mode)
        temporary.replace(target)
    except BaseException:
        with contextlib.suppress(OSError):
            temporary.unlink()
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
