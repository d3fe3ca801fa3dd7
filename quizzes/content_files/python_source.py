"""Python that an author wrote, looked at without running any of it.

The compiler ends with an error of its own on text that is nested beyond it, so that no program
harms a process that only compiles it.
"""

from __future__ import annotations

import ast
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
        words = str(error) or "it is nested too deeply"
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


def line_of_wrong_parameters(source: str, name: str, *, count: int) -> int:
    """Return the line of the function `name` if `count` values cannot be given to it, else 0.

    Looked at is one plain `def` at the top of a program that compiles; what is decorated or bound
    in another way shows its parameters only when it runs.
    """
    try:
        bound = [one for one in ast.parse(source).body if name in _names_bound(one)]
    except (RecursionError, MemoryError):
        return 0
    if len(bound) != 1 or not isinstance(bound[0], ast.FunctionDef) or bound[0].decorator_list:
        return 0
    given = bound[0].args
    places = len(given.posonlyargs) + len(given.args)
    fewest, most = places - len(given.defaults), float("inf") if given.vararg else places
    needs_names = any(default is None for default in given.kw_defaults)
    return 0 if fewest <= count <= most and not needs_names else bound[0].lineno


def _names_bound(statement: ast.stmt) -> set[str]:
    if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return {statement.name}
    return {
        one.id
        for one in ast.walk(statement)
        if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)
    }
