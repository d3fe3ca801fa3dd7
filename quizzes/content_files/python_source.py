"""Python that an author wrote, looked at without running any of it.

The compiler ends with an error of its own on text that is nested beyond it, so that no program
harms whoever only compiles it.
"""

from __future__ import annotations

import re
import symtable
import warnings

# What can define a name in a way that only running shows.
_UNSEEN = re.compile(
    r"\bimport\s*\*|\b(?:exec|eval|globals|vars|setattr|__import__)\s*\(|\bglobal\b"
)


def find_syntax_error(source: str) -> tuple[int, str] | None:
    """Return the line and the words of the first error of form, None where there is none."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # an odd escape is not for the terminal of the site
            compile(source, "<author>", "exec", dont_inherit=True)
    except SyntaxError as error:
        return error.lineno or 1, f"the program cannot be read: {error.msg}"
    except (ValueError, RecursionError, MemoryError) as error:
        words = str(error) or "it is nested too deep"
        return 1, f"the program cannot be read: {words}"
    return None


def defines(source: str, name: str) -> bool:
    """Say whether a program that compiles defines a name, or may do so when it runs."""
    if _UNSEEN.search(source):
        return True
    try:
        symbol = symtable.symtable(source, "<author>", "exec").lookup(name)
    except KeyError:
        return False
    return symbol.is_assigned() or symbol.is_imported()
