"""Tables of known values in the dialects that programs write. Each is asked for its rows, a sum, a text and a date.

Wrong is another answer with exit code 0 and without a notice.
"""

import decimal
import itertools
import json
import random

DELIMITERS = {"comma": ",", "semicolon": ";", "tab": "\t", "bar": "|", "caret": "^", "two bars": "||", "colons": "::"}
QUOTES = {"minimal": '"', "all": '"', "none": "", "single": "'"}
ESCAPES = {"doubled": None, "backslash": "\\"}
DECIMALS = {"point": ("{:.2f}", "."), "comma": ("{:.2f}", ","), "groups": ("{:,.2f}", "de"), "integers": ("{:.0f}", ".")}
EXTRAS = {
    "plain": {},
    "crlf": {"end": "\r\n"},
    "sep": {"sep": True},
    "title": {"title": ["Report of March"]},
    "comment": {"title": ["# made by a program", "# version 2"]},
    "last delimiter": {"last": True},
    "bom": {"bom": True},
    "no newline": {"open": True},
    "empty lines": {"blank": True},
    "empty values": {"gaps": True},
    "late quotes": {"late": True},
}
ROUNDS = 10
NAMES = ["Anna", "Bob Smith", "Çelik", "O'Neil", "Müller-Lüdenscheidt", "x y z", "李雷", "a.b@c.de"]


def quoted(text, delimiter, quote, escape, style):
    if not quote:
        return text
    needs = any(part in text for part in (delimiter, quote, "\n")) or style == "all" and not text[:1].isdigit()
    if not needs:
        return text
    inner = text.replace(quote, escape + quote) if escape else text.replace(quote, quote * 2)
    return quote + inner + quote


def number(value, style):
    form, mark = DECIMALS[style]
    text = form.format(value)
    if mark == "de":
        return text.replace(",", " ").replace(".", ",").replace(" ", ".")
    return text.replace(".", mark)


def made(delimiter, quote, escape, decimals, extra, random_):
    """The text, and its rows as (id, name, amount, day)."""
    style, facts = quote, EXTRAS[extra]
    quote, escape, delimiter = QUOTES[quote], ESCAPES[escape], DELIMITERS[delimiter]
    rows = []
    for n in range(random_.choice([6, 40, 700])):
        name = random_.choice(NAMES)
        is_late = facts.get("late") and n < 5
        if quote and not is_late and random_.random() < 0.3:
            name += random_.choice([f" {delimiter} x", f" {quote}q{quote} y", "\nline"])
        amount = decimal.Decimal(random_.randrange(-99999, 9999999)) / 100
        if decimals == "integers":
            amount = amount.quantize(decimal.Decimal(1))
        if facts.get("gaps") and n % 4 == 3:
            amount = None
        rows.append((n + 1, name, amount, f"2026-03-{n % 28 + 1:02}"))
    end = facts.get("end", "\n")
    lines = list(facts.get("title", []))
    if facts.get("sep"):
        lines.append(f"sep={delimiter}")
    last = delimiter if facts.get("last") else ""
    lines.append(delimiter.join(quoted(name, delimiter, quote, escape, style) for name in ["id", "name", "amount", "day"]) + last)
    for nth, (key, name, amount, day) in enumerate(rows):
        values = [str(key), name, "" if amount is None else number(amount, decimals), day]
        lines.append(delimiter.join(quoted(value, delimiter, quote, escape, style) for value in values) + last)
        if facts.get("blank") and nth % 9 == 8:
            lines.append("")
    text = end.join(lines) + ("" if facts.get("open") else end)
    return ("\ufeff" if facts.get("bom") else "") + text, rows


KNOWN = {}


def cases():
    random_ = random.Random(1)
    number_ = 0
    rounds = range(ROUNDS)
    for _, delimiter, quote, escape, decimals, extra in itertools.product(rounds, DELIMITERS, QUOTES, ESCAPES, DECIMALS, EXTRAS):
        # A comma cannot divide and mark decimals without quotes, and a text without quotes has no escape.
        if delimiter == "comma" and decimals in ("comma", "groups") and quote not in ("minimal", "all"):
            continue
        if quote == "none" and escape == "backslash" or extra == "sep" and len(DELIMITERS[delimiter]) > 1:
            continue
        text, rows = made(delimiter, quote, escape, decimals, extra, random_)
        number_ += 1
        name = f"{number_}.csv"
        KNOWN[name] = rows, f"{delimiter}, {quote}, {escape}, {decimals}, {extra}"
        yield f"{delimiter}, {quote}, {escape}", name, text.encode()


def kind(name):
    return "tables"


def outcome(run, name, truth, content):
    rows, dialect = KNOWN.pop(name)
    query = (
        "SELECT count(*) AS n, sum(amount) AS s, max(length(name)) AS l, min(name) AS first, max(day) AS last, max(id) AS id FROM t"
    )
    answer = run("select", name, query, "--output", "json", "--json")
    if answer.returncode != 0:
        return f"exit {answer.returncode}", "not evident"
    answer = json.loads(answer.stdout)
    row = json.loads(answer["content"])
    row = row[0] if isinstance(row, list) else row
    amounts = [row[2] for row in rows if row[2] is not None]
    names = [row[1] for row in rows]
    is_right = (
        row["n"] == len(rows)
        and row["s"] is not None
        and abs(decimal.Decimal(str(row["s"])) - sum(amounts)) < decimal.Decimal("0.01")
        and row["l"] == max(map(len, names))
        and row["first"] == min(names, key=str.encode)
        and str(row["last"])[:10] == max(row[3] for row in rows)
        and int(row["id"]) == len(rows)
    )
    if is_right:
        return "right", "right"
    return f"{dialect}: {row}", "said" if answer["metadata"].get("notices") else "wrong"
