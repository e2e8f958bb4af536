"""Pictures in files: what is in them, and that a file is replaced whole or not at all."""

from __future__ import annotations

import os
import resource
import stat
import struct
from pathlib import Path
from xml.etree import ElementTree

import pytest
from PySide6.QtCore import QSize
from PySide6.QtGui import QColor, QImage, QImageReader

from core.charts.description import Chart
from core.files import write_whole
from gui.charts.page import Heading, Page
from gui.export import image, write_chart
from gui.theme import DARK, LIGHT
from tests.gui.samples import SAMPLES, cluster, items, stages, training

pytestmark = pytest.mark.usefixtures("qapp")

HEADING = Heading(
    title="Memory Tax",
    verdict=("6 cards, if every byte is shared out", "At stage 0 each card holds 480 GB: over by 400 GB."),
    scenario="30B parameters · mixed precision · AdamW · 80 GB a card",
    foot="Memory Tax 0.1.0 · GB = 10⁹ B",
)
SVG = "{http://www.w3.org/2000/svg}"


def board() -> tuple[Chart, ...]:
    return (items(), training(), stages(), cluster())


def size_of(path: Path) -> tuple[int, int]:
    """Width and height from the header: PNG specification, 11.2.2 IHDR."""
    data = path.read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    width, height = struct.unpack(">II", data[16:24])
    return width, height


def colours(picture: QImage) -> set[str]:
    """The colours in a picture, on every third pixel."""
    return {
        QColor(picture.pixel(x, y)).name().upper()
        for y in range(0, picture.height(), 3)
        for x in range(0, picture.width(), 3)
    }


def test_a_board_names_its_colours_once() -> None:
    page = Page(board(), HEADING, QSize(1920, 1080), LIGHT)
    # The training chart stacks three bands; small charts may have no room to name them.
    assert [chip.role for chip in page.chips] == ["parameters", "gradients", "optimizer"]
    assert Page((training(),), HEADING, QSize(1920, 1080), LIGHT).chips == []


@pytest.mark.parametrize(("density", "expected"), [(1, (960, 540)), (2, (1920, 1080))])
def test_a_png_has_its_size_times_its_density(density: int, expected: tuple[int, int], tmp_path: Path) -> None:
    written = write_chart(tmp_path / "board.png", board(), HEADING, QSize(960, 540), LIGHT, density)
    assert size_of(written) == expected


def test_a_png_shows_bars_limits_and_ground(tmp_path: Path) -> None:
    for theme in (LIGHT, DARK):
        path = write_chart(tmp_path / "one.png", (training(),), HEADING, QSize(960, 540), theme, 1)
        found = colours(QImage(str(path)))
        assert {theme.card, "#0072B2", "#56B4E9", "#E69F00"} <= found
        assert theme.window not in found
        path = write_chart(tmp_path / "board.png", board(), HEADING, QSize(960, 540), theme, 1)
        assert {theme.window, theme.card, "#0072B2", "#56B4E9", "#E69F00"} <= colours(QImage(str(path)))


def test_a_png_says_what_it_is(tmp_path: Path) -> None:
    path = write_chart(tmp_path / "one.png", (training(),), HEADING, QSize(400, 300), LIGHT, 1)
    reader = QImageReader(str(path))
    assert reader.text("Title") == "Memory Tax"
    assert "30B parameters" in reader.text("Description")
    assert "Training keeps 480 GB" in reader.text("Description")


def test_the_density_changes_nothing_but_the_density() -> None:
    fine = image(board(), HEADING, QSize(960, 540), LIGHT, 2)
    coarse = image(board(), HEADING, QSize(960, 540), LIGHT, 1)
    assert (fine.width(), coarse.width()) == (1920, 960)
    assert fine.devicePixelRatio() == 2
    at = (480, 270)
    assert fine.pixel(at[0] * 2, at[1] * 2) == coarse.pixel(*at)


def test_an_svg_is_well_formed_and_needs_no_font(tmp_path: Path) -> None:
    path = write_chart(tmp_path / "board.svg", board(), HEADING)
    tree = ElementTree.parse(path).getroot()
    assert tree.tag == SVG + "svg"
    assert tree.get("viewBox") == "0 0 1920 1080"
    assert tree.findall(f".//{SVG}text") == []
    assert len(tree.findall(f".//{SVG}path")) > 100  # every text is one, at least
    assert tree.findtext(SVG + "title") == "Memory Tax"
    assert "Training keeps 480 GB" in (tree.findtext(SVG + "desc") or "")
    fills = {str(element.get("fill")).upper() for element in tree.iter(SVG + "g")}
    assert {"#0072B2", "#56B4E9", "#E69F00"} <= fills
    assert path.stat().st_size < 1_500_000


