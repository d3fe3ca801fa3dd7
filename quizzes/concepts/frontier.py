"""Decide what of a concept map can be learned next, by the names of concepts alone.

The map and the next thing both ask here. What counts as practised they decide themselves, and
differ in two points: the next thing gives no result away, so code that a class hides was not tried;
and there an answer about a step off the path counts as well.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence


def ready_to_learn(
    requires: Mapping[str, Collection[str]], practised: Collection[str]
) -> Iterator[str]:
    """Yield the concepts not practised, all of whose needs are, in their order."""
    for slug, needs in requires.items():
        if slug not in practised and all(needed in practised for needed in needs):
            yield slug


def needs_on_path(requires: Sequence[str], off_path: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """Yield what a concept needs; instead of one off the path, what that one needs.

    `off_path` has the needs of each concept off the path, which is never next and blocks nothing.
    """
    for slug in requires:
        if slug in off_path:
            yield from needs_on_path(off_path[slug], off_path)
        else:
            yield slug
