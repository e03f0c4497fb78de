"""The module, run with the program on PATH: `pytest packaging/python`."""

import gzip
import os

import pytest
import rread


@pytest.fixture
def log(tmp_path):
    path = tmp_path / "a log.txt"
    path.write_text("".join(f"line {n}\n" for n in range(1, 501)), encoding="utf-8")
    return path


def test_lines(log):
    text = rread.lines(log, "100:101")
    assert text.content == "line 100\nline 101\n"
    assert (text.first_line, text.last_line, text.truncated) == (100, 101, False)
    assert text.version == rread.lines(str(log), "-1:").version
    two = rread.lines(log, "3,500:")
    assert [segment.first_line for segment in two.segments] == [3, 500]
    assert two.content == "line 3\nline 500\n"
    assert rread.lines(log, "1:9", max_lines=2).truncated
    assert rread.lines(log, "7", hash=True).content.startswith("7#")
    assert rread.lines(log, "7", expect=text.version).content == "line 7\n"


def test_parts_have_every_byte_once(log):
    for options in ({}, {"count": 7}, {"max_bytes": 100}):
        assert "".join(part.content for part in rread.parts(log, **options)) == log.read_text(encoding="utf-8")
    packed = log.with_name("p.gz")
    packed.write_bytes(gzip.compress(log.read_bytes()))
    assert "".join(part.content for part in rread.parts(packed, 99)) == log.read_text(encoding="utf-8")


def test_search_follows_next(log, tmp_path):
    # Each match of a line.
    expected = [n for n in range(1, 501) for digit in str(n) if digit == "7"]
    for options in ({}, {"max_count": 3}, {"max_bytes": 200}):
        found = [match for group in rread.search("7", log, **options) for match in group.matches]
        assert [match.line for match in found] == expected, options
    other = tmp_path / "b.txt"
    other.write_text("7\n7\n7\n", encoding="utf-8")
    both = [(os.path.basename(group.path), match.line) for group in rread.search("7", log, other, max_count=2) for match in group.matches]
    assert sorted(both) == sorted([(log.name, n) for n in expected] + [("b.txt", n) for n in (1, 2, 3)])
    assert not list(rread.search("nothing", log))
    assert len(list(rread.search("-e", log, fixed_strings=True))) == 0
    group = next(rread.search("line 9$", log, context=1))
    assert (group.first_line, group.last_line) == (8, 10)


def test_stat(log):
    (facts,) = rread.stat(log, count=True)
    assert (facts.kind, facts.lines, facts.size) == ("text", 500, log.stat().st_size)
    assert facts["newline"] == "lf" and facts["nothing"] is None


def test_select(tmp_path):
    table = tmp_path / "t.csv"
    table.write_text("a,b\n" + "".join(f"{n},x{n}\n" for n in range(100)), encoding="utf-8")
    try:
        answer = rread.select("SELECT a, b FROM t WHERE a >= 98 ORDER BY a", table)
    except rread.RreadError as error:
        assert "feature" in str(error)
        return
    assert answer.columns[0][0] == "a"
    assert answer.rows == ({"a": 98, "b": "x98"}, {"a": 99, "b": "x99"})
    assert len(rread.select("SELECT * FROM t", table, max_rows=7).rows) == 100


def test_errors(log, tmp_path):
    with pytest.raises(rread.RreadError) as caught:
        rread.lines(log, "999")
    error = caught.value
    assert (error.kind, error.code) == ("out_of_range", 5)
    assert "500 lines" in str(error) and error.hint.startswith("rread lines")
    with pytest.raises(rread.RreadError) as caught:
        rread.lines(tmp_path / "missing")
    assert caught.value.kind == "not_found"
    with pytest.raises(rread.RreadError):
        rread.lines(log, no_such_option=True)


def test_call(log):
    assert "line 2\n" in rread.call("read", path=log, lines="2")
    with pytest.raises(rread.RreadError):
        rread.call("nothing")


def test_names_and_environment(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("RREAD_FORMAT", "text")
    (tmp_path / "-n").write_text("odd\n", encoding="utf-8")
    assert rread.lines("-n").content == "odd\n"
    assert rread.search("odd", "-n").__next__().content == "odd\n"
