"""The code of a demo class: the exercise's own, and a mistake that no known one names.

Code of the exercise's own files has the verdict that its verification found for it. The other code
is graded by a worker, as everybody's is: it gives the group of This week that an instructor can
name.
"""

import random
import re
import uuid
from collections.abc import Callable, Iterable, Sequence
from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from quizzes.classes.access import submissions_seen
from quizzes.classes.demo.work import moment_in
from quizzes.classes.models import Assignment, Cohort, Membership
from quizzes.exercises.models import ExerciseVersion, Submission
from quizzes.exercises.queue.engine import engine
from quizzes.exercises.services import grade_again
from quizzes.grader.api import Verdict
from quizzes.grader.judge import KnownMistake, Report
from quizzes.learners.models import Learner

UNNAMED = 7  # students who make the mistake without a name
NAMES = ("angle", "theta", "phase", "phi", "arg", "turn", "wave")  # theirs, for the angles
_WAVE = re.compile(r"\b(?P<library>np|torch|math)\.(?:sin|cos)\(")
_OWN_NAME = re.compile(r"\bangles\b")


def own_submissions(
    assignment: Assignment, members: Iterable[Membership], draw: random.Random
) -> Iterable[Submission]:
    """Yield what members submitted: some of the exercise's wrong solutions, then the right one."""
    assert assignment.exercise is not None
    version = assignment.exercise.current
    pack = version.packs.filter(is_reserved=False).first() if version else None
    if version is None or pack is None:
        return  # it was never verified, so nobody could have submitted anything
    variants = version.definition.wrong
    wrong = sorted(f"wrong/{slug}.py" for slug in variants if variants[slug].kind == "mistake")
    learners = _learners_of(members)
    total, counts = _verified_counts(version)
    for member in members:
        skill = draw.random()
        if skill < 0.25:
            continue
        at = moment_in(assignment, draw)
        names = [draw.choice(wrong) for _ in range(draw.randint(0, 3)) if wrong]
        names += ["reference.py"] * (skill > 0.45 or not names)
        for place, name in enumerate(names):
            is_right = name == "reference.py"
            passed = total if is_right else draw.randint(1, total - 1)
            slug = name.removeprefix("wrong/").removesuffix(".py")
            passed = counts.get(slug, passed)
            mistake = None if is_right else _mistake(version, slug)
            verdict = Verdict.CORRECT if is_right else Verdict.KNOWN_MISTAKE
            report = Report(verdict, known_mistake=mistake, cases_passed=passed, cases_total=total)
            sent = at - timedelta(minutes=20 * (len(names) - place))
            yield Submission(
                exercise_version=version,
                learner_id=learners[member.user_id],
                kind=Submission.Kind.SUBMIT,
                key=uuid.UUID(int=draw.getrandbits(128), version=4),
                code=version.files[name],
                submitted_at=sent,
                graded_at=sent + timedelta(seconds=1),
                verdict=verdict.value,
                report=report.as_json(),
                known_mistake=mistake.slug if mistake else "",
                cases_passed=passed,
                cases_total=total,
                pack=pack,
                tries_used=1,
            )


def _verified_counts(version: ExerciseVersion) -> tuple[int, dict[str, int]]:
    """Return how many cases a version has, and how many each known mistake passes.

    Others would be news in the preview of a regrade. Without a proof, 10 and nothing.
    """
    proof = version.proof or {"cases": [None] * 10, "variants": []}
    total = len(proof["cases"])
    return total, {row["slug"]: total - row["caught_by"] for row in proof["variants"]}


def _mistake(version: ExerciseVersion, slug: str) -> KnownMistake:
    variant = version.definition.wrong[slug]
    return KnownMistake(slug, variant.kind, variant.sentence, variant.step, variant.breaks)


def grade_newest_again(cohort: Cohort, *, rest: Callable[[], None] | None = None) -> int:
    """Leave the newest code of each known mistake to the workers; return how much that is.

    With `rest`, which is called before each, one after the other.

    The pictures of what code gives come from grading, and This week shows those of the newest.
    """
    made = submissions_seen(cohort).exclude(known_mistake="").order_by("submitted_at", "pk")
    newest = {(row.exercise_version_id, row.known_mistake): row for row in made}
    count = 0
    for row in newest.values():
        if rest:
            rest()
        count += grade_again(submission=row)
    return count


def submit_unnamed_mistake(
    coding: Sequence[Assignment], members: Sequence[Membership], rest: Callable[[], None]
) -> int:
    """Submit code of seven students that makes a mistake without a name; return how many did.

    For the first exercise whose reference has a sine: these students take its argument for
    half turns. They had submitted nothing to it. Workers grade the code, after `rest` each.
    """
    for assignment in coding:
        assert assignment.exercise is not None
        version = assignment.exercise.current
        wrong = _in_half_turns(version.files["reference.py"]) if version else ""
        if version is None or not wrong:
            continue
        busy = version.submissions.values_list("learner", flat=True)
        learners = [pk for pk in _learners_of(members).values() if pk not in set(busy)]
        for place, learner in enumerate(learners[:UNNAMED]):
            rest()
            now = timezone.now()
            row = Submission(
                exercise_version=version,
                learner_id=learner,
                kind=Submission.Kind.SUBMIT,
                code=_in_own_words(wrong, place),
                submitted_at=now,
                scheduled_for=now,
            )
            with transaction.atomic():
                row.save()
                engine().put(row)
        return len(learners[:UNNAMED])
    return 0


def _in_half_turns(reference: str) -> str:
    """Return the code with every sine and cosine of half turns; "" without any."""
    wrong, count = _WAVE.subn(r"\g<0>\g<library>.pi * ", reference)
    return wrong if count else ""


def _in_own_words(code: str, place: int) -> str:
    """Return the same program as another student writes it."""
    name = NAMES[place % len(NAMES)]
    return f"# my try: {name}\n{_OWN_NAME.sub(name, code)}"


def _learners_of(members: Iterable[Membership]) -> dict[int | None, int]:
    """Return the keys of the members' learners by those of their accounts."""
    users = [member.user_id for member in members]
    return dict(Learner.objects.filter(user__in=users).order_by("pk").values_list("user", "pk"))
