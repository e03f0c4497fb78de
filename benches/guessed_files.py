"""Texts that others made, in folders or files with the names of their encodings, as chardet and uchardet have them.

    git clone https://github.com/chardet/chardet; git clone https://github.com/BYVoid/uchardet
    python3 benches/guesses.py files chardet/tests uchardet/test
"""

import codecs
import pathlib

import guessed_encodings

# What Python calls otherwise, and the newer form that browsers read in its place.
NAMES = {"maccyrillic": "mac-cyrillic", "hz-gb-2312": "hz", "iso-8859-1": "cp1252", "tis-620": "cp874", "gb2312": "gb18030", "cp949": "cp949"}


def encoding(name):
    """The encoding that a name begins with: `windows-1255-hebrew`, `iso-8859-15.txt`."""
    words = name.lower().split(".")[0].split("-")
    for count in range(len(words), 0, -1):
        word = "-".join(words[:count])
        try:
            return codecs.lookup(NAMES.get(word, word)).name
        except LookupError:
            continue
    return None


def cases(*folders):
    for folder in folders:
        for path in sorted(pathlib.Path(folder).rglob("*")):
            truth = encoding(path.parent.name) or encoding(path.name)
            if not path.is_file() or truth is None or path.suffix == ".py":
                continue
            content = path.read_bytes()
            try:
                content.decode(truth)
            except UnicodeError:
                # Its name is wrong.
                continue
            yield truth, f"{path.parent.name}-{path.name}.txt", content


def outcome(run, name, truth, content):
    guess, found = guessed_encodings.outcome(run, name, truth, content)
    # Browsers read some characters of one encoding in another way than Python.
    return guess, "right" if found == "wrong" and encoding(guess) == truth else found


def kind(name):
    return "files"
