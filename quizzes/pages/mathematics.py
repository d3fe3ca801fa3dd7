"""LaTeX to MathML, in this one place.

math-core writes inline styles, which the site's content policy drops; they are mapped to the
classes of static/css/pages.css here. A formula that needs any other style is refused.
"""

import re
from functools import lru_cache

from django.utils.safestring import SafeString, mark_safe
from math_core import LatexError, LatexToMathML

MAX_FORMULA = 2_000  # characters; the longest formula of the course has about 200

_CLASSES = {
    "text-align: right;justify-items: end": "m-end",
    "text-align: left;justify-items: start": "m-start",
    "padding-left: 0": "m-no-left",
    "padding-right: 0": "m-no-right",
    "padding-left:1em": "m-gap-left",
    "border-top: 0.05em solid currentcolor": "m-line-top",
    "border-right: 0.05em solid currentcolor": "m-line-right",
    "border-bottom: 0.05em solid currentcolor": "m-line-bottom",
    "border-left: 0.05em solid currentcolor": "m-line-left",
    "margin-left:-0.16666667em": "m-thin-back",
    "width: 100%": "m-whole",
    "width: 50%": "m-half",
}
_TAG_WORDS = (
    "math mfrac mi mmultiscripts mn mo mover mpadded mphantom mprescripts mroot mrow mspace msqrt"
    " mstyle msub msubsup msup mtable mtd mtext mtr munder munderover"
)
_TAGS = frozenset(_TAG_WORDS.split())
_STYLE = re.compile(r' style="([^"]*)"')
_TAG = re.compile(r"<([a-z]+)")
_ROOT_OF_ONE_LINE = re.compile(
    r"<msqrt>(?=(?:<m[ino](?: [^>]*)?>[^<]*</m[ino]>|</?mrow>)+</msqrt>)"
)


class FormulaError(ValueError):
    """A formula that cannot be shown; the message says why."""


@lru_cache(maxsize=4096)
def mathml(latex: str, *, display: bool) -> SafeString:
    """Return a formula as MathML without scripts or inline styles, safe to stand in a page.

    Raises FormulaError.
    """
    if len(latex) > MAX_FORMULA:
        raise FormulaError(f"formula of {len(latex)} characters, at most {MAX_FORMULA} are allowed")
    # A fresh converter: one that has thrown or defined a macro must not colour the next formula.
    converter = LatexToMathML(fancy_error=False)
    try:
        found = converter.convert_with_local_state(latex.strip(), displaystyle=display)
    except LatexError as error:
        place, _, reason = str(error).partition(": ")
        raise FormulaError(f"formula ${latex}$: {reason} (character {place})") from error
    strange = {tag for tag in _TAG.findall(found) if tag not in _TAGS}
    if strange:
        raise FormulaError(
            f"formula ${latex}$: makes <{min(strange)}>, which not all browsers draw"
        )
    classed = _STYLE.sub(lambda style: _classes(style[1], latex), found)
    # Safe: the converter escapes all text, and knows no command that makes an address or a script.
    return mark_safe(_ROOT_OF_ONE_LINE.sub('<msqrt class="m-root">', classed))  # noqa: S308


def _classes(style: str, latex: str) -> str:
    """Return the class attribute that replaces an inline style."""
    rest, classes = style.rstrip(";"), []
    for declaration, name in _CLASSES.items():
        if declaration in rest:
            rest = rest.replace(declaration, "", 1)
            classes.append(name)
    if rest.strip("; "):
        raise FormulaError(f"formula ${latex}$: asks for “{rest.strip('; ')}”, which has no class")
    return f' class="{" ".join(classes)}"'
