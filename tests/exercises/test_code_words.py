"""Commands in the site's sentences are set as code, and nothing else becomes HTML."""

import pytest
from django.utils.safestring import SafeString

from quizzes.exercises.templatetags.code_words import code_words


@pytest.mark.parametrize(
    ("sentence", "html"),
    [
        ("run `a <b>` & `c`.", "run <code>a &lt;b&gt;</code> &amp; <code>c</code>."),
        ("no code <i>", "no code &lt;i&gt;"),
        ("one ` alone", "one ` alone"),
        (SafeString("<i>`y`"), "&lt;i&gt;<code>y</code>"),
        ("", ""),
    ],
)
def test_only_what_stands_between_backticks_is_code(sentence, html):
    assert code_words(sentence) == html
