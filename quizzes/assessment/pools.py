"""Pools of a quiz: places that draw some of the questions with a tag, new ones for each attempt.

A draw leaves out the questions that stand in the quiz themselves and those that a pool before it
drew. Here is counted, before anybody begins, whether each pool can always fill its places.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence


def pool_problems(
    pools: Sequence[tuple[int, str]], fixed: Collection[str], tags: Mapping[str, Collection[str]]
) -> Iterator[tuple[int, str]]:
    """Yield (number of the pool from 0, fault) for each pool that may find too few questions.

    `pools` are (how many, tag) in the order of the quiz, `tags` those of every question that can
    be drawn, by its name. A pool before it may take any of the questions that both know.
    """
    free = {slug: set(of) for slug, of in tags.items() if slug not in fixed}
    known = [{slug for slug, of in free.items() if tag in of} for _, tag in pools]
    for number, (wanted, tag) in enumerate(pools):
        taken = sum(
            min(pools[before][0], len(known[before] & known[number])) for before in range(number)
        )
        left = len(known[number]) - taken
        if left >= wanted:
            continue
        tagged = sum(tag in of for of in tags.values())
        standing = tagged - len(known[number])
        words = f"needs {wanted} questions with the tag {tag!r}, but only {max(left, 0)} are left:"
        words += f" {tagged} questions have the tag"
        words += f", {standing} of them are already in the quiz" if standing else ""
        words += f", up to {taken} are drawn by earlier pools" if taken else ""
        yield number, words
