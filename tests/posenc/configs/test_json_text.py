"""The text of a config: JSON and nothing more, with a sentence for each fault."""

import pytest
from posenc.configs import read_json
from posenc.errors import ParameterError

KILOBYTES_64 = 64 * 1024


def test_an_object_is_read_as_it_is():
    text = '\ufeff{"a": 1, "b": [1.5, null, true], "c": {"d": "\\u00e9 [{"}}'
    expected = {"a": 1, "b": [1.5, None, True], "c": {"d": "é [{"}}
    assert read_json(text, most_bytes=KILOBYTES_64) == expected


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "is empty"),
        (" \n", "is empty"),
        ("{", "is not JSON: Expecting property name"),
        ('{"a": 1,}', "line 1, column"),
        ("model_type: llama", "is not JSON"),
        ("[1]", "must be an object, {...}, not a list"),
        ('"text"', "not a text"),
        ("1", "not a number"),
        ("true", "not true or false"),
        ("null", "not null"),
        ('{"a": NaN}', "has NaN, which is not a number of JSON"),
        ('{"a": -Infinity}', "has -Infinity"),
        ('{"a": 1, "a": 2}', "has the field a twice"),
        ('{"a": {"b": 1, "b": 1}}', "has the field b twice"),
        ('{"a": ' + "9" * 5000 + "}", "a number of 5000 digits"),
        ('{"a": 1e999}', "has the number 1e999, which is too large"),
        ("[" * 60_000, "more than 16 brackets"),
        ('{"a":' * 17 + "1" + "}" * 17, "more than 16 brackets"),
        (b"\xff\xfe{}", "must be UTF-8: byte 0 is not"),
        ('{"a": "\ud800"}', "must be UTF-8"),
        (" " * (KILOBYTES_64 + 1), "at most"),
    ],
)
def test_everything_else_is_refused_in_words(text, words):
    with pytest.raises(ParameterError) as refused:
        read_json(text, most_bytes=KILOBYTES_64)
    assert words in refused.value.expected
    assert refused.value.argument == "config"


def test_brackets_in_texts_do_not_count():
    text = '{"a": "' + "[" * 100 + '\\"{"}'
    assert read_json(text, most_bytes=KILOBYTES_64) == {"a": "[" * 100 + '"{'}
