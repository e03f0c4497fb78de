#!/usr/bin/env python3
"""Does `search --unit block` return whole functions, and does `--enclosing` name them? Beside `git grep -W` and `-p`.

    pip install tree-sitter 'tree-sitter-language-pack<0.8'
    python3 benches/blocks.py target/release/rread jq leveldb fzf ripgrep flask express zod gson jekyll composer nvm

Parsers (tree-sitter) find the functions of the source trees that the user names. Of each function of three lines or more, the
script searches a line that is only once in its file, is not a comment, and is in no function or type inside. *whole*: all lines of the function are shown.
*lines*: lines shown for each line of these functions; comments above a function count. *named*: the line with the
name of the function is shown as what encloses the match. `--show` prints the functions that are not whole. Nothing is fetched.
"""

import argparse
import random
import re
import subprocess
import sys
import tempfile
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

FUNCTIONS = {
    "bash": "function_definition",
    "c": "function_definition",
    "cpp": "function_definition",
    "go": "function_declaration method_declaration",
    "java": "method_declaration constructor_declaration",
    "javascript": "function_declaration method_definition generator_function_declaration variable_declarator assignment_expression",
    "kotlin": "function_declaration",
    "php": "function_definition method_declaration",
    "python": "function_definition",
    "ruby": "method singleton_method",
    "rust": "function_item",
    "swift": "function_declaration init_declaration",
    "typescript": "function_declaration method_definition generator_function_declaration variable_declarator assignment_expression",
}
ENDS = {
    "sh": "bash", "bash": "bash", "c": "c", "cc": "cpp", "cpp": "cpp", "hpp": "cpp", "go": "go", "java": "java", "js": "javascript",
    "mjs": "javascript", "kt": "kotlin", "php": "php", "py": "python", "rb": "ruby", "rs": "rust", "swift": "swift", "ts": "typescript",
}
# The drivers of git, which know the first lines of functions; git has none for JavaScript, TypeScript and Swift.
DRIVERS = {"bash": "bash", "c": "cpp", "cpp": "cpp", "go": "golang", "java": "java", "kotlin": "kotlin", "php": "php", "python": "python", "ruby": "ruby", "rust": "rust"}
# Definitions in a function that are units of their own, with their decorators.
OTHER = re.compile("(class|struct|enum|interface|object|trait|impl|local_class|module|decorated)_?(definition|declaration|specifier|item|expression|body)$|class$|module$|object_literal$")
# A comment may belong to the definition below it.
COMMENT = re.compile(r"//|#|/?\*|--|\"\"\"")
MOST_BYTES = 1 << 20


class Function:
    def __init__(self, path, name, first, last, named, line):
        self.path, self.name, self.first, self.last, self.named, self.line = path, name, first, last, named, line


def functions(path, language, parser):
    """The functions of a file, each with a line of its own."""
    text = path.read_bytes()
    if len(text) > MOST_BYTES:
        return []
    lines, kinds, found = text.decode(errors="replace").split("\n"), FUNCTIONS[language].split(), []

    def visit(node, depth=0):
        inner = []
        for child in node.children if depth < 900 else ():
            inner += visit(child, depth + 1)
        if OTHER.match(node.type):
            return [(node.start_point[0] + 1, node.end_point[0] + 1)]
        if node.type not in kinds or node.has_error:
            return inner
        body = node.child_by_field_name("body")
        name = node.child_by_field_name("name") or node.child_by_field_name("declarator")
        if node.type in ("variable_declarator", "assignment_expression"):
            value = node.child_by_field_name("value") or node.child_by_field_name("right")
            name = node.child_by_field_name("name") or node.child_by_field_name("left")
            if value is None or value.type not in ("arrow_function", "function_expression", "function"):
                return inner
            body = value.child_by_field_name("body")
        while name is not None and (deeper := name.child_by_field_name("declarator")) is not None:
            name = deeper
        body = body or next((child for child in node.children if "body" in child.type), None)
        name = name or next((child for child in node.children if "identifier" in child.type), None)
        first, last = node.start_point[0] + 1, node.end_point[0] + 1
        if body is None or name is None:
            return inner
        if last - first < 2:
            return [(first, last)]
        within = [at for at in range(max(body.start_point[0] + 1, first + 1, name.start_point[0] + 2), last) if not any(a <= at <= b for a, b in inner)]
        found.append((first, last, name.start_point[0] + 1, name.text.decode(errors="replace"), within))
        return [(first, last)]

    visit(parser.parse(text).root_node)
    whole, result = "\n".join(lines), []
    for first, last, named, name, within in found:
        middle = (first + last) // 2
        for at in sorted(within, key=lambda at: abs(at - middle)):
            line = lines[at - 1].strip()
            if len(line) > 3 and whole.count(line) == 1 and not COMMENT.match(line):
                result.append(Function(path, name, first, last, named, line))
                break
    return result


