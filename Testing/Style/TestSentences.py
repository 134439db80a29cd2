"""Fails where the prose of a page has a sentence of more than 45 words, or more than 20 words a sentence on average.

usage: TestSentences.py source

Counted are paragraphs and list items. Code blocks, tables, headings, pictures and the addresses of links are not. A
span of `code` is one word, and so is each word, number or symbol that has a letter or a digit.
"""

import pathlib
import re
import sys

LONGEST = 45
MEAN = 20

# Words whose full stop does not end a sentence. A single capital is an initial, as in "J. Barnes".
ABBREVIATIONS = {"e.g.", "i.e.", "cf.", "vs.", "fig.", "eq.", "no.", "st.", "dr.", "al.", "ca.", "approx."}
INITIAL = re.compile(r"[(\"]?[A-Z]\.")
END = re.compile(r"[.!?][)\"'”]*$")
ITEM = re.compile(r"\s*(?:[-*+]|\d+[.)])\s+")
FENCE = re.compile(r"\s*(```|~~~)")
NO_PROSE = re.compile(r"\s*(?:#|\||!\[[^\]]*\]\([^)]*\)\s*$|<)")


def blocks(text):
    """The paragraphs and list items of a page, as pairs of first line and text on one line."""
    found = []
    lines = []
    start = 0
    fenced = False
    in_list = False

    def close():
        if lines:
            found.append((start, " ".join(line.strip() for line in lines)))
            lines.clear()

    for number, line in enumerate(text.splitlines(), 1):
        if FENCE.match(line):
            close()
            fenced = not fenced
        elif fenced:
            continue
        elif not line.strip() or NO_PROSE.match(line):
            close()
        elif (item := ITEM.match(line)) and (in_list or not line.startswith("    ")):
            close()
            in_list = True
            start = number
            lines.append(line[item.end():])
        elif not lines and line.startswith("    ") and not in_list:
            continue  # indented code
        else:
            if not lines:
                start = number
                in_list = in_list and line.startswith(" ")
            lines.append(line)
    close()
    return found


def plain(text):
    """The text as it is read: links as their words, code as one word, no marks of emphasis."""
    text = re.sub(r"`[^`]+`", "Code", text)
    text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", text)
    text = re.sub(r"<[^<> ][^<>]*>", " ", text)
    return re.sub(r"\*+", "", text)


def sentences(text):
    """The sentences of a paragraph, each as a list of words."""
    words = plain(text).split()
    found = []
    sentence = []
    for word, following in zip(words, words[1:] + [""]):
        sentence.append(word)
        begins = not following or not re.match(r"[(\"'“]*[a-z]", following)
        short = word.lower().lstrip("(\"") in ABBREVIATIONS or INITIAL.fullmatch(word)
        if END.search(word) and begins and not short:
            found.append(sentence)
            sentence = []
    found.append(sentence)
    counted = [[word for word in sentence if re.search(r"\w", word)] for sentence in found]
    return [sentence for sentence in counted if sentence]


def measure(text):
    """The sentences of a page, as pairs of the line where their paragraph begins and the words."""
    return [(line, sentence) for line, block in blocks(text) for sentence in sentences(block)]


def mean(measured):
    return sum(len(sentence) for _, sentence in measured) / max(len(measured), 1)


def broken(name, text):
    """How a page does not hold the rule."""
    measured = measure(text)
    found = [f"{name}:{line}: {len(sentence)} words: {' '.join(sentence)}"
             for line, sentence in measured if len(sentence) > LONGEST]
    if mean(measured) > MEAN:
        found.append(f"{name}:1: {mean(measured):.1f} words a sentence on average")
    return found


def check_itself():
    def counts(text):
        return [len(sentence) for _, sentence in measure(text)]

    assert counts("One two three. Four five! Six?") == [3, 2, 1]
    assert counts("It is 0.5 wide, or .25 at most. It ends.") == [8, 2]
    assert counts("Use it, e.g. For a file. Then stop.") == [6, 2]
    assert counts("Files end in `.icsr`. See `a.b. C`. Or .icsr as it is.") == [4, 2, 5]
    assert counts("The sum of J. Barnes and P. Hut (1986). A tree.") == [9, 2]
    assert counts("It works (with exceptions.) They are few.") == [4, 3]
    assert counts("Two kinds:\n\n- one of them\n  goes on. Here.\n- two\n1. three\n\nEnd.") == [2, 5, 1, 1, 1, 1]
    assert counts("- item\n\n  its second paragraph\n\nText\n\n    code that is. Not counted") == [1, 3, 1]
    assert counts("# A title of words\n\n| a | b |\n|---|---|\n| c. D | e |\n\n![a b](c.png)\n") == []
    assert counts("<img src=\"a.png\" alt=\"one two\">\n```python\nA = 1. B\n```\nProse.") == [1]
    assert counts("See [two words](a.md#some-where) and **more** of *it*.") == [7]
    assert counts("a × b - c = d") == [4]
    assert [line for line, _ in measure("# Title\n\nOne. Two.\n\n- three")] == [3, 3, 5]
    assert not broken("page", "word " * LONGEST + ".\n\nShort.\n\nShort.")
    assert len(broken("page", "Short.\n\n" * 9 + "word " * (LONGEST + 1) + ".")) == 1
    assert broken("page", "word " * (MEAN + 1) + ".")[0].startswith("page:1: 21.0 words")
    assert not broken("page", "word " * MEAN + ".")


def main():
    check_itself()
    source = pathlib.Path(sys.argv[1])
    pages = [source / "README.md", source / "CHANGELOG.md", *sorted((source / "Documentation").rglob("*.md"))]
    problems = []
    print("words a sentence: mean, longest; sentences")
    for page in pages:
        name = str(page.relative_to(source))
        text = page.read_text(encoding="utf-8")
        measured = measure(text)
        assert measured, f"{name} has no sentence: this test finds nothing"
        longest = max(len(sentence) for _, sentence in measured)
        print(f"{mean(measured):5.1f} {longest:4d} {len(measured):5d}  {name}")
        problems += broken(name, text)
    assert len(pages) > 30, f"only {len(pages)} pages: this test finds nothing"
    if problems:
        sys.exit("\n".join(problems))


main()
