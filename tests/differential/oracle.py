"""Says what a request has to give, by slicing the whole file in memory: one JSON request a line, one JSON answer a line."""

import base64
import json
import sys


def split_at(data, at):
    """The character that a cut at this offset would split, as (start, end)."""
    for start in range(max(0, at - 3), at):
        for end in range(at + 1, min(len(data), start + 4) + 1):
            try:
                if len(data[start:end].decode("utf-8")) == 1:
                    return start, end
            except UnicodeDecodeError:
                pass
    return None


def lines_of(data, encoding="utf-8"):
    """Every line with its newline."""
    if encoding == "utf-8":
        parts = data.split(b"\n")
        lines = [part + b"\n" for part in parts[:-1]]
        return lines + [parts[-1]] if parts[-1] else lines
    text = data.decode(encoding)
    return [line.encode(encoding) for line in lines_of_text(text)]


def lines_of_text(text):
    parts = text.split("\n")
    lines = [part + "\n" for part in parts[:-1]]
    return lines + [parts[-1]] if parts[-1] else lines


def decoded(part, at_start, encoding="utf-8"):
    text = part.decode(encoding, errors="replace")
    return text[1:] if at_start and text.startswith("\ufeff") else text


def cut(data, ask):
    start, end = ask["start"], ask["end"]
    if start < end:
        first, last = split_at(data, start), split_at(data, end)
        if ask["align"] == "expand":
            start, end = first[0] if first else start, last[1] if last else end
        else:
            start = first[1] if first else start
            end = max(start, last[0] if last else end)
    return data[start:end], {}


def encode(data, ask):
    part = data[ask["start"] : ask["end"]]
    return (part.hex().encode() if ask["code"] == "hex" else base64.b64encode(part)), {}


def lines(data, ask):
    encoding = ask.get("encoding", "utf-8")
    everything = lines_of(data, encoding)
    first, last = ask["first"], min(ask["last"], len(everything))
    wanted = everything[first - 1 : last]
    start = sum(map(len, everything[: first - 1]))
    end = start + sum(map(len, wanted))
    if ask["as"] == "raw":
        return b"".join(wanted), {}
    texts = [decoded(line, start == 0 and n == 0, encoding) for n, line in enumerate(wanted)]
    if ask["as"] == "numbered":
        texts = [f"{first + n:6}\u2192{line}" for n, line in enumerate(texts)]
    facts = {"actual_range/start_byte": start, "actual_range/end_byte": end, "?total_lines": len(everything)}
    if wanted:
        facts |= {"actual_range/start_line": first, "actual_range/end_line": last}
    facts |= {"?file_size": len(data), "?eof": end == len(data)}
    return "".join(texts).encode(), facts


def budget(data, ask):
    everything = lines_of(data)
    start = sum(map(len, everything[: ask["first"] - 1]))
    part = data[start:]
    if len(part) > ask["most"]:
        end = part.rfind(b"\n", 0, ask["most"]) + 1
        if not end:
            character = split_at(part, ask["most"])
            end = character[0] if character else ask["most"]
        part = part[:end]
    return part, {}


def edge(data, page, size):
    at = page * size
    if at == 0 or at >= len(data):
        return min(at, len(data))
    newline = data.rfind(b"\n", at - size, at)
    character = split_at(data, at)
    return newline + 1 if newline >= 0 else character[0] if character else at


def page(data, ask):
    number, size = ask["page"], ask["size"]
    pages = max(1, -(-len(data) // size))
    start, end = edge(data, number - 1, size), edge(data, number, size)
    facts = {"actual_range/start_byte": start, "actual_range/end_byte": end, "page": number, "?pages": pages}
    facts["continued"] = start > 0 and data[start - 1 : start] != b"\n"
    facts["truncated"] = end < len(data) and data[end - 1 : end] != b"\n"
    return decoded(data[start:end], start == 0).encode(), facts


def where_byte(data, ask):
    at = ask["byte"]
    start = data.rfind(b"\n", 0, at) + 1
    return None, {"byte": at, "line": data.count(b"\n", 0, at) + 1, "column": at - start + 1, "line_start": start}


def where_line(data, ask):
    everything = lines_of(data)
    start = sum(map(len, everything[: ask["line"] - 1]))
    end = start + len(everything[ask["line"] - 1])
    return None, {"line": ask["line"], "byte": start, "range": f"{start}-{end}"}


def count(data, ask):
    everything = lines_of(data)
    crlf = data.count(b"\r\n")
    facts = {"lines": len(everything), "total": len(data)}
    facts |= {"newlines/crlf": crlf, "newlines/lf": data.count(b"\n") - crlf}
    lengths = [len(line.removesuffix(b"\n")) for line in everything]
    if lengths:
        longest = max(lengths)
        facts |= {"longest_line/bytes": longest, "longest_line/line": lengths.index(longest) + 1}
    genuine = data.count("\ufffd".encode())
    facts["invalid_utf8/count"] = data.decode("utf-8", errors="replace").count("\ufffd") - genuine
    return None, facts


ANSWERS = {f.__name__: f for f in (cut, encode, lines, budget, page, where_byte, where_line, count)}

path, data = None, b""
for request in sys.stdin:
    ask = json.loads(request)
    if ask["file"] != path:
        path = ask["file"]
        with open(path, "rb") as file:
            data = file.read()
    content, facts = ANSWERS[ask["op"]](data, ask)
    content = None if content is None else base64.b64encode(content).decode()
    print(json.dumps({"content": content, "facts": facts}), flush=True)
