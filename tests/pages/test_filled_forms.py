"""What was sent from a form comes back into it: read as a browser would send it, it is the same."""

from html.parser import HTMLParser

from django.utils.html import escape
from django.utils.safestring import SafeString
from hypothesis import given
from hypothesis import strategies as st

from quizzes.pages.filled_forms import fill_form

NOTE = SafeString('<p id="note">Back.</p>')
PAGE = "/c/a/quiz/b/attempt/1/"
TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0\r"), max_size=20)
LINES = TEXTS.map(lambda text: text.replace("\n", " "))
WORDS = st.sampled_from(["", "1", "22", "a&b", "<i>", '"x"'])


class Sent(HTMLParser):
    """What a browser sends from the only form of a page, without its buttons."""

    def __init__(self, html):
        super().__init__(convert_charrefs=True)
        self.fields, self.area, self.menu, self.data = [], None, None, ""
        self.feed(html)
        self.close()

    def handle_starttag(self, tag, attrs):
        names = dict(attrs)
        name, kind = names.get("name"), names.get("type", "text")
        if tag == "textarea":
            self.area, self.data = name, ""
        elif tag == "select":
            self.menu = name
        elif tag == "option" and "selected" in names:
            self.fields.append((self.menu, names["value"]))
        elif tag == "input" and name and (kind not in {"radio", "checkbox"} or "checked" in names):
            self.fields.append((name, names.get("value", "")))

    def handle_data(self, data):
        self.data += data

    def handle_endtag(self, tag):
        if tag == "textarea":
            self.fields.append((self.area, self.data.removeprefix("\n")))


def form(fields):
    """The HTML of a form as the site makes it anew, with nothing of what was sent."""
    rows = []
    for name, (kind, choices) in fields.items():
        if kind == "textarea":
            rows.append(f'<textarea name="{name}" rows="3">\nbefore</textarea>')
        elif kind == "select":
            options = "".join(f'<option value="{escape(one)}">Word</option>' for one in choices)
            rows.append(f'<select name="{name}">{options}</select>')
        elif kind in {"radio", "checkbox"}:
            rows += [
                f'<input type="{kind}" name="{name}" value="{escape(one)}" checked>'
                for one in choices
            ]
        else:
            rows.append(f'<label><input type="{kind}" name="{name}" value="before"> Word</label>')
    inside = "\n".join(rows)
    other = '<form method="post" action="/elsewhere/"><input name="f0" value="other"></form>'
    return f"<main>{{}}<form method='post' action='{PAGE}'>{inside}</form></main>", other


@st.composite
def forms(draw):
    """Return the fields of a form with their kind and choices, and what was sent from it."""
    fields, sent = {}, {}
    for number in range(draw(st.integers(1, 6))):
        kinds = ["text", "hidden", "textarea", "select", "radio", "checkbox"]
        name, kind = f"f{number}", draw(st.sampled_from(kinds))
        choices = draw(st.lists(WORDS, min_size=1, max_size=4, unique=True))
        fields[name] = (kind, choices)
        if kind == "checkbox":
            chosen = draw(st.lists(st.sampled_from(choices), unique=True))
            sent |= {name: [one for one in choices if one in chosen]} if chosen else {}
        elif kind in {"select", "radio"}:
            sent[name] = [draw(st.sampled_from(choices))]
        else:
            sent[name] = [draw(TEXTS if kind == "textarea" else LINES)]
    return fields, sent


def sent_by(html):
    found = {}
    for name, value in Sent(html).fields:
        found.setdefault(name, []).append(value)
    return found


@given(forms())
def test_filled_form_sends_what_was_sent(made):
    fields, sent = made
    html, other = form(fields)
    filled = fill_form(html.format(""), page="/x/", action=PAGE, values=sent, note=NOTE)
    assert filled is not None
    assert sent_by(filled) == sent
    beside = fill_form(html.format(other), page="/x/", action=PAGE, values=sent, note=NOTE)
    assert beside is not None
    assert beside.replace(other, "") == filled


@given(st.dictionaries(st.sampled_from(["rows-3", "rows-4", "f0"]), st.lists(LINES, min_size=1)))
def test_fields_of_no_form_are_sent_unseen(sent):
    html = f"<form method='post' action='{PAGE}'><button name='do' value='save'>Go</button></form>"
    filled = fill_form(html, page="/x/", action=PAGE, values=sent | {"do": ["add"]}, note=NOTE)
    assert filled is not None
    assert sent_by(filled) == sent


def test_form_without_action_is_of_its_page():
    html = "<form method=post><input name=a></form><form method=get><input name=a></form>"
    filled = fill_form(html, page=f"{PAGE}?b=1", action=PAGE, values={"a": ["&"]}, note=NOTE)
    assert filled is not None
    assert filled.count('value="&amp;"') == 1
    assert fill_form(html, page="/x/", action=PAGE, values={"a": ["&"]}, note=NOTE) is None


def test_password_and_token_never_come_back():
    html = (
        f'<form method="post" action="{PAGE}"><input name="csrfmiddlewaretoken" value="new">'
        '<input name="opened_by" value="1:new"><input type="password" name="pass"></form>'
    )
    old = {"csrfmiddlewaretoken": ["old"], "opened_by": ["2:old"], "pass": ["secret"]}
    filled = fill_form(html, page="/x/", action=PAGE, values=old, note=NOTE)
    assert filled is not None
    assert "old" not in filled
    assert "secret" not in filled


def test_form_is_told_by_its_hidden_fields():
    one, two = (
        f'<form method="post" action="{PAGE}">'
        f'<input type="hidden" name="question" value="{number}">'
        '<textarea name="text"></textarea></form>'
        for number in (1, 2)
    )
    sent = {"question": ["2"], "text": ["Why?"]}
    filled = fill_form(one + two, page="/x/", action=PAGE, values=sent, note=NOTE)
    assert filled is not None
    assert filled.startswith(one)
    assert "Why?" in filled