def test_a_pdf_has_one_page_of_its_size_and_carries_its_fonts(tmp_path: Path) -> None:
    data = write_chart(tmp_path / "board.pdf", board(), HEADING).read_bytes()
    assert data[:5] == b"%PDF-"
    assert b"%%EOF" in data[-64:]
    assert b"/MediaBox [0 0 1440" in data.replace(b".000000", b"")  # 1920 pixels of 3/4 point
    assert data.count(b"/Type /Page\n") == 1
    assert data.count(b"/FontFile2") == 3  # three weights of Inter as TrueType, so text is text


def test_the_ending_decides_and_nothing_else_is_accepted(tmp_path: Path) -> None:
    assert write_chart(tmp_path / "A.PNG", (items(),), HEADING, QSize(64, 64)).exists()
    for name in ("board.jpg", "board"):
        with pytest.raises(ValueError, match=rf"{name}: a picture's name ends in \.png, \.svg, \.pdf, not"):
            write_chart(tmp_path / name, board(), HEADING)
        assert not (tmp_path / name).exists()


@pytest.mark.parametrize("size", [(63, 64), (64, 63), (16385, 64), (64, 16385), (0, 0)])
def test_sizes_out_of_range_are_refused_in_words(size: tuple[int, int], tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="sizes from 64x64 to 16384x16384 are accepted"):
        write_chart(tmp_path / "a.png", board(), HEADING, QSize(*size))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("size", [(64, 64), (64, 2000), (2000, 64), (200, 120), (16384, 64), (64, 16384), (5000, 400)])
def test_every_size_gives_a_picture(size: tuple[int, int], tmp_path: Path) -> None:
    path = write_chart(tmp_path / "a.png", board(), HEADING, QSize(*size))
    # Double density up to 4,096 pixels a side, single above.
    times = 2 if max(size) <= 4096 else 1
    assert size_of(path) == (size[0] * times, size[1] * times)
    assert len(colours(QImage(str(path)))) > 3


@pytest.mark.parametrize("name", SAMPLES)
@pytest.mark.parametrize("ending", ["png", "svg", "pdf"])
def test_every_kind_of_chart_can_be_written(name: str, ending: str, tmp_path: Path) -> None:
    path = write_chart(tmp_path / f"a.{ending}", (SAMPLES[name](),), HEADING, QSize(640, 360), DARK)
    assert path.stat().st_size > 1000


def test_a_picture_is_the_same_each_time() -> None:
    one = image(board(), HEADING, QSize(640, 360), LIGHT, 1)
    assert image(board(), HEADING, QSize(640, 360), LIGHT, 1) == one


def test_no_card_of_the_board_leaves_the_page_or_meets_another() -> None:
    for count in range(1, 9):
        for size in ((1920, 1080), (1080, 1920), (320, 200), (64, 64), (3000, 500)):
            page = Page((cluster(),) * count, HEADING, QSize(*size), LIGHT)
            cells = page.cells
            assert len(cells) == count
            for at, cell in enumerate(cells):
                assert 0 <= cell.left() < cell.right() <= size[0]
                assert 0 <= cell.top() < cell.bottom() <= size[1]
                assert not any(cell.intersects(other) for other in cells[:at])


def test_a_file_is_replaced_whole(tmp_path: Path) -> None:
    path = tmp_path / "board.png"
    path.write_bytes(b"old")
    path.chmod(0o640)
    write_chart(path, (items(),), HEADING, QSize(200, 120))
    assert size_of(path) == (400, 240)
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert [entry.name for entry in tmp_path.iterdir()] == ["board.png"]


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    link = tmp_path / "link.png"
    link.symlink_to(tmp_path / "there" / "real.png")
    write_chart(link, (items(),), HEADING, QSize(200, 120))
    assert link.is_symlink()
    assert size_of(tmp_path / "there" / "real.png") == (400, 240)


def test_what_cannot_be_written_is_said_in_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"cannot write .*none.board\.png: no such file or directory"):
        write_chart(tmp_path / "none" / "board.png", (items(),), HEADING, QSize(64, 64))
    (tmp_path / "folder.png").mkdir()
    with pytest.raises(IsADirectoryError, match=r"cannot write .*folder\.png: it is a folder"):
        write_chart(tmp_path / "folder.png", (items(),), HEADING, QSize(64, 64))
    assert [entry.name for entry in tmp_path.iterdir()] == ["folder.png"]


def test_a_full_disk_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "board.png"
    path.write_bytes(b"old")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, hard))  # as if the disk were full after a thousand bytes
    try:
        with pytest.raises(OSError, match=r"cannot write .*board\.png: file too large"):
            write_chart(path, (items(),), HEADING, QSize(640, 360))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert path.read_bytes() == b"old"
    assert [entry.name for entry in tmp_path.iterdir()] == ["board.png"]


def test_a_device_is_written_to_and_not_replaced() -> None:
    write_whole(Path(os.devnull), b"x" * 4096)
    assert stat.S_ISCHR(Path(os.devnull).stat().st_mode)
