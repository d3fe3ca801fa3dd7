"""What a question asks of one learner: its version, and of a generated one fresh numbers.

Instances are prepared ahead (by the worker's `question_pool`); here one of them is picked.
"""

import hashlib
import random
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Exists, F, OuterRef, Q

from quizzes.assessment.models import (
    Instance,
    Option,
    Question,
    QuestionVersion,
    QuizQuestion,
    Response,
)
from quizzes.learners.models import Learner


@dataclass(frozen=True)
class SelectedQuestion:
    """A question as it is asked once, with its options in the order of the file."""

    version: QuestionVersion
    instance: Instance | None
    options: tuple[Option, ...]


def draw(questions: Iterable[Question], *, learner: Learner | None) -> dict[int, SelectedQuestion]:
    """Select a version, and drawn numbers if any, for each question, by its primary key.

    Of a generated question it is numbers that this learner has not met, if there are such, else
    any. One without prepared numbers is missing. Give `current` with the questions; five queries.
    """
    chosen = _choose(list(questions), learner, random.Random())  # noqa: S311
    return _with_options(chosen)


def draw_steadily(
    questions: Iterable[Question], *, learner: Learner | None
) -> dict[int, SelectedQuestion]:
    """Return the same draw on every look until it was answered: GET saves nothing."""
    return _with_options(_choose(list(questions), learner, None))


def draw_with_mistake(
    course: int, mistake: str, *, learner: Learner | None
) -> SelectedQuestion | None:
    """Return a course's question with an option for a known mistake, with fresh numbers.

    The same on every look until it was answered; None where no question knows the mistake.
    """
    offering = Option.objects.filter(mistake=mistake, instance__isnull=False)
    offering = offering.filter(
        version__question__course=course,
        version__question__withdrawn_at=None,
        version__question__current=F("version"),
    )
    pool = list(offering.order_by("instance").values_list("instance", flat=True))
    met = Response.objects.filter(instance__in=pool).filter(
        Q(learner=learner) | Q(attempt__learner=learner)
    )
    fresh = sorted(set(pool) - set(met.values_list("instance", flat=True))) or pool
    if not fresh:
        return None
    rows = Instance.objects.select_related("version__question__course")
    instance = rows.get(pk=_one_of([pk for pk in fresh if pk], learner, None))
    return next(iter(_with_options({0: (instance.version, instance)}).values()))


def draw_pools(
    pools: Sequence[QuizQuestion], *, course: int, fixed: Collection[int], learner: Learner
) -> dict[int, list[Question]]:
    """Return the questions that each pool draws, by the pool's primary key. Two queries.

    Questions that stand in the quiz or that a pool before drew are left out; those that the learner
    has not met come first. A pool with too few questions gives what there is.
    """
    if not pools:
        return {}
    drawn_once = Exists(Instance.objects.filter(version__question=OuterRef("pk")))
    rows = Question.objects.available().filter(course=course).exclude(pk__in=fixed)
    rows = rows.filter(Q(current__generator={}) | drawn_once).select_related("current", "course")
    wanted = {pool.tag for pool in pools}
    there = [one for one in rows if one.current and wanted & set(one.current.tags)]
    mine = Response.objects.filter(Q(learner=learner) | Q(attempt__learner=learner))
    met = set(mine.filter(version__question__in=there).values_list("version__question", flat=True))
    random.shuffle(there)
    there.sort(key=lambda question: question.pk in met)
    drawn: dict[int, list[Question]] = {}
    for pool in pools:
        fitting = [one for one in there if one.current and pool.tag in one.current.tags]
        drawn[pool.pk] = fitting[: pool.draw]
        there = [one for one in there if one not in drawn[pool.pk]]
    return drawn


def shuffle_options(drawn: SelectedQuestion, randomness: random.Random) -> list[int]:
    """Return the options' primary keys in a drawn order; "none of these" stays last."""
    options = [option.pk for option in drawn.options]
    last = [options.pop()] if drawn.version.keep_last and options else []
    randomness.shuffle(options)
    return options + last


def settled_order(drawn: SelectedQuestion) -> list[int]:
    """Return the order outside of attempts: one for everybody, so that GET saves nothing."""
    seed = f"{drawn.version.question.slug} {drawn.version.number}"
    if drawn.instance is not None:
        seed += f" {drawn.instance.seed}"
    return shuffle_options(drawn, random.Random(seed))  # noqa: S311


ChosenVersions = dict[int, tuple[QuestionVersion, Instance | None]]


def _choose(
    questions: Collection[Question], learner: Learner | None, randomness: random.Random | None
) -> ChosenVersions:
    chosen: ChosenVersions = {}
    generated = []
    for question in questions:
        if question.current is None:
            continue
        question.current.question = question
        if question.current.is_generated:
            generated.append(question)
        else:
            chosen[question.pk] = (question.current, None)
    if generated:
        picked = _pick(generated, learner, randomness)
        rows = Instance.objects.select_related("version__question__course").in_bulk(picked.values())
        chosen |= {pk: (rows[one].version, rows[one]) for pk, one in picked.items() if one in rows}
    return chosen


def _pick(
    questions: Collection[Question], learner: Learner | None, randomness: random.Random | None
) -> dict[int, int]:
    """Return an instance's primary key for each question.

    While a new version has none yet, the newest that has some is asked.
    """
    pools: dict[int, dict[int, list[int]]] = defaultdict(dict)
    made = Instance.objects.filter(version__question__in=questions)
    for pk, question, version in made.order_by("version__number", "pk").values_list(
        "pk", "version__question", "version"
    ):
        pools[question].setdefault(version, []).append(pk)
    met = _met(learner, questions)
    picked = {}
    for one in questions:
        versions = pools[one.pk]
        pool = versions.get(one.current_id or 0) or next(reversed(versions.values()), [])
        if pool:
            fresh = [pk for pk in pool if pk not in met] or pool
            picked[one.pk] = _one_of(fresh, learner, randomness)
    return picked


def _one_of(pool: list[int], learner: Learner | None, randomness: random.Random | None) -> int:
    if randomness is not None:
        return randomness.choice(pool)
    who = learner.pk if learner else 0
    return min(pool, key=lambda pk: hashlib.sha256(f"{who} {pk}".encode()).digest())


def _met(learner: Learner | None, questions: Collection[Question]) -> set[int]:
    """Return the instances of these questions that a learner has been shown and asked."""
    if learner is None:
        return set()
    asked = Response.objects.filter(version__question__in=questions, instance__isnull=False)
    mine = asked.filter(Q(learner=learner) | Q(attempt__learner=learner))
    return {pk for pk in mine.values_list("instance", flat=True) if pk is not None}


def _with_options(chosen: ChosenVersions) -> dict[int, SelectedQuestion]:
    versions = [version for version, instance in chosen.values() if instance is None]
    instances = [instance for _, instance in chosen.values() if instance is not None]
    found = list(Option.objects.filter(version__in=versions, instance=None)) if versions else []
    if instances:
        found += Option.objects.filter(instance__in=instances)
    options: Mapping[tuple[int, int | None], list[Option]] = defaultdict(list)
    for option in found:
        options[option.version_id, option.instance_id].append(option)
    return {
        question: SelectedQuestion(
            version, instance, tuple(options[version.pk, instance.pk if instance else None])
        )
        for question, (version, instance) in chosen.items()
    }
