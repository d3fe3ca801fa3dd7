"""Pages as a browser lays them out: spaces that nobody sees are gone.

Tests compare with the text of a page; where a template breaks its lines is not theirs.
"""

import re
from functools import lru_cache
from typing import Any

from django.test import Client

# Between these, and at their inner edges, space is nothing.
BLOCKS = frozenset(
    re.findall(
        r"\w+",
        "address article aside blockquote body br button caption col colgroup dd details dialog div"
        " dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 head header hgroup hr html"
        " label legend li link main menu meta nav ol optgroup option p picture section select"
        " source summary svg table tbody td tfoot th thead title tr ul",
    )
)
PART = re.compile(
    r"(?P<whole><!--.*?-->|<(?P<name>pre|script|style|template|textarea)\b.*?</(?P=name)>)"
    r"""|(?P<tag></?(?P<element>[a-z][\w:-]*)(?:"[^"]*"|'[^']*'|[^>"'])*>)|[^<]+|<""",
    re.DOTALL | re.IGNORECASE,
)
SPACE = re.compile(r"[ \t\n\r\f]+")
IN_TAG = re.compile(r"""("[^"]*"|'[^']*')|\s*/?>$|[ \t\n\r\f]+""")


def collapse_spaces(page: str) -> str:
    """Return HTML with the spaces that a browser shows."""
    parts: list[str] = []
    after_space = True
    for match in PART.finditer(page):
        part, kind = match[0], match.lastgroup
        if kind == "whole":
            after_space = False
        elif kind == "tag":
            part = _collapse_tag(part) if "\n" in part else part
            if match["element"].lower() in BLOCKS:
                while parts and parts[-1] == " ":
                    parts.pop()
                if parts and not parts[-1].endswith(">"):
                    parts[-1] = parts[-1].rstrip(" ")
                after_space = True
        else:
            part = SPACE.sub(" ", part)
            part = part.removeprefix(" ") if after_space else part
            after_space = part.endswith(" ") or (after_space and not part)
        if part:
            parts.append(part)
    return "".join(parts)


@lru_cache(maxsize=4096)  # the tags of the frame are those of every page
def _collapse_tag(tag: str) -> str:
    return IN_TAG.sub(
        lambda match: match[0] if match[1] and "\n" not in match[1] else SPACE.sub(" ", match[0]),
        tag,
    ).replace(" >", ">")


def read_pages_as_laid_out() -> None:
    """Have every test client answer with collapsed pages."""
    request = Client.request

    def collapsed(self: Client, **environ: Any) -> Any:
        answer = request(self, **environ)
        is_page = answer.headers.get("Content-Type", "").startswith("text/html")
        if is_page and not answer.streaming and not answer.headers.get("Content-Encoding"):
            answer.content = collapse_spaces(answer.content.decode()).encode()
        return answer

    Client.request = collapsed  # type: ignore[method-assign]
