"""The words of the command line: what they print, refuse and leave alone."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest

from core import document
from core.scenario import FIELDS, Scenario, change
from core.version import VERSION
from main import main


class Run:
    """One run of the program in this process: exit status, standard output, standard error."""

    def __init__(self, status: int, out: str, err: str) -> None:
        self.status, self.out, self.err = status, out, err

    @property
    def json(self) -> Any:
        return json.loads(self.out)


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Any:
    def _run(*arguments: str) -> Run:
        capsys.readouterr()
        status = main(arguments)
        return Run(status, *capsys.readouterr())

    return _run


def _is_refused(found: Run) -> str:
    """The one line on standard error of a request that was wrong."""
    assert found.status == 2
    assert found.out == ""
    assert found.err.endswith("\n")
    line = found.err[:-1]
    assert line.isprintable(), "one line, and nothing that a terminal would act on"
    assert 0 < len(line) <= 300
    return line


def test_the_default_report_is_the_lesson(run: Any) -> None:
    found = run("report")
    assert (found.status, found.err) == (0, "")
    for words in ("30B parameters", "480 GB", "447 GiB", "6 cards, if every byte is shared out (stage 3)", "60 GB"):
        assert words in found.out


@pytest.mark.parametrize("form", ["text", "json", "markdown", "csv"])
def test_a_report_in_every_format(run: Any, form: str) -> None:
    found = run("report", "--params", "7B", "--zero=3", "--format", form)
    assert (found.status, found.err) == (0, "")
    assert "112,000,000,000" in found.out  # 7 × 10⁹ × 16 B
    if form == "json":
        assert found.json["training"]["bytes"] == 112_000_000_000
        assert found.json["scenario"]["zero"] == 3
    if form == "csv":
        rows = list(csv.DictReader(io.StringIO(found.out)))
        assert {"key", "value", "unit"} <= set(rows[0])


def test_each_field_has_a_flag_that_takes_what_its_box_takes(run: Any) -> None:
    texts = {
        "params": "7,000,000,000", "precision": "Mixed precision", "optimizer": "AdamW", "card-memory": "81559 MiB",
        "cards": "1,024", "zero": "2", "bytes-weights": "4.5 bits", "bytes-gradients": "2", "bytes-master": "4 B",
        "bytes-momentum": "4", "bytes-variance": "4", "bytes-other": "0", "reserve": "2 GiB", "tokens": "1.4T",
        "mfu": "38.5 %", "peak-flops": "989 TFLOP/s", "deadline": "12 weeks", "card-price": "$2.50",
    }  # fmt: skip
    found = run("report", *(word for name, text in texts.items() for word in (f"--{name}", text)), "--format=json").json
    scenario = found["scenario"]
    assert scenario["params"] == 7_000_000_000
    assert scenario["card_memory"] == 85_520_809_984
    assert scenario["cards"] == 1024
    assert scenario["bytes_weights"] == 0.5625
    assert scenario["reserve"] == 2**31
    assert scenario["tokens"] == 1_400_000_000_000
    assert scenario["mfu"] == 0.385
    assert scenario["peak_flops"] == 989 * 10**12
    assert scenario["deadline"] == 84
    assert scenario["card_price"] == 2.5
    assert found["custom"] is True


def test_a_file_is_reported_and_flags_come_on_top(run: Any, tmp_path: Path) -> None:
    path = tmp_path / "run.memtax"
    document.save(path, change(Scenario(), {"params": 7_000_000_000, "zero": 2}))
    scenario = run("report", str(path), "--zero", "3", "--format", "json").json["scenario"]
    assert (scenario["params"], scenario["zero"]) == (7_000_000_000, 3)
    before = path.read_bytes()
    run("report", "--zero", "1", str(path))
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path], "a report writes nothing"


def test_an_automatic_field_of_a_file_is_opened_again_by_auto(run: Any, tmp_path: Path) -> None:
    path = tmp_path / "run.memtax"
    document.save(path, change(Scenario(), {"cards": 64}))
    assert run("report", str(path), "--format=json").json["scenario"]["cards"] == 64
    assert run("report", str(path), "--cards", "auto", "--format=json").json["scenario"]["cards"] == 6


# What was given, where, and what is accepted.
@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--params", "7abc"], "--params: '7abc' ends in 'abc'"),
        (["--params", "70,5"], "--params: '70,5' has a comma"),
        (["--params", "0"], "--params: '0' is below the least, 1"),
        (["--params", "-1"], "--params: '-1' is below the least, 1"),
        (["--params", ""], "--params: '' is empty"),
        (["--params=2e15"], "--params: '2e15' is above the most, 1,000T"),
        (["--params", "7\nx"], "--params: '7\\nx' ends in 'x'"),
        (["--params", "\x1b[31m7B"], "--params: '\\x1b[31m7B' is not a number"),
        (["--params", "9" * 100_000], "--params: '999"),
        (["--card-memory", "80G"], "--card-memory: '80G' leaves the unit open: GB is decimal, GiB is binary"),
        (["--mfu", "40"], "--mfu: '40' is above the most, 100 %"),
        (["--zero", "4"], "--zero: '4' is not known"),
        (["--precision", "mixd"], "near it: mixed"),
        (["--card", "h1000"], "--card: "),
        (["--card", "A30", "--card-capacity", "usable"], "--card-capacity: the usable memory of A30 is not known"),
        (["--parms", "7B"], "--parms: no flag has this name; near it: --params"),
        (["--parms=7B"], "--parms: no flag has this name; near it: --params"),
        (["--param", "7B"], "--param: no flag has this name"),  # no abbreviations
        (["--card_memory", "80 GB"], "--card_memory: no flag has this name; near it: --card-memory"),
        (["--two\nlines", "1"], "--two\\nlines: no flag has this name"),
        (["--params"], "--params"),
        (["--format", "xml"], "--format"),
        (["no such.memtax"], "no such.memtax"),
        (["two\nlines.memtax"], "lines.memtax"),
        (["\x1b]0;x\x07"], "no such file"),
        (["a.memtax", "b.memtax"], "'b.memtax': is one word too many"),
        (["/"], "folder"),
        (["/dev/null"], "regular file"),
        (["--batch", "none.jsonl"], "none.jsonl: cannot be read"),
        (["--batch", "/"], "folder"),
        (["--batch", "-", "--params", "7B"], "--batch: takes no FILE"),
        (["--batch", "-", "run.memtax"], "--batch: takes no FILE"),
        (["--batch", "-", "--format", "csv"], "--batch: takes no FILE"),
        (["--batch"], "--batch"),
        (["--batch", ""], "--batch: '' is empty"),
        (["--params", "1B", "--params", "2B"], "--params: is given twice, as '1B' and as '2B'; write it once"),
        (["--batch", "a.jsonl", "--batch=b.jsonl"], "--batch: is given twice, as 'a.jsonl' and as 'b.jsonl'"),
        (["--format", "text", "--format", "text"], "--format: is given twice"),
        (["--params"], "--params: has no value; write --params VALUE"),
        (["--params", "-7B"], "or --params=VALUE where it begins with -"),
        (["--params=--"], "--params: '--' is not a number"),
        (["--format"], "--format: has no value; write one of text, json, markdown, csv"),
        (["--format", "xml"], "--format: 'xml' is not known; known: text, json, markdown, csv"),
        (["--format", "jsn"], "--format: 'jsn' is not known; near it: json"),
        (["--format", "9" * 5000], "--format: '999"),
        (["--formt", "csv"], "--formt: no flag has this name; near it: --format"),
        (["-x"], "-x: no flag has this name; `report --help` lists the flags"),
        (["--help=3"], "--help: takes no value"),
        ([""], "FILE: '' is empty; write a name"),
        (["9" * 5000], "name too long"),
        (["--batch", "9" * 5000], "name too long"),
        (["--model", "\x07" * 250], "--model: "),
    ],
)
def test_a_wrong_request_is_one_line_on_standard_error(run: Any, arguments: list[str], said: str) -> None:
    line = _is_refused(run("report", *arguments))
    assert said in line


@pytest.mark.parametrize("name", [name for name in FIELDS if name != "model"])
def test_a_wrong_value_names_its_flag_and_what_is_accepted(run: Any, name: str) -> None:
    line = _is_refused(run("report", FIELDS[name].flag, "%wrong%"))
    assert line.startswith(f"{FIELDS[name].flag}: ")
    assert "%wrong%" in line


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["out.png", "--zzz", "1"], "--zzz: no flag has this name; near it: --zero, --size"),
        (["out.png", "a.memtax", "b.memtax"], "'b.memtax': is one word too many for `chart`; fields are written --"),
        (["out.png", "--size", "64x64", "--size", "65x65"], "--size: is given twice, as '64x64' and as '65x65'"),
        (["out.png", "--size"], "--size: has no value; write --size SIZE"),
        (["out.png", "--chart", "boad"], "--chart: 'boad' is not known; near it: board"),
        (["out.png", "--params", "1B", "none.memtax"], "none.memtax: cannot be read"),
        ([], "chart: OUT is missing; `chart --help` says what it is"),
        ([""], "OUT: '' is empty; write a name"),
    ],
)
def test_a_wrong_chart_is_refused_in_the_same_words(run: Any, arguments: list[str], said: str) -> None:
    assert said in _is_refused(run("chart", *arguments))


def test_a_count_without_a_file_is_refused(run: Any) -> None:
    assert _is_refused(run("count")) == "count: CONFIG is missing; `count --help` says what it is"
    assert _is_refused(run("count", "")) == "CONFIG: '' is empty; write a name"


def test_words_on_both_sides_of_a_flag_are_read(run: Any) -> None:
    found = run("count", "a.json", "--format", "json", "b.json")
    assert [json.loads(line)["file"] for line in found.out.splitlines()] == ["a.json", "b.json"]


@pytest.mark.parametrize("word", ["--frobnicate", "-x", "--params"])
def test_a_flag_without_a_word_is_refused(run: Any, word: str) -> None:
    assert word in _is_refused(run(word))


@pytest.mark.parametrize("word", ["fields", "cards", "models"])
def test_a_list_takes_nothing_but_its_format(run: Any, word: str) -> None:
    assert "one word too many" in _is_refused(run(word, "extra"))
    assert "no flag has this name" in _is_refused(run(word, "--params", "7B"))


def test_a_damaged_file_is_refused_by_name(run: Any, tmp_path: Path) -> None:
    path = tmp_path / "bad.memtax"
    for content in ("", "{}", "[" * 100_000, '{"format": "memory-tax scenario", "version": 9}', "\x00"):
        path.write_text(content)
        assert "bad.memtax" in _is_refused(run("report", str(path)))
    path.write_bytes(b"\xff\xfe")
    assert "bad.memtax" in _is_refused(run("report", str(path)))


def test_every_field_is_listed(run: Any) -> None:
    rows = run("fields", "--format", "json").json
    assert [row["name"] for row in rows] == list(FIELDS)
    for row in rows:
        assert row["label"]
        assert row["meaning"]
        assert row["accepts"]
        assert row["minimum"] is None or row["minimum"] <= row["maximum"]
    by_name = {row["name"]: row for row in rows}
    assert by_name["params"]["default"] == 30_000_000_000
    assert (by_name["mfu"]["default"], by_name["mfu"]["maximum"]) == (0.4, 1)
    assert by_name["zero"]["choices"] == ["0", "1", "2", "3"]
    assert "fp8-deepseek-v3" in by_name["precision"]["choices"]
    assert by_name["params"]["choices"] is None
    text = run("fields").out
    for field in FIELDS.values():
        assert f"{field.flag}\n" in text
    assert "adamw-4bit-torchao" in text, "a name that can be typed is written somewhere"


@pytest.mark.parametrize("word", ["cards", "models"])
def test_a_catalogue_is_listed_with_sources(run: Any, word: str) -> None:
    rows = run(word, "--format", "json").json
    assert len({row["name"] for row in rows}) == len(rows) > 20
    text = run(word)
    assert text.status == 0
    assert all(row["name"] in text.out for row in rows)


def test_a_long_word_is_cut_in_the_answer(run: Any) -> None:
    line = _is_refused(run("-" + "9" * 5000))
    assert line.startswith("-9999")
    assert line.endswith("…: is neither a word nor a file; `memory-tax --help` lists the words")


def test_version_and_help(run: Any) -> None:
    assert run("--version").out == f"Memory Tax {VERSION}\n"
    for word in ("--help", "-h", "help"):
        found = run(word)
        assert found.status == 0
        for name in ("report", "chart", "fields", "cards", "--batch", "--version"):
            assert name in found.out


def test_a_words_help_names_every_flag(run: Any, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["report", "--help"])
    assert ended.value.code == 0
    said = capsys.readouterr().out
    assert all(field.flag in said for field in FIELDS.values())


def _batch(path: Path, *lines: str) -> str:
    path.write_text("\n".join(lines) + "\n")
    return str(path)


def test_a_batch_answers_line_by_line_in_order(run: Any, tmp_path: Path) -> None:
    name = _batch(tmp_path / "all.jsonl", '{"params": "7B"}', "{}", '{"params": 70e9, "zero": 3, "cards": 64}')
    found = run("report", "--batch", name)
    assert (found.status, found.err) == (0, "")
    answers = [json.loads(line) for line in found.out.splitlines()]
    assert [answer["training"]["bytes"] for answer in answers] == [112 * 10**9, 480 * 10**9, 1120 * 10**9]
    assert answers[2]["per_card"]["peak"] == 17_500_000_000  # ⌈70 × 10⁹ ÷ 64⌉ × 16 B


def test_a_bad_line_is_answered_in_its_place(run: Any, tmp_path: Path) -> None:
    bad = [
        "nonsense", "[]", "7", "null", '"text"', '{"parms": 1}', '{"params": 0}', '{"params": "70,5"}', '{"params": 1',
        '{"params": NaN}', '{"params": 1, "params": 2}', '{"zero": 1e400}', '{"card-memory": 1}', "[" * 50_000,
        '{"card": "A30", "card_capacity": "usable"}', '{"params": ' + "9" * 5000 + "}", '{"' + "k" * 5000 + '": 1}',
    ]  # fmt: skip
    lines = [line for each in bad for line in (each, '{"params": "1B"}')]
    found = run("report", "--batch", _batch(tmp_path / "all.jsonl", *lines), "--format", "json")
    assert (found.status, found.err) == (2, "")
    answers = [json.loads(line) for line in found.out.splitlines()]
    assert len(answers) == len(lines)
    for wrong, right in zip(answers[::2], answers[1::2], strict=True):
        assert list(wrong) == ["error"]
        assert wrong["error"].isprintable()
        assert len(wrong["error"]) <= 300
        assert right["training"]["bytes"] == 16 * 10**9
    assert "parms" in answers[10]["error"]
    assert "params: 0 is below the least, 1" in answers[12]["error"]


def test_a_batch_with_marks_of_other_systems_is_read(run: Any, tmp_path: Path) -> None:
    path = tmp_path / "all.jsonl"
    path.write_bytes(b'\xef\xbb\xbf{"params": "1B"}\r\n\r\n{"params": "2B"}')
    found = run("report", "--batch", str(path))
    assert found.status == 0
    assert [json.loads(line)["parameters"]["total"] for line in found.out.splitlines()] == [10**9, 2 * 10**9]


def test_a_byte_that_is_no_text_spoils_its_own_line_of_a_batch(run: Any, tmp_path: Path) -> None:
    path = tmp_path / "all.jsonl"
    path.write_bytes(b'{"params": "7B"}\n{"params": "\xff"}\n{"params": "8B"}\n')
    found = run("report", "--batch", str(path))
    first, second, third = map(json.loads, found.out.splitlines())
    assert (first["parameters"]["total"], third["parameters"]["total"]) == (7 * 10**9, 8 * 10**9)
    assert second["error"].startswith("line 2: params: ")
    assert found.status == 2


def test_an_error_names_its_line_and_what_stands_in_it(run: Any, tmp_path: Path) -> None:
    lines = [
        "",
        '{"params": "1B"}',
        "  ",
        "[1]",
        '{"params": }',
        '{"params": 1e400}',
        '{"zero": -1e400}',
        '{"x": 1e400}',
    ]
    found = run("report", "--batch", _batch(tmp_path / "all.jsonl", *lines))
    assert found.status == 2
    answers = [json.loads(line) for line in found.out.splitlines()]
    assert answers[0]["parameters"]["total"] == 10**9
    assert [answer["error"] for answer in answers[1:]] == [
        "line 4: a list is not an object of fields",
        "line 5: is not JSON: expecting value at column 12",
        "line 6: params: 1e400 is beyond any number that is read; write 70B, 30e9, 1.3T or 7,000,000,000",
        "line 7: zero: -1e400 is beyond any number that is read; write 0, 1, 2 or 3",
        "line 8: 'x': no field has this name; the list is printed by `fields`",
    ]


def test_a_batch_may_be_longer_than_a_scenario_file(run: Any, tmp_path: Path) -> None:
    line = '{"params": "1B"' + " " * 4_000_000 + "}"
    assert 9 * len(line) > document.LARGEST_FILE
    found = run("report", "--batch", _batch(tmp_path / "all.jsonl", *[line] * 9))
    assert found.status == 0
    assert len(found.out.splitlines()) == 9


def test_an_empty_batch_says_nothing(run: Any, tmp_path: Path) -> None:
    found = run("report", "--batch", _batch(tmp_path / "all.jsonl", "", "  "))
    assert (found.status, found.out, found.err) == (0, "", "")
