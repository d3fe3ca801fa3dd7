"""What stands beside an author's generate.py in the sandbox: drawing one question from one seed.

Never imported: `run_generator` sends this text with the author's, and before it `_FILES`, the files
of the exercise that the question names, and `_HEADER_READER`, the text of the grader's reader of
their headers. It knows numpy and the standard library; `exercise` gives generate() the reference
and the known mistakes of an exercise, so that a distractor is what a mistake in code gives.

The reason of such a distractor is `Number` of the header, which says in plain words what the number
is. What code is told would accuse a learner of a program that nobody wrote. A mistake without
`Number` is not offered.
"""

import functools
import json
from collections.abc import Callable, Collection, Mapping
from typing import Any

import numpy as np

generate: Callable[..., Any]  # the author's, which stands before this text
_FILES: Mapping[str, str]  # of the exercise, empty without one; stands before this text too
_HEADER_READER: str  # a Python file, which stands before this text as well

# In a namespace of its own: none of its names may replace one of the author's.
_reader: dict[str, Any] = {}
exec(compile(_HEADER_READER, "variant_header.py", "exec"), _reader)  # noqa: F821, S102 - this is the sandbox


class Mistake:
    """One known mistake: `name` is "<exercise>/<variant>", `sentence` what code is told.

    `number`: what a question says of the number that it gives, "" where none shall offer it. A
    header of the older form has the sentence for both.
    """

    def __init__(self, exercise: str, slug: str, source: str, function_name: str) -> None:
        header, _ = _reader["read_variant_header"](source)
        self.slug = slug
        self.name = f"{exercise}/{slug}"
        self.sentence: str = header.sentence
        self.number: str = header.reason
        self.requirement: str = header.breaks
        self.run = _function(source, function_name, f"wrong/{slug}.py")


class Exercise:
    """An exercise's reference and its known mistakes, ready to be called."""

    def __init__(self, files: Mapping[str, str]) -> None:
        self.slug = files["exercise"]
        self.reference = _function(files["reference.py"], files["name"], "reference.py")
        self.mistakes = {
            path[6:-3]: Mistake(self.slug, path[6:-3], source, files["name"])
            for path, source in files.items()
            if path.startswith("wrong/")
        }

    def mistaken(
        self,
        pick: Callable[[Any], Any],
        only: Collection[str] | None = None,
        without: Collection[str] = (),
        **call: Any,
    ) -> list[dict[str, Any]]:
        """Return the result of each known mistake: a list of dicts with value, reason, mistake.

        `pick` takes the number out of what the function returns. A mistake that has no words for
        its number, raises here, or gives no finite number is left out. `only` and `without` name
        variants.
        """
        found = []
        for slug, mistake in self.mistakes.items():
            if slug in without or (only is not None and slug not in only) or not mistake.number:
                continue
            try:
                value = float(pick(mistake.run(**call)))
            except Exception:  # noqa: S112 - an index that this variant does not have, an error it makes
                continue
            if np.isfinite(value):
                found.append({"value": value, "reason": mistake.number, "mistake": mistake.name})
        return found


def _function(source: str, name: str, path: str) -> Any:
    names: dict[str, Any] = {}
    exec(compile(source, path, "exec", dont_inherit=True), names)  # noqa: S102 - this is the sandbox
    return names[name]


def _plain(value: Any) -> Any:
    """Return numpy's numbers and arrays as JSON knows them."""
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, np.generic):
        return value.item()
    raise TypeError(f"generate() returned a {type(value).__name__}, expected text and numbers")


@functools.cache
def _exercise() -> Exercise | None:
    """Return the exercise, made at the first call: where it fails, a seed is told with it."""
    return Exercise(_FILES) if "exercise" in _FILES else None  # noqa: F821


def main(seed: int) -> str:
    """Return the JSON of what generate(rng, exercise) returns for this seed."""
    with np.errstate(all="ignore"):  # what a mistake overflows is its own affair
        question = generate(np.random.default_rng(seed), _exercise())  # noqa: F821
    return json.dumps(question, default=_plain, allow_nan=False)
