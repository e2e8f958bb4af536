"""What a person opens or drops, told apart by its content: a document, or a model's configuration file."""

from __future__ import annotations

from pathlib import Path

from core.document import FORMAT, SUFFIX, DocumentError, load_book
from core.models.architecture import Architecture, ModelFileError
from core.workbook import Workbook


def open_any(path: Path) -> Workbook | Architecture:
    """The document or the model of a file, or of a checkpoint's folder.

    Raises DocumentError, one sentence that names the file and the reason.
    """
    from core.models.read import in_folder, read_file, read_mapping

    if path.suffix.lower() == SUFFIX:
        return load_book(path)
    path = Path(in_folder(str(path)))
    try:
        if read_mapping(path).get("format") == FORMAT:
            return load_book(path)
        return read_file(path)
    except ModelFileError as problem:
        raise DocumentError(str(problem)) from None
