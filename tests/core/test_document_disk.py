"""Scenario files on a disk: odd files are refused, and a file is replaced whole or not at all."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
import pytest

from core.document import LARGEST_FILE, DocumentError, dumps, load, load_book, save
from core.models.catalogue import model
from core.scenario import Scenario, change
from core.workbook import MOST_SCENARIOS, Named, Workbook

SEVEN = change(Scenario(), {"params": 7_000_000_000})
SEVENTY = change(Scenario(), {"params": 70_000_000_000, "zero": 3})
NOBODY = 65_534
ROOT = Path(__file__).parents[2]


@contextmanager
def _as_nobody() -> Iterator[None]:
    """For root, whom no permission stops: act as a user without any."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(0)


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder that any user may enter."""
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o755)
        yield Path(name)


def _refused(act: str, path: Path) -> str:
    with pytest.raises(DocumentError) as refusal:
        load(path) if act == "load" else save(path, SEVEN)
    sentence = str(refusal.value)
    assert "Traceback" not in sentence
    return sentence


def test_a_saved_scenario_opens(tmp_path: Path) -> None:
    path = tmp_path / "run.memtax"
    save(path, SEVENTY)
    assert load(path) == SEVENTY
    assert path.read_text() == dumps(SEVENTY)
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("before", ["", "\ufeff", "\n\t "])
def test_a_byte_order_mark_and_blanks_are_no_hindrance(tmp_path: Path, before: str) -> None:
    path = tmp_path / "run.memtax"
    path.write_bytes((before + dumps(SEVEN)).replace("\n", "\r\n").encode())
    assert load(path) == SEVEN


@pytest.mark.parametrize("encoding", ["utf-16", "utf-32"])
def test_text_in_another_encoding_is_refused(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "run.memtax"
    path.write_bytes(dumps(SEVEN).encode(encoding))
    assert "is not UTF-8 text" in _refused("load", path)


def test_bytes_that_are_no_text_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "run.memtax"
    for raw in (b"\xff", b"\x80" * 1000, b'{"a": "\xe9"}', bytes(range(256))):
        path.write_bytes(raw)
        assert _refused("load", path).startswith("run.memtax: ")


def test_an_empty_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "run.memtax").touch()
    assert "is not JSON" in _refused("load", tmp_path / "run.memtax")


# A file that describes each of 80 layers by itself makes an architecture of 90 kB: fifty of these are 4.5 MB.
def test_a_full_document_of_large_models_is_read_again(tmp_path: Path) -> None:
    layer = {"attention": {"n_heads_in_group": 8, "no_op": False}, "ffn": {"ffn_mult": 2.625, "no_op": False}}
    large = msgspec.structs.replace(model("Llama 2 7B").architecture, fields={"block_configs": [layer] * 1000})
    assert len(msgspec.json.encode(large)) > 80_000
    book = Workbook(tuple(Named(str(place), Scenario(model=large)) for place in range(MOST_SCENARIOS)))
    save(tmp_path / "run.memtax", book)
    assert load_book(tmp_path / "run.memtax") == book


def test_what_could_not_be_read_again_is_not_written(tmp_path: Path) -> None:
    path = tmp_path / "run.memtax"
    save(path, SEVEN)
    huge = msgspec.structs.replace(model("Llama 2 7B").architecture, fields={"words": "x" * LARGEST_FILE})
    with pytest.raises(DocumentError, match="at most 32,000,000 B are read"):
        save(path, Scenario(model=huge))
    assert load(path) == SEVEN


def test_a_file_of_any_size_is_read_no_further_than_a_scenario_is_long(tmp_path: Path) -> None:
    path = tmp_path / "run.memtax"
    padding = LARGEST_FILE - len(dumps(SEVEN).encode())
    path.write_text(dumps(SEVEN) + " " * padding)
    assert load(path) == SEVEN
    path.write_text(dumps(SEVEN) + " " * (padding + 1))
    assert "is too large; at most 32,000,000 B are read" in _refused("load", path)
    with path.open("wb") as sparse:
        sparse.truncate(2**40)
    assert "is too large" in _refused("load", path)


def test_a_folder_is_refused_by_both(tmp_path: Path) -> None:
    for act in ("load", "save"):
        assert "is a folder" in _refused(act, tmp_path)


@pytest.mark.parametrize("device", ["/dev/null", "/dev/zero", "/dev/urandom", "/dev/full"])
def test_a_device_is_not_read(device: str) -> None:
    assert _refused("load", Path(device)).endswith("is not a regular file")


def test_a_pipe_that_no_one_writes_to_does_not_hang(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert "is not a regular file" in _refused("load", tmp_path / "pipe")


def test_what_is_not_there_is_said(tmp_path: Path) -> None:
    assert _refused("load", tmp_path / "none.memtax") == "none.memtax: cannot be read: no such file or directory"
    assert "no such file or directory" in _refused("load", tmp_path / "no" / "run.memtax")
    assert "no such file or directory" in _refused("save", tmp_path / "no" / "run.memtax")
    assert not (tmp_path / "no").exists()


@pytest.mark.parametrize("name", ["a\0b", "\0", "x" * 300])
def test_a_name_that_no_file_can_have_is_refused(tmp_path: Path, name: str) -> None:
    for act in ("load", "save"):
        assert _refused(act, tmp_path / name)
    assert list(tmp_path.iterdir()) == []


def test_a_link_that_leads_to_itself_is_refused(tmp_path: Path) -> None:
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    assert _refused("load", tmp_path / "loop")


def test_a_file_that_may_not_be_read_is_refused(folder: Path) -> None:
    path = folder / "run.memtax"
    save(path, SEVEN)
    path.chmod(0)
    with _as_nobody():
        assert _refused("load", path) == "run.memtax: cannot be read: permission denied"


def test_a_folder_that_may_not_be_written_keeps_its_file(folder: Path) -> None:
    path = folder / "run.memtax"
    save(path, SEVENTY)
    folder.chmod(0o555)
    with _as_nobody():
        assert "permission denied" in _refused("save", path)
        assert "permission denied" in _refused("save", folder / "new.memtax")
    assert load(path) == SEVENTY
    assert list(folder.iterdir()) == [path]


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o644, 0o755])
def test_a_replaced_file_keeps_its_mode(tmp_path: Path, mode: int) -> None:
    path = tmp_path / "run.memtax"
    save(path, SEVEN)
    path.chmod(mode)
    save(path, SEVENTY)
    assert load(path) == SEVENTY
    assert stat.S_IMODE(path.stat().st_mode) == mode


def test_a_read_only_file_is_not_replaced(tmp_path: Path) -> None:
    path = tmp_path / "run.memtax"
    save(path, SEVEN)
    path.chmod(0o444)
    assert _refused("save", path).endswith("it is read-only")
    assert load(path) == SEVEN
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize(("umask", "mode"), [(0o022, 0o644), (0o077, 0o600), (0o002, 0o664)])
def test_a_new_file_has_the_mode_that_any_program_would_give_it(tmp_path: Path, umask: int, mode: int) -> None:
    before = os.umask(umask)
    try:
        save(tmp_path / "run.memtax", SEVEN)
        assert os.umask(umask) == umask, "the mask is left as it was"
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "run.memtax").stat().st_mode) == mode


def test_a_link_stays_a_link_and_its_file_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "far").mkdir()
    real, link = tmp_path / "far" / "real.memtax", tmp_path / "link.memtax"
    save(real, SEVEN)
    link.symlink_to(Path("far") / "real.memtax")
    save(link, SEVENTY)
    assert link.is_symlink()
    assert load(real) == load(link) == SEVENTY
    assert list(real.parent.iterdir()) == [real]
    dangling = tmp_path / "later.memtax"
    dangling.symlink_to(tmp_path / "far" / "later.memtax")
    save(dangling, SEVEN)
    assert dangling.is_symlink()
    assert load(tmp_path / "far" / "later.memtax") == SEVEN


def test_a_pipe_is_never_replaced_by_a_file(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    # With a reader that is there first, so that writing does not wait for one.
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        try:
            save(pipe, SEVEN)
        except DocumentError:
            assert os.read(reader, 10_000) == b""
        else:
            assert os.read(reader, 10_000) == dumps(SEVEN).encode()
    finally:
        os.close(reader)
    assert stat.S_ISFIFO(pipe.stat().st_mode)


FULL_DISK = """
import resource, sys
from pathlib import Path
from core.document import DocumentError, save
from core.scenario import Scenario, change
resource.setrlimit(resource.RLIMIT_FSIZE, (20, resource.RLIM_INFINITY))
try:
    save(Path(sys.argv[1]), change(Scenario(), {"params": 1}))
