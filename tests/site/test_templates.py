"""Templates obey the content policy, name static files that exist, and keep to 120 columns."""

import re
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles import finders
from django.template import TemplateDoesNotExist
from django.template.loader import get_template

from tests.collapsed_spaces import collapse_spaces

ROOT = Path(settings.ROOT)
TEMPLATES = sorted(
    path
    for folder in (ROOT / "templates", ROOT / "quizzes")
    for path in folder.rglob("*.html")
    if "content" not in path.relative_to(ROOT).parts
)
INLINE = {
    "a style attribute": re.compile(r"<[^>]*\sstyle\s*=", re.IGNORECASE),
    "a style element": re.compile(r"<style\b", re.IGNORECASE),
    "a script without src": re.compile(r"<script\b(?![^>]*\ssrc=)", re.IGNORECASE),
    "an event attribute": re.compile(  # but "one == role" between {% and %} is no attribute
        r"<(?:{%.*?%}|{(?!%)|[^>{])*?\son[a-z]+\s*=(?!=)", re.IGNORECASE
    ),
    "a javascript: address": re.compile(r"javascript:", re.IGNORECASE),
    "text let through unescaped": re.compile(r"\|\s*safe\b|autoescape off"),
    # A name is made with a space before what a flex box or this class makes a block.
    "unseen text after a space, then a mark": re.compile(r'"visually-hidden">\s*[:,;]'),
    "UTC that static/site/clock.js does not know": re.compile(r"}} UTC|\(UTC\)"),
}


COLUMNS = 120


def test_there_are_templates():
    assert len(TEMPLATES) > 20


def test_template_lines_have_at_most_120_columns():
    """Hold what djlint does not: it breaks tags, never a sentence."""
    too_long = [
        f"{path.relative_to(ROOT)}:{number}: {len(line)}"
        for path in TEMPLATES
        for number, line in enumerate(path.read_text().splitlines(), 1)
        if len(line) > COLUMNS
    ]
    assert too_long == []


HEADS = re.compile(  # in the header, and above a title
    r'(?:site-nav__link"|class="(?:eyebrow|step__where)">\s*<a)\s+href="{{ [\w.]*lists\.(\w+) }}"'
    r"[^>]*>(\w+)</a>"
)


def test_lists_have_one_name():
    """The header and the line above a title call the list of quizzes the same."""
    names: dict[str, set[str]] = {}
    for path in TEMPLATES:
        for page, word in HEADS.findall(path.read_text()):
            names.setdefault(page, set()).add(word)
    assert names.pop("learn") == {"Learn", "Lessons"}  # on a phone, the menu is one line
    assert {"quiz", "exercises", "map", "progress"} <= names.keys()
    assert {page: words for page, words in names.items() if len(words) > 1} == {}


def test_every_note_of_a_figure_is_guarded():
    """The note has spaces around it, so an element that is hidden while empty would show."""
    bare = [
        str(path.relative_to(ROOT))
        for path in TEMPLATES
        for before in path.read_text().split('include "lessons/_note.html"')[:-1]
        if "otes.wide or" not in before.rpartition("{% if ")[2]
    ]
    assert bare == []


def test_nothing_inline():
    faults = [
        (path, what)
        for path in TEMPLATES
        for what, pattern in INLINE.items()
        if pattern.search(path.read_text())
    ]
    assert faults == []


def test_static_files_exist():
    names = {
        name: path
        for path in TEMPLATES
        for name in re.findall(r"{% static '([^']+)' %}", path.read_text())
    }
    assert {name: path for name, path in names.items() if finders.find(name) is None} == {}


def test_included_templates_exist():
    names = {
        name: path
        for path in TEMPLATES
        for name in re.findall(r'{% (?:include|extends) "([^"]+)"', path.read_text())
    }
    lost = {}
    for name, path in names.items():
        try:
            get_template(name)
        except TemplateDoesNotExist:
            lost[name] = path
    assert lost == {}


def test_inline_patterns_find_what_they_should():
    wrong = {
        "a style attribute": '<p style="color: red">',
        "a style element": "<style>p {}</style>",
        "a script without src": "<script>alert(1)</script>",
        "an event attribute": '<a onclick="x()">',
        "a javascript: address": '<a href="javascript:x()">',
        "text let through unescaped": "{{ body|safe }}",
        "unseen text after a space, then a mark": 'Delete<span class="visually-hidden">: a</span>',
        "UTC that static/site/clock.js does not know": '{{ at|date:"j M" }} UTC',
    }
    for what, text in wrong.items():
        assert INLINE[what].search(text), what


# What cannot hold an element, or is a text of its own; and tags, for what stands in attributes.
NOT_RUNNING = re.compile(
    r"{% block title %}.*?{% endblock %}|<(title|option|textarea)\b.*?</\1>"
    r"|<(?!bdi>)[a-z](?:{%.*?%}|{{.*?}}|[^<>])*>",
    re.DOTALL,
)
PERSON = re.compile(
    r"(?<!<bdi>){{ ?(?:\w+\.)*(?:"
    r"(?:member|membership|person|invited|joined|viewed_as)\.label"
    r"|username|get_username|get_full_name"
    r"|by|\w+_by|learner)(?:\|[^}]*)? ?}}"
)


def test_names_of_people_stand_in_bdi():
    """A name from right to left else turns the words and numbers beside it around."""
    bare = {path: PERSON.search(NOT_RUNNING.sub("", path.read_text())) for path in TEMPLATES}
    assert {path: match[0] for path, match in bare.items() if match} == {}


def test_the_pattern_finds_names_of_people():
    for name in ("member.label", "one.row.by|default:'x'", "user.get_username"):
        assert PERSON.search(NOT_RUNNING.sub("", f'<a href="{{% url "x" %}}">{{{{ {name} }}}}</a>'))
        apart = f'<p title="{{{{ {name} }}}}"><bdi>{{{{ {name} }}}}</bdi></p>'
        assert not PERSON.search(NOT_RUNNING.sub("", apart))


def test_collapsed_pages_show_what_browsers_show():
    laid_out = (
        '<ul>\n  <li\n    id="a">\n    A <b>word</b>\n    more.\n  </li>\n</ul><pre> a\n </pre>'
    )
    shown = '<ul><li id="a">A <b>word</b> more.</li></ul><pre> a\n </pre>'
    assert collapse_spaces(laid_out) == shown
    assert collapse_spaces(shown) == shown
