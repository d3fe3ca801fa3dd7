"""Files made to harm whoever reads them. None of them knows which reader it meets."""

import os
import socket
import stat
from collections.abc import Callable
from pathlib import Path

Poison = Callable[[Path], None]

ESCAPE = "\x1b]0;owned\x07\x1b[31m"
BYTES: dict[str, bytes] = {
    "not UTF-8": b"title: \xff\xfe\n",
    "NUL": b"title: a\0b\n",
    "terminal escape": f"title: {ESCAPE}\n".encode(),
    "bidi override": "title: a\u202eb\n".encode(),
    "surrogate": b"title: \xed\xa0\x80\n",
    "too large": b"# " + b"x" * 2_000_000,
}
YAML: dict[str, str] = {
    "tag bool": "title: !!bool maybe",
    "tag int": 'title: !!int ""',
    "tag float": 'title: !!float ""',
    "tag timestamp": 'title: !!timestamp "x"',
    "tag python": 'title: !!python/object/apply:os.system ["true"]',
    "tag binary": "title: !!binary aGVsbG8=",
    "tag set": "title: !!set {a, b}",
    "tag omap": "title: !!omap [a: 1]",
    "tag str": "title: !!str 5",
    "tag unknown": "title: !x y",
    "tag of the document": "--- !!map\ntitle: x",
    "alias": "a: &a [1]\ntitle: *a",
    "alias of itself": "title: &a [*a]",
    "alias bomb": "a: &a [x, x]\n"
    + "\n".join(
        f"{new}: &{new} [*{old}, *{old}]" for old, new in zip("abcdefgh", "bcdefghi", strict=True)
    ),
    "merge key": "a: &a {b: 1}\ntitle:\n  <<: *a",
    "merge of nothing": "<<: 3\ntitle: x",
    "nested brackets": "title: " + "[" * 30_000,
    "nested braces": "title: " + "{a: " * 30_000,
    "nested lists": "title:\n" + "- " * 30_000 + "x",
    "nested mappings": "\n".join(" " * depth + "a:" for depth in range(500)),
    "many parts": "title: [" + "1," * 30_000 + "1]",
    "same key": "title: a\ntitle: b",
    "same key below": "title: {a: 1, a: 2}",
    "key of a list": "? [a]\n: 1",
    "key of a mapping": "? {a: 1}\n: 1",
    "not a number": "title: .nan",
    "infinite": "title: 1e999",
    "many digits": "title: " + "9" * 5_000,
    "no date": "title: 2020-13-45",
    "written NUL": 'title: "a\\0b"',
    "written escape": 'title: "\\e]0;owned\\a\\e[31m"',
    "written override": 'title: "a\\u202eb"',
    "written surrogate": 'title: "a\\ud800b"',
    "two documents": "title: a\n---\ntitle: b",
    "nothing": "",
    "a list": "- a",
    "a text": "words",
    "broken": "title: {",
    "slash": "title: x\nslug: ../../etc/passwd\nstep: ../../etc/passwd\nname: a/b",
}
MARKDOWN: dict[str, str] = {
    "nested quotes": ">" * 30_000 + " words",
    "nested items": "- " * 30_000 + "words",
    "nested quotes and items": "> - " * 20_000 + "words",
    "nested emphasis": "*" * 60_001 + "a" + "*" * 60_001,
    "nested brackets": "[" * 30_000 + "a" + "](b)" * 30_000,
    "quotation marks": "\"'" * 50_000,
    "nested braces": "$" + "{" * 3_000 + "}" * 3_000 + "$",
    "macro bomb": "$\\def\\a{\\a\\a}\\a$",
    "opened brackets": "\\(" * 30_000,
    "opened brackets on lines": "\\[\n" * 20_000,
    "brackets that only seem closed": "\\(\\\\)" * 12_000,
    "opened tags": "<b " * 20_000 + "<br>",
    "an image": "![a cat](https://example.org/cat.png)",
    "footnotes": "[^" * 30_000 + " <br>",
    "task list": "- [ ] words\n" * 5_000,
    "HTML": "<details><summary>words</summary></details>",
    "LaTeX": "\\begin{align}\na &= b\n\\end{align}",
    "stars": "** a" * 15_000 + " <br>",
    "table of one line": "| a | b |\n" * 6_000,
    "backticks": "`" * 60_001,
    "value of nested signs": "{{ value f(a=" + "-" * 280 + "1) }}",
    "value of brackets": "{{ value f(a=" + "(" * 250 + ") }}",
    "value of many digits": "{{ value wavelength(d_model=" + "9" * 260 + ", pair=3) }}",
    "value without an end": "{{ value wavelength(d_model=1e308, pair=-1e308) :.2f }}",
}
BLOCKS: dict[str, str] = {
    "Markdown in a title": "```listing\ntitle: A **sum**\n---\nprint(1)\n---\n1\n```\n",
    "fence without an end": "```python\nprint(1)\n",
    "YAML of a block": "```question\nslug: " + "[" * 30_000 + "\n```",
    "tag in a block": "```question\nslug: !!bool maybe\n```",
    "program of signs": "```listing\ntitle: x\n---\n" + "-" * 60_000 + "1\n```",
    "program of brackets": "```listing\ntitle: x\n---\n" + "(" * 60_000 + "\n```",
    "program of additions": "```listing\ntitle: x\n---\na = 1" + "+1" * 60_000 + "\n```",
    "program of attributes": "```listing\ntitle: x\n---\na" + ".a" * 60_000 + "\n```",
    "program of conditions": "```listing\ntitle: x\n---\na=" + "1 if 1 else " * 9_000 + "1\n```",
}


