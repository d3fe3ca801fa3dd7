"""What a draw found, as plain values: the first questions, refused seeds, and counts over all.

    {"questions": [...], "refused": [[seed, reason], ...], "counts": {...}}

A learner who knows nothing can still take the longest option, or the smallest of four numbers. How
often the key is that is counted over the questions where it can be said; a tie tells nothing.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from quizzes.assessment.generator.generated_question import Generated, GeneratedOption
from quizzes.assessment.generator.run_generator import RefusedSeed
from quizzes.assessment.option_lengths import count_longest
from quizzes.grader.definitions import read_variant_header

SHOWN = 8  # questions, side by side
_WRONG = "wrong/"


def report_of(
    files: Mapping[str, str], drawn: Sequence[Generated], refused: Sequence[RefusedSeed]
) -> dict[str, Any]:
    """Return the report of a draw. `files`: the generator's, as a version stores them."""
    return {
        "questions": [asdict(question) for question in drawn if question.seed <= SHOWN],
        "refused": [[seed.seed, seed.reason] for seed in refused],
        "counts": _counts(files, drawn),
    }


def questions_in(report: Mapping[str, Any]) -> list[Generated]:
    """Return the questions of a report, with the seeds that made them."""
    return [
        Generated(
            **{
                **question,
                "options": tuple(GeneratedOption(**option) for option in question["options"]),
            }
        )
        for question in report.get("questions", ())
    ]


def _counts(files: Mapping[str, str], drawn: Sequence[Generated]) -> dict[str, Any]:
    longest = count_longest(question.options for question in drawn)
    places = Counter(place for question in drawn if (place := _place_of_key(question)) is not None)
    offered = Counter(name for question in drawn for name in _mistakes(question))
    return {
        "questions": len(drawn),
        "different": len(
            {(question.prompt, str(question.answer), question.options) for question in drawn}
        ),
        "longest": [longest.longest, longest.questions],
        "place": _most_frequent(places),
        "offered": dict.fromkeys(_offerable(files), 0) | dict(offered),
    }


def _place_of_key(made: Generated) -> tuple[int, int] | None:
    """Return where the key's number stands among those of all options, from 1, and of how many.

    None where an option has no number, or the same as the key, or shows a picture in its place.
    """
    if any(option.picture for option in made.options):
        return None
    values = [option.value for option in made.options if option.value is not None]
    keys = [option.value for option in made.options if option.is_key and option.value is not None]
    if not keys or len(values) != len(made.options) or values.count(keys[0]) > 1:
        return None
    return sum(value <= keys[0] for value in values), len(values)


def _most_frequent(places: Counter[tuple[int, int]]) -> dict[str, int]:
    """Return the place that the key has most often, how often, and of how many; {} for none."""
    if not places:
        return {}
    (place, options), times = places.most_common(1)[0]
    return {"place": place, "options": options, "times": times, "of": places.total()}


def _mistakes(made: Generated) -> set[str]:
    """Return the known mistakes that one question offers."""
    near = made.answer.get("near", ()) if made.answer else ()
    named = [option.mistake for option in made.options] + [miss["mistake"] for miss in near]
    return set(named) - {""}


def _offerable(files: Mapping[str, str]) -> Iterator[str]:
    """Yield the mistakes of the exercise that have words for a number, and so can be offered."""
    for path, source in files.items():
        if path.startswith(_WRONG) and read_variant_header(source)[0].reason:
            yield f"{files['exercise']}/{path.removeprefix(_WRONG).removesuffix('.py')}"
