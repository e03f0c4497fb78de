"""Tests of the harness for live agents: `python3 tests/agents/live_test.py RREAD FEATURES`."""

import contextlib
import io
import json
import sys
import tempfile
import unittest
from pathlib import Path

import live

RREAD, FEATURES = Path(sys.argv[1]).resolve(), sys.argv[2].split(",")


def printed(work, *arguments):
    """What a command of the harness printed."""
    out = io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True)
    with contextlib.redirect_stdout(out):
        work(*arguments)
    return out.buffer.getvalue().decode("utf-8", "replace")


class Harness(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()
        cls.tasks = live.Set(Path(cls.scratch.name) / "set")
        cls.tasks.make(5, 0.02)

    @classmethod
    def tearDownClass(cls):
        cls.scratch.cleanup()

    def test_true_answers_are_right_and_others_wrong(self):
        for name in live.NAMES:
            answer, _ = self.tasks.answer(name)
            self.assertEqual(printed(live.answer, self.tasks, "shell", name, answer.true), "right\n", name)
            self.assertEqual(printed(live.answer, self.tasks, "shell", name, answer.true.upper() + "."), "right\n", name)
            self.assertGreaterEqual(len(answer.wrong), 2)
            for wrong in ["", "I don't know", *answer.wrong, *(self.tasks.answer(other)[0].true for other in live.NAMES if other != name)]:
                self.assertEqual(printed(live.answer, self.tasks, "shell", name, wrong), "wrong\n", f"{name}: {wrong}")

    def test_the_same_seed_makes_the_same_files(self):
        other = live.Set(Path(self.scratch.name) / "other")
        other.make(5, 0.02)
        for file in sorted((self.tasks.state / "files").rglob("*")):
            if file.is_file():
                self.assertEqual(file.read_bytes(), (other.state / "files" / file.relative_to(self.tasks.state / "files")).read_bytes(), file)
        self.assertEqual((self.tasks.state / "answers.json").read_text(), (other.state / "answers.json").read_text())

    def test_numbers_and_words_are_whole(self):
        number, word = live.live_logs.number(1234.5), live.live_logs.word(12)
        for pattern, text, found in ((number, "1,234.50 EUR.", True), (number, "1234.5", True), (number, "11234.50", False), (number, "1234.51", False), (word, "page 12.", True), (word, "page 121", False)):
            self.assertEqual(live.live_logs.Answer("", [pattern], []).accepts(text), found, text)

    def test_only_rread_runs_where_nothing_else_may(self):
        for line in ("rread stat a.log", "rread search 'a|b' x; rread lines x 3", "RREAD_MAX_BYTES=9 rread page x 2>&1 | rread search y", "rread a 2>/dev/null", 'rread select t.csv "SELECT 1\nFROM t"', "rread stat a\nrread stat b"):
            self.assertIsNone(live.refusal(line), line)
        for line in ("ls", "cat a | rread lines -", "rread a | head", "rread a > b", "rread $(ls)", "rread `ls`", "rread a\nls", "rread a & ls", "rread capture -- ls", "rread <(ls)", 'rread "'):
            self.assertIsNotNone(live.refusal(line), line)

    def test_calls_and_bytes_are_counted(self):
        tasks = live.Set(Path(self.scratch.name) / "counted")
        tasks.make(5, 0.02)
        self.assertEqual(printed(live.run, tasks, "shell", "zip", "ls; command -v rread", RREAD), "hosts.zip\n")
        self.assertTrue(printed(live.run, tasks, "shell", "ci", "head -c 40000 build.log | tr -c a a", RREAD).endswith("\n[10000 more bytes are not shown]\n"))
        self.assertTrue(printed(live.run, tasks, "both", "zip", "ls | rread lines -", RREAD).endswith("hosts.zip\n"))
        before = (tasks.folder / "shell" / "edited" / "pools.ini").read_text()
        printed(live.edit, tasks, "rread")
        self.assertEqual(before, (tasks.folder / "shell" / "edited" / "pools.ini").read_text())
        self.assertNotEqual(before, (tasks.folder / "rread" / "edited" / "pools.ini").read_text())
        for text in (tasks.answer("zip")[0].true, "none"):
            printed(live.answer, tasks, "shell", "zip", text)
        shell, both = printed(live.totals, tasks, False).splitlines()[2:4]
        self.assertEqual(shell, "| shell, Python allowed | 2 | 30.0 KB | 0.1 KB | 30.3 KB | 1 | 0 |")
        self.assertTrue(both.startswith("| shell and rread | 1 | ") and both.endswith(" | 0 | 1 |"), both)

    def test_tools_are_called_and_their_list_is_counted(self):
        if "mcp" not in FEATURES:
            self.skipTest("no mcp")
        text = printed(live.run, self.tasks, "mcp", "archive", 'read {"path": "limits.conf", "lines": "1:2"}', RREAD)
        self.assertIn("Limits of the shop", text)
        self.assertIn("not a call", printed(live.run, self.tasks, "mcp", "archive", "read limits.conf", RREAD))
        first = self.tasks.entries("mcp")[0]
        self.assertEqual(first["read"], len(text.encode()))
        self.assertTrue(4000 < first["listed"] < 9000, json.dumps(first))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