def _put(data: bytes) -> Poison:
    def put(path: Path) -> None:
        path.write_bytes(data)

    return put


def _instead(make: Callable[[Path], object]) -> Poison:
    """Return what puts something else in the file's place."""

    def put(path: Path) -> None:
        _remove(path)
        make(path)

    return put


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        path.rename(path.with_name(f".was-{path.name}"))
    else:
        path.unlink()


def _socket(path: Path) -> None:
    here = Path.cwd()
    os.chdir(path.parent)  # the path of a socket has 108 bytes at most
    try:
        with socket.socket(socket.AF_UNIX) as made:
            made.bind(path.name)
    finally:
        os.chdir(here)


def _outside(path: Path) -> None:
    """Link to the very same content, so that only the way there is wrong."""
    was = path.with_name(f".was-{path.name}")
    outside = Path(os.environ["POISON_OUTSIDE"]) / f"{abs(hash(path))}-{path.name}"
    if was.exists():
        was.rename(outside)
    else:
        outside.write_text("title: secret\n")
    path.symlink_to(outside)


SPECIAL: dict[str, Poison] = {
    "FIFO": _instead(os.mkfifo),
    "socket": _instead(_socket),
    "broken link": _instead(lambda path: path.symlink_to("nowhere")),
    "link to itself": _instead(lambda path: path.symlink_to(path.name)),
    "link to a device": _instead(lambda path: path.symlink_to("/dev/zero")),
    "link out of the course": _instead(_outside),
    "device": _instead(lambda path: os.mknod(path, 0o644 | stat.S_IFCHR, os.makedev(1, 5))),
}
FILES: dict[str, Poison] = {
    **SPECIAL,
    "folder": _instead(Path.mkdir),
    **{name: _put(data) for name, data in BYTES.items()},
}
FOLDERS: dict[str, Poison] = {**SPECIAL, "file": _instead(Path.touch)}


def poisons_of(path: Path) -> dict[str, Poison]:
    """Return every poison for a file of this kind."""
    if path.is_dir():
        return FOLDERS
    texts = {".yaml": YAML, ".md": MARKDOWN}.get(path.suffix, {})
    if path.parent.name == "steps":
        texts = texts | BLOCKS
    return FILES | {name: _put(text.encode()) for name, text in texts.items()}
