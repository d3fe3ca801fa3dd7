"""Text from students: nothing that moves a cursor, reorders text or floods a page."""

import json
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quizzes.grader.protocol.sanitize import MAX_LINE, clean, clean_line


@pytest.mark.parametrize(
    ("dirty", "tidy"),
    [
        ("\x1b[2J\x1b]0;owned\x07hello", "hello"),
        ("\x1b[31mred\x1b[0m", "red"),
        ("\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\", "link"),
        ("\x1bc\x1b(Bplain", "plain"),
        ("a\u202eb\u2066c\u200fd", "abcd"),
        ("a\x00b\x08c\x7fd\x9be", "abcde"),
        ("one\r\ntwo\rthree\n", "one\ntwo\nthree\n"),
        ("tab\tstays", "tab\tstays"),
        ("\ud800lone", "lone"),
        ("<script>alert(1)</script>", "<script>alert(1)</script>"),
        ("Größe α → β ✓ 漢字", "Größe α → β ✓ 漢字"),
        (b"\xff\xfe\x00bytes", "\ufffd\ufffdbytes"),
    ],
)
def test_what_is_taken_out(dirty: str | bytes, tidy: str) -> None:
    assert clean(dirty, 1000) == tidy


def test_an_unfinished_escape_swallows_the_rest() -> None:
    assert clean("before\x1b]0;title without an end", 1000) == "before"


def test_carets_do_not_flood() -> None:
    assert len(clean("^" * 100_000, 200_000)) < 60
    assert len(clean("x\n" + "~" * 9000, 200_000)) < 60


def test_long_lines_and_long_texts_are_cut() -> None:
    text = clean(("x" * 10_000 + "\n") * 3, 100_000)
    assert max(map(len, text.splitlines())) == MAX_LINE
    assert len(clean("ab\n" * 10_000, 500)) == 500


def test_one_line_is_one_line() -> None:
    assert clean_line("  a\n\nb\tc ") == "a b c"


@given(st.text(alphabet=st.characters(), max_size=300), st.integers(1, 400))
def test_clean_text_is_safe_to_store_and_print(text: str, most: int) -> None:
    tidy = clean(text, most)
    assert len(tidy) <= most
    assert clean(tidy, most) == tidy
    tidy.encode()
    json.dumps(tidy)
    assert not any(unicodedata.category(c) in ("Cc", "Cs") for c in tidy if c not in "\n\t")
