"""Typed text: names as stored, texts as compared. Rules of all of Unicode, and of any text."""

import sys
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quizzes.content_files.typed_text import (
    MAX_KEY,
    clean_name,
    fold_for_comparison,
    fold_number,
    is_invisible,
    isolate,
    read_whole_number,
)

ALL = [chr(number) for number in range(sys.maxunicode + 1)]
DASHES = [char for char in ALL if unicodedata.category(char) == "Pd"] + ["−"]
FORMATS = [char for char in ALL if unicodedata.category(char) == "Cf"]
SELECTORS = [char for char in ALL if "VARIATION SELECTOR" in unicodedata.name(char, "")]
QUOTES = [char for char in ALL if unicodedata.category(char) in {"Pi", "Pf"}]
QUOTES += [char for char in ALL if "QUOTATION MARK" in unicodedata.name(char, "")]
APOSTROPHES = [char for char in ALL if "APOSTROPHE" in unicodedata.name(char, "")]
BIDI = ["RLE", "LRE", "RLO", "LRO", "PDF", "RLI", "LRI", "FSI", "PDI"]
MARKS = "\u200e\u200f\u061c\ufeff"
ZWNJ, ZWJ = "\u200c", "\u200d"
TEXTS = st.text(
    st.one_of(
        st.characters(), st.sampled_from([*DASHES, *FORMATS, *QUOTES, *SELECTORS, " ", "\u0301"])
    ),
    max_size=20,
)


def is_folded(char: str) -> bool:
    return not unicodedata.is_normalized("NFKC", char)


@pytest.mark.parametrize("fold", [clean_name, fold_for_comparison, fold_number])
@given(text=TEXTS)
def test_folding_twice_changes_nothing(fold, text):
    assert fold(fold(text)) == fold(text)


@pytest.mark.parametrize("fold", [clean_name, fold_for_comparison, fold_number])
def test_folding_each_character_twice_changes_nothing(fold):
    signs = [char for char in ALL if unicodedata.category(char) not in {"Lo", "Cn", "Co"}]
    texts = [f"a{char}b" for char in [*signs, *(char for char in ALL if is_folded(char))]]
    assert [text for text in texts if fold(fold(text)) != fold(text)] == []


def test_every_dash_compares_as_a_hyphen():
    assert {fold_for_comparison(f"key{dash}value") for dash in DASHES} == {"key-value"}


def test_every_format_character_compares_as_nothing():
    assert len(FORMATS) > 100
    for char in [*FORMATS, *SELECTORS]:
        assert fold_for_comparison(f"{char}Ro{char}PE{char}") == "RoPE", hex(ord(char))


def test_every_quote_compares_as_a_straight_one():
    folded = {fold_for_comparison(f"a{char}b") for char in [*QUOTES, *APOSTROPHES, *"´`′"]}
    named = {fold_for_comparison(f"{char}") for char in "‘’‚‛‹›＇ʼ"}
    assert named == {"'"}
    # Marks of Tibetan, say, and apostrophes of tags are named so, and are no quotes of a text.
    assert {one for one in folded if len(one) == 3 and one.isascii()} == {"a'b", 'a"b'}
    others = {one for one in folded if not one.isascii()}
    assert all(unicodedata.category(other[1]) not in {"Pi", "Pf", "Ps", "Pe"} for other in others)


@given(TEXTS)
def test_composed_and_decomposed_letters_compare_alike(text):
    for form in ("NFC", "NFD"):
        assert fold_for_comparison(unicodedata.normalize(form, f"é{text}")) == fold_for_comparison(
            f"é{text}"
        )


@given(TEXTS)
def test_a_stored_name_holds_nothing_unseen(text):
    stored = clean_name(text)
    assert stored == unicodedata.normalize("NFC", stored)
    assert stored == " ".join(stored.split())
    for char in stored:
        assert unicodedata.category(char) not in {"Cc", "Cs"}
        assert unicodedata.bidirectional(char) not in BIDI
        assert char not in MARKS


@given(st.text(st.characters(categories=["L", "M", "Nd", "P"]), min_size=1, max_size=12))
def test_a_name_stays_as_it_was_typed(name):
    typed = unicodedata.normalize("NFC", name)
    assert clean_name(typed) == typed
    assert clean_name(f"\ufeff \u202a{typed}\u202c ") == typed


@pytest.mark.parametrize("name", [f"می{ZWNJ}خواهم", f"क्{ZWJ}ष", f"ක්{ZWJ}‍ර", "O’Brien", "Ng–Lee"])
def test_joiners_and_signs_of_names_stay(name):
    assert clean_name(name) == name


def test_names_with_and_without_joiners_compare_alike():
    assert fold_for_comparison(f"می{ZWNJ}خواهم") == fold_for_comparison("میخواهم")


def test_a_control_parts_words_only_where_it_is_a_space():
    assert clean_name("Ada\tLove\x00lace\u2028King") == "Ada Lovelace King"


def test_what_is_seen_is_not_invisible():
    seen = [char for char in ALL if char.isalnum() and is_invisible(char)]
    assert {unicodedata.name(char) for char in seen} <= {
        "HANGUL CHOSEONG FILLER",
        "HANGUL JUNGSEONG FILLER",
        "HANGUL FILLER",
        "HALFWIDTH HANGUL FILLER",
    }


@pytest.mark.parametrize(
    ("text", "most", "number"),
    [
        ("0", MAX_KEY, 0),
        ("0012", MAX_KEY, 12),
        ("12", 12, 12),
        ("12", 11, None),
        (str(MAX_KEY), MAX_KEY, MAX_KEY),
        (str(MAX_KEY + 1), MAX_KEY, None),
        *((text, MAX_KEY, None) for text in ("", "-1", "+1", " 1", "1.0", "1_0", "１", "²", "٣")),
        ("9" * 5000, MAX_KEY, None),
    ],
)
def test_only_plain_digits_are_a_whole_number(text, most, number):
    assert read_whole_number(text, most=most) == number


@pytest.mark.parametrize("name", ["Ada", "", "Zoë 2", "Ольга", "\u2068"])
def test_left_to_right_name_stays_plain(name):
    assert isolate(name) == name


@pytest.mark.parametrize("name", ["עדה", "آدا", "Ada (עדה)"])
def test_right_to_left_name_is_isolated(name):
    assert isolate(name) == f"\u2068{name}\u2069"
