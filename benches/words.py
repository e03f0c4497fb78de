"""What the outputs of two programs have in common: words, their order, colours, digits of dumps."""

import collections
import difflib
import re

WORD = re.compile(r"\w+")
ESCAPE = re.compile(r"\x1b\[([0-9;]*)m")


def words(text):
    """Runs of letters and digits.

    >>> words("a high-way, 3.5")
    ['a', 'high', 'way', '3', '5']
    """
    return WORD.findall(text)


def common(ours, theirs):
    """How many of the items are in both, each as often as it is in both.

    >>> common("aab", "abc")
    2
    """
    return sum((collections.Counter(ours) & collections.Counter(theirs)).values())


def triples(found):
    """Three words in a row, for all words: they are the same only where the order is.

    >>> triples("abcd")
    [('a', 'b', 'c'), ('b', 'c', 'd')]
    """
    return list(zip(found, found[1:], found[2:]))


def in_order(ours, theirs):
    """Words of `theirs` that `ours` has in the same order, page by page.

    >>> in_order([["a", "b", "c"]], [["b", "c", "a"]])
    2
    """
    total = 0
    for own, other in zip(ours, theirs):
        matcher = difflib.SequenceMatcher(None, own, other, autojunk=False)
        total += sum(block.size for block in matcher.get_matching_blocks())
    return total


def same_styles(ours, theirs):
    """Of the visible characters of two coloured texts, how many there are, and how many have the same style in both.

    >>> same_styles("\\x1b[31mab\\x1b[0m c", "\\x1b[31ma\\x1b[0mb c")
    (3, 2)
    >>> same_styles("ab", "abc")
    (3, 0)
    """
    own, other = painted(ours), painted(theirs)
    if [character for character, _ in own] != [character for character, _ in other]:
        return max(len(own), len(other)), 0
    return len(own), sum(a == b for a, b in zip(own, other))


def painted(text):
    """Each visible character with the style that it has on a terminal."""
    style, found = {}, []
    for at, piece in enumerate(ESCAPE.split(text)):
        if at % 2:
            codes = [int(code or 0) for code in piece.split(";")]
            while codes:
                style = styled(style, codes)
        else:
            found += [(character, tuple(sorted(style.items()))) for character in piece if not character.isspace()]
    return found


def styled(style, codes):
    """The style after the first of some SGR codes, which are taken from the list."""
    code = codes.pop(0)
    if code == 0:
        return {}
    if code in (38, 48):
        kind = codes.pop(0)
        count = 3 if kind == 2 else 1
        value, codes[:count] = (kind, *codes[:count]), []
        return style | {code: value}
    if code in (39, 49):
        return {key: value for key, value in style.items() if key != code - 1}
    ground = 38 if code // 10 in (3, 9) else 48 if code // 10 in (4, 10) else code
    return style | {ground: code}


def digits(dump, first, last):
    """The bytes whose digits are in these columns of a dump; None if there is something else.

    >>> digits("00000000: 310a 3233 34         1.234\\n", 10, 20)
    b'1\\n23'
    """
    try:
        return b"".join(bytes.fromhex(line[first:last]) for line in dump.rstrip("\n").split("\n"))
    except ValueError:
        return None
