"""The size of tables with their indexes, on SQLite and on PostgreSQL."""

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from urllib.parse import urlsplit

PAGES_OF = """
SELECT COALESCE(SUM(dbstat.pgsize), 0) FROM dbstat JOIN sqlite_master USING (name)
WHERE sqlite_master.tbl_name = ?
"""


def bytes_of(url: str, tables: Sequence[str], *, vacuum: bool = False) -> int:
    """Return the bytes of these tables, after a VACUUM (FULL) if it is asked for."""
    if url.startswith("sqlite"):
        with closing(sqlite3.connect(urlsplit(url).path, timeout=60)) as file:
            if vacuum:
                file.execute("VACUUM")
            return sum(file.execute(PAGES_OF, [table]).fetchone()[0] for table in tables)
    import psycopg

    with psycopg.connect(url, autocommit=True) as server:
        total = 0
        for table in tables:
            if vacuum:
                server.execute(f"VACUUM FULL {table}")  # type: ignore[call-overload]
            row = server.execute("SELECT pg_total_relation_size(%s)", [table]).fetchone()
            assert row is not None
            total += row[0]
        return total
