"""A form of a page, filled with what was sent from it earlier.

A form that was sent without its session is shown once more when its owner has signed in: the page
is asked for as always, and what was typed and chosen is put into its HTML. So no view needs to know
of it, and it works without a script.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from html.parser import HTMLParser
from urllib.parse import urlsplit

from django.utils.html import escape
from django.utils.safestring import SafeString

from quizzes.pages.form_placeholders import OPENED_BY, TOKEN

Values = Mapping[str, Sequence[str]]
NEVER_FILLED = {"file", "password", "submit", "button", "reset", "image"}
CHOSEN = {"radio", "checkbox"}
OWN = {TOKEN, OPENED_BY}  # of each page: the newer ones stand


def fill_form(html: str, *, page: str, action: str, values: Values, note: SafeString) -> str | None:
    """Return a page with the form filled that is sent to `action`; it begins with a note.

    `page` is the address of the page. Fields that the form lacks, such as rows that a script added,
    are put into it unseen. Return None where the page has no such form.
    """
    reader = _Reader(html)
    forms = [form for form in reader.read() if _path(form.action or page) == _path(action)]
    if not forms:
        return None
    form = max(forms, key=lambda each: each.likeness(action, page, values))
    edits: list[Edit] = []
    waiting = {name: list(several) for name, several in values.items() if name not in OWN}
    for control in form.fields:
        if control.name in OWN or control.type in NEVER_FILLED:
            waiting.pop(control.name, None)  # which button was pressed is pressed once more
            continue
        edits += control.filled(form, waiting, values)
    rest = ((name, text) for name, several in waiting.items() for text in several)
    unseen = "".join(_tag("input", _hidden(name, text)) for name, text in rest)
    edits.append((form.end, form.end, note + SafeString(unseen)))
    edits.append((form.start, form.end, _tag("form", form.attributes | {"data-dirty": ""})))
    return _edited(html, edits)


def _path(address: str) -> str:
    return urlsplit(address).path


def _hidden(name: str, text: str) -> dict[str, str | None]:
    return {"type": "hidden", "name": name, "value": text}


Edit = tuple[int, int, str]  # from, to, what stands there then


def _edited(html: str, edits: Iterable[Edit]) -> str:
    parts, at = [], 0
    for start, end, text in sorted(edits, key=lambda edit: (edit[0], edit[1])):
        parts += [html[at:start], text]
        at = end
    return "".join([*parts, html[at:]])


def _tag(name: str, attributes: Mapping[str, str | None]) -> str:
    words = (
        key if value is None else f'{key}="{escape(value)}"' for key, value in attributes.items()
    )
    return f"<{' '.join([name, *words])}>"


@dataclass
class _Option:
    start: int
    end: int
    attributes: dict[str, str | None]
    text: str = ""

    @property
    def value(self) -> str:
        value = self.attributes.get("value")
        return " ".join(self.text.split()) if value is None else value


@dataclass
class _Field:
    tag: str
    attributes: dict[str, str | None]
    start: int
    end: int
    content_end: int = 0  # of a text area
    options: list[_Option] = field(default_factory=list)

    @property
    def name(self) -> str:
        return self.attributes.get("name") or ""

    @property
    def type(self) -> str:
        return (self.attributes.get("type") or "text").lower() if self.tag == "input" else self.tag

    @property
    def value(self) -> str:
        value = self.attributes.get("value")
        return "on" if value is None and self.type in CHOSEN else value or ""

    def filled(self, form: "_Form", waiting: dict[str, list[str]], sent: Values) -> list[Edit]:
        """Return the edits of this field, and take from `waiting` what it takes."""
        mine = waiting.get(self.name, [])
        if self.type in CHOSEN:
            is_chosen = self.value in mine
            if is_chosen:
                mine.remove(self.value)
            return [self._chosen(is_chosen)]
        if self.tag == "select":
            return self._selected(mine) if self.name in sent else []
        if not mine:
            return []
        if self.type == "hidden" and form.count(self.name) > 1:
            # Of several, such as the places of a list, each stands for its own row of the page.
            if self.value in mine:
                mine.remove(self.value)
            return []
        text = mine.pop(0)
        if self.tag == "textarea":
            return [(self.end, self.content_end, "\n" + escape(text))]
        tag = _tag("input", self.attributes | {"value": text})
        return [(self.start, self.end, tag)]

    def _chosen(self, is_chosen: bool) -> Edit:
        rest = {key: value for key, value in self.attributes.items() if key != "checked"}
        return (
            self.start,
            self.end,
            _tag("input", rest | ({"checked": None} if is_chosen else {})),
        )

    def _selected(self, mine: list[str]) -> list[Edit]:
        edits: list[Edit] = []
        for option in self.options:
            rest = {key: value for key, value in option.attributes.items() if key != "selected"}
            if option.value in mine:
                mine.remove(option.value)
                rest["selected"] = None
            edits.append((option.start, option.end, _tag("option", rest)))
        return edits


@dataclass
class _Form:
    attributes: dict[str, str | None]
    start: int
    end: int
    fields: list[_Field] = field(default_factory=list)

    @property
    def action(self) -> str:
        return self.attributes.get("action") or ""

    def count(self, name: str) -> int:
        return sum(one.name == name for one in self.fields)

    def likeness(self, action: str, page: str, values: Values) -> tuple[bool, int, int]:
        """Return a score for this form where several are sent to one address.

        The same question after the path, then fields that only programs write, then names.
        """
        hidden = [one for one in self.fields if one.type == "hidden" and one.name not in OWN]
        same = sum(1 if one.value in values.get(one.name, ()) else -1 for one in hidden)
        names = {one.name for one in self.fields} & set(values)
        return (urlsplit(self.action or page).query == urlsplit(action).query, same, len(names))


class _Reader(HTMLParser):
    """Reads the forms of a page, and where their fields stand in its text."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self._html = html
        self._lines = [0, *(at + 1 for at, sign in enumerate(html) if sign == "\n")]
        self._forms: list[_Form] = []
        self._open: _Form | None = None
        self._area: _Field | None = None
        self._menu: _Field | None = None
        self._option: _Option | None = None
        self._elsewhere: list[_Field] = []  # outside of their form, which they name

    def read(self) -> list[_Form]:
        """Return the forms that are posted."""
        self.feed(self._html)
        self.close()
        named = {form.attributes.get("id"): form for form in self._forms}
        for control in self._elsewhere:
            if (form := named.get(control.attributes.get("form"))) is not None:
                form.fields.append(control)
        is_post = ((form.attributes.get("method") or "").lower() == "post" for form in self._forms)
        return [form for form, posts in zip(self._forms, is_post, strict=True) if posts]

    def _at(self) -> int:
        line, column = self.getpos()
        return self._lines[line - 1] + column

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        start = self._at()
        end = start + len(self.get_starttag_text() or "")
        attributes = dict(attrs)
        if tag == "form":
            self._open = _Form(attributes, start, end)
            self._forms.append(self._open)
        elif tag in {"input", "textarea", "select", "button"}:
            control = _Field(tag, attributes, start, end, content_end=end)
            if "form" in attributes:
                self._elsewhere.append(control)
            elif self._open is not None:
                self._open.fields.append(control)
            self._area = control if tag == "textarea" else self._area
            self._menu = control if tag == "select" else self._menu
        elif tag == "option" and self._menu is not None:
            self._option = _Option(start, end, attributes)
            self._menu.options.append(self._option)

    def handle_data(self, data: str) -> None:
        if self._option is not None:
            self._option.text += data

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self._open = None
        elif tag == "textarea" and self._area is not None:
            self._area.content_end, self._area = self._at(), None
        elif tag == "select":
            self._menu = self._option = None
        elif tag == "option":
            self._option = None