except DocumentError as problem:
    print(problem)
"""


@pytest.mark.parametrize("there", [True, False])
def test_a_disk_that_is_full_half_way_leaves_everything_as_it_was(tmp_path: Path, there: bool) -> None:
    path = tmp_path / "run.memtax"
    if there:
        save(path, SEVENTY)
    said = subprocess.run(
        [sys.executable, "-c", FULL_DISK, str(path)], capture_output=True, text=True, cwd=ROOT, timeout=60, check=True
    )
    assert "file too large" in said.stdout
    assert said.stderr == ""
    assert list(tmp_path.iterdir()) == ([path] if there else [])
    if there:
        assert load(path) == SEVENTY


def test_who_reads_while_it_is_written_sees_the_old_or_the_new(tmp_path: Path) -> None:
    path = tmp_path / "run.memtax"
    save(path, SEVEN)
    done = threading.Event()
    seen: list[object] = []

    def read() -> None:
        while not done.is_set():
            try:
                seen.append(load(path))
            except DocumentError as problem:
                seen.append(str(problem))

    reader = threading.Thread(target=read)
    reader.start()
    for _ in range(50):
        save(path, SEVENTY)
        save(path, SEVEN)
    done.set()
    reader.join()
    assert len(seen) > 5
    assert all(found in (SEVEN, SEVENTY) for found in seen)
