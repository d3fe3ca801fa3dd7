"""Write the table of work into docs/architecture.md, as the code has it.

Usage: python tools/work_table.py. A test fails while table and code differ.
"""

import os
import re
import sys
from dataclasses import astuple
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "architecture.md"
HEADING = "| work | sandbox | lane | its turn | bound | kept |\n|---|---|---|---|---|---|\n"


def with_table(text: str) -> str:
    """Return the page with the table that the code has now. Django must be set up."""
    from quizzes.worker.work import KINDS

    rows = "".join(f"| {' | '.join(astuple(work))} |\n" for work in KINDS)
    return re.sub(f"{re.escape(HEADING)}(\\|.*\n)*", lambda _: HEADING + rows, text)


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