def shown(argv, mark):
    """The numbers of the lines, and of those that enclose the match."""
    done = subprocess.run(argv, capture_output=True, text=True, errors="replace")
    numbers = [re.match(r"(\d+)([-:=])", line) for line in done.stdout.splitlines()]
    found = [(int(number[1]), number[2]) for number in numbers if number]
    return {number for number, sign in found if mark is None or sign == mark}


def judge(rread, attributes, function):
    path, line = str(function.path), function.line
    git = ["git", "-c", f"core.attributesFile={attributes}", "grep", "--no-index", "-n", "-h", "-F", "-e", line]
    ours = [rread, "search", "-F", "-f", "text", "-e", line, path]
    whole = set(range(function.first, function.last + 1))
    rows = []
    for argv, named in (([*ours, "--unit", "block"], [*ours, "--enclosing"]), ([*git, "-W", "--", path], [*git, "-p", "--", path])):
        lines = shown(argv, None)
        rows.append((whole <= lines, len(lines), function.named in shown(named, "=")))
    return function, rows


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("rread")
    parser.add_argument("trees", type=Path, nargs="+")
    parser.add_argument("--most", type=int, default=200, help="functions of one language in one tree")
    parser.add_argument("--show", action="store_true")
    options = parser.parse_args()
    from tree_sitter_language_pack import get_parser

    parsers = {language: get_parser(language) for language in FUNCTIONS}
    sys.setrecursionlimit(10_000)
    chosen, trees = defaultdict(list), defaultdict(set)
    for tree in options.trees:
        of_tree = defaultdict(list)
        for path in sorted(tree.rglob("*")):
            language = ENDS.get(path.suffix[1:])
            if language and path.is_file() and ".git" not in path.parts:
                of_tree[language] += functions(path, language, parsers[language])
        for language, all_of in of_tree.items():
            some = random.Random(1).sample(all_of, min(options.most, len(all_of)))
            if some:
                chosen[language] += some
                trees[language].add(tree.name)
    with tempfile.NamedTemporaryFile("w", suffix=".attributes") as attributes:
        attributes.write("".join(f"*.{end} diff={DRIVERS[language]}\n" for end, language in ENDS.items() if language in DRIVERS))
        attributes.flush()
        report(options, attributes.name, chosen, trees)


def report(options, attributes, chosen, trees):
    print("| language | trees | functions | whole, rread / git | lines, rread / git | named, rread / git |\n|---|--:|--:|--:|--:|--:|")
    total, missed = [], []
    with ThreadPoolExecutor(2) as pool:
        for language in sorted(chosen):
            judged = list(pool.map(lambda function: judge(options.rread, attributes, function), chosen[language]))
            total += judged
            row(language, len(trees[language]), judged)
            missed += [(language, function, rows[0]) for function, rows in judged if not (rows[0][0] and rows[0][2])]
    row("all", sum(map(len, trees.values())), total)
    for language, function, (whole, count, named) in missed if options.show else ():
        what = " ".join(word for word, good in (("whole", whole), ("named", named)) if not good)
        print(f"{language}: not {what}: {function.path}:{function.first}-{function.last} {function.name}: {function.line} ({count} lines)")


def row(name, trees, judged):
    def share(at, what):
        return sum(rows[at][what] for _, rows in judged) / max(1, len(judged))

    size = sum(function.last - function.first + 1 for function, rows in judged)
    lines = [sum(rows[at][1] for _, rows in judged) / max(1, size) for at in (0, 1)]
    print(f"| {name} | {trees} | {len(judged)} | {share(0, 0):.3f} / {share(1, 0):.3f} | {lines[0]:.2f} / {lines[1]:.2f} | {share(0, 2):.3f} / {share(1, 2):.3f} |", flush=True)


if __name__ == "__main__":
    main()
