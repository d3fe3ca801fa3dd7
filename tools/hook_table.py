"""Write the table of hooks into docs/architecture.md, as the code has it.

Usage: python tools/hook_table.py. A test fails while table and code differ.
"""

import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "architecture.md"
HEADING = "| hook | filled by | what it does |\n|---|---|---|\n"


def hooks() -> list[Any]:
    """Return every hook that a module of the site declares, by name. Django must be set up."""
    from quizzes.hooks import Hook, full_name

    return sorted({value for _, value in module_values() if type(value) is Hook}, key=full_name)


def module_values() -> Iterator[tuple[str, Any]]:
    """Yield everything that a module of the site names, with that name."""
    for module in [name for name in sorted(sys.modules) if name.startswith("quizzes.")]:
        for name, value in list(vars(sys.modules[module]).items()):
            yield f"{module.removeprefix('quizzes.')}.{name}", value


def filling_of(hook: Any) -> str:
    """Return the name of what fills a hook: a function, or an object that can be called."""
    from quizzes.hooks import full_name

    if hasattr(hook.filling, "__name__"):
        return full_name(hook.filling)
    return next(name for name, value in module_values() if value is hook.filling)


def with_table(text: str) -> str:
    """Return the page with the table that the code has now."""
    from quizzes.hooks import full_name

    rows = [
        f"| `{full_name(hook)}` | `{filling_of(hook)}` | {hook.__doc__.splitlines()[0]} |\n"
        for hook in hooks()
    ]
    return re.sub(f"{re.escape(HEADING)}(\\|.*\n)*", lambda _: HEADING + "".join(rows), text)


def main() -> None:
    """Replace the table."""
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "quizzes.config.settings")
    os.environ.setdefault("ORDINAL_ENV", "development")
    django.setup()
    PAGE.write_text(with_table(PAGE.read_text()))


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    main()
