"""Say whether every package of this environment is completely there (exit 0) or not (exit 1).

Asked after an interrupted installation: pip takes a package whose files were half written for an
installed one. A package is whole when its RECORD exists and each file has the size noted there.
"""

import csv
import sys
import sysconfig
from pathlib import Path


def missing(site: Path) -> str | None:
    """Return the first file that is absent or of another size, or None."""
    for metadata in site.glob("*.dist-info"):
        record = metadata / "RECORD"
        if not record.exists():
            return str(record)
        with record.open(newline="") as lines:
            for name, _, size in csv.reader(lines):
                if size and not has_size(site / name, int(size)):
                    return str(site / name)
    return None


def has_size(path: Path, size: int) -> bool:
    try:
        return path.stat().st_size == size
    except OSError:
        return False


if __name__ == "__main__":
    broken = missing(Path(sysconfig.get_path("purelib")))
    if broken:
        print(f"incomplete: {broken}")
    sys.exit(1 if broken else 0)
