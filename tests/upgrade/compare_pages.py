"""What pages say now beside what they said, but for differences that are allowed by name."""

import difflib
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from tests.upgrade.allowed_differences import MOVED_ADDRESSES, AllowedDifference

Words = Mapping[str, Any]
Pages = Mapping[str, Mapping[str, Words]]


class PageComparison:
    """Compares pages and remembers which allowed differences were needed."""

    def __init__(self, allowed: Iterable[AllowedDifference], *, reworded: str = "(?!)") -> None:
        self._allowed = list(allowed)
        self._reworded = reworded
        self.needed: set[AllowedDifference] = set()

    def differences(self, old: Pages, new: Pages) -> list[str]:
        """Return a sentence for each line that differs, with its page."""
        return [
            f"{person} {address}: {difference}"
            for person, pages in old.items()
            for address, words in pages.items()
            for difference in self._of_page(f"{person} {address}", words, new[person][address])
        ]

    def unneeded(self) -> list[AllowedDifference]:
        return [one for one in self._allowed if one not in self.needed]

    def _of_page(self, page: str, old: Words, new: Words) -> Iterator[str]:
        allowed = [one for one in self._allowed if re.fullmatch(one.page, page)]
        if old["status"] != new["status"]:
            said = " ".join(new.get("lines", [])[:2])
            words = f"status was {old['status']}, is {new['status']}: {said}"
            yield from self._unallowed(allowed, [words])
            return
        if short(old["at"]) != short(new["at"]):
            yield from self._unallowed(allowed, [f"led to {old['at']}, leads to {new['at']}"])
        if "json" in old:
            found = different_values(old["json"], new.get("json"), "")
            yield from self._unallowed(allowed, found)
            return
        if re.fullmatch(self._reworded, page):
            return
        yield from self._lines(allowed, old["lines"], new["lines"])
        yield from self._lines(
            allowed, [short(one) for one in old["links"]], [short(one) for one in new["links"]]
        )

    def _lines(
        self, allowed: list[AllowedDifference], old: list[str], new: list[str]
    ) -> Iterator[str]:
        for one in allowed:
            if one.old and one.new:
                old = [new for line in old for new in self._changed(one, line)]
        gone = {one: one.old for one in allowed if not one.new}
        added = {one: one.new for one in allowed if not one.old}
        for line in difflib.unified_diff(old, new, lineterm="", n=0):
            if line.startswith(("---", "+++", "@@")):
                continue
            if not self._may(gone if line.startswith("-") else added, line[1:]):
                yield line

    def _may(self, patterns: Mapping[AllowedDifference, str], line: str) -> bool:
        fitting = [one for one, pattern in patterns.items() if re.fullmatch(pattern, line)]
        self.needed.update(fitting)
        return bool(fitting)

    def _changed(self, one: AllowedDifference, line: str) -> list[str]:
        match = re.fullmatch(one.old, line)
        if match is None:
            return [line]
        self.needed.add(one)
        return match.expand(one.new).splitlines()

    def _unallowed(self, allowed: list[AllowedDifference], found: Iterable[str]) -> Iterator[str]:
        for difference in found:
            fitting = next((one for one in allowed if re.fullmatch(one.old, difference)), None)
            if fitting is None:
                yield difference
            else:
                self.needed.add(fitting)


def short(address: str) -> str:
    """Return an address, and the one to go back to in it, as it was with one course."""
    path, mark, back = address.partition("?next=")
    for now, then in MOVED_ADDRESSES:
        if path.startswith(now):
            path = then + path.removeprefix(now)
            break
    return path + mark + (short(back) if back else "")


def different_values(old: Any, new: Any, place: str) -> Iterator[str]:
    """Yield where JSON says something else or less; more keys of an object are no difference."""
    if isinstance(old, dict) and isinstance(new, dict):
        for key, value in old.items():
            if key not in new:
                yield f"{place}.{key}: is gone"
            else:
                yield from different_values(value, new[key], f"{place}.{key}")
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for number, (one, other) in enumerate(zip(old, new, strict=True)):
            yield from different_values(one, other, f"{place}[{number}]")
    elif isinstance(old, str) and isinstance(new, str):
        if short(old) != short(new):
            yield f"{place}: was {old!r:.80}, is {new!r:.80}"
    elif old != new:
        yield f"{place}: was {old!r:.80}, is {new!r:.80}"
