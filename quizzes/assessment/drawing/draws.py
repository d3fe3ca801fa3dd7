"""A draw of the generator that is being written: asked for, stopped, and what it proves.

A generated question is published only when its generator, with the exercise as learners get it, was
drawn without a fault. What was drawn then are the first numbers of the new version, so that it can
be asked at once.
"""

from typing import Any

from django.db import transaction
from django.utils import timezone

from quizzes.assessment.drawing.report import questions_in
from quizzes.assessment.generator.instances import copy_instances, store_instance
from quizzes.assessment.models import Question, QuestionDraw, QuestionVersion
from quizzes.assessment.sources import QuestionSource
from quizzes.content_files.stored_hashes import hash_of
from quizzes.learners.models import User

FEW, MANY = 8, 200  # seeds
State = QuestionDraw.State


class DrawRefusedError(Exception):
    """A draw cannot begin; the message says why."""


def mark_of(kind: str, generator: Any) -> str:
    """Return the hash of all that a draw depends on."""
    return hash_of([kind, dict(generator)])


@transaction.atomic
def ask_for_draw(question: Question, source: QuestionSource, *, seeds: int, by: User) -> None:
    """Have a worker draw what is written. Raises DrawRefusedError while another of theirs waits."""
    User.objects.select_for_update(no_key=True).get(pk=by.pk)
    theirs = QuestionDraw.objects.filter(requested_by=by, state=State.WAITING)
    if other := theirs.exclude(question=question).select_related("question").first():
        raise DrawRefusedError(
            f"Your question {other.question.slug} is being drawn. Wait until that is done."
        )
    mark = mark_of(source.kind, source.generator)
    same = QuestionDraw.objects.filter(question=question, mark=mark, state=State.WAITING)
    if same.filter(seeds=seeds).exists():
        return
    QuestionDraw.objects.update_or_create(
        question=question,
        defaults={
            "kind": source.kind,
            "files": dict(source.generator),
            "mark": mark,
            "seeds": seeds,
            "done": 0,
            "state": State.WAITING,
            "requested_at": timezone.now(),
            "requested_by": by,
            "tries_used": 0,
            "leased_until": None,
            "report": {},
            "problems": [],
        },
    )


def stop_draw(question: Question) -> bool:
    """Stop the draw of a question; return whether one was waiting or being drawn."""
    return bool(QuestionDraw.objects.filter(question=question, state=State.WAITING).delete()[0])


def draw_of(question: Question) -> QuestionDraw | None:
    """Return the newest draw of a question. One query."""
    return QuestionDraw.objects.filter(question=question).first()


def is_drawn(question: Question, source: QuestionSource) -> bool:
    """Say whether a question needs no draw, or was drawn without a fault. One query at most."""
    if not source.generator:
        return True
    if _has_same_program(question.current, source):
        return True
    mark = mark_of(source.kind, source.generator)
    rows = QuestionDraw.objects.filter(question=question, mark=mark, state=State.DRAWN)
    return rows.exists()


def _has_same_program(version: QuestionVersion | None, source: QuestionSource) -> bool:
    """Say whether learners are asked numbers of the same generator now."""
    if version is None or version.problem or version.kind != source.kind:
        return False
    return bool(version.generator == dict(source.generator))


def take_drawn(version: QuestionVersion, former: QuestionVersion | None) -> None:
    """Give a version its first numbers: what was drawn, or those of `former`, before a new one."""
    draw = draw_of(version.question)
    if draw and draw.state == State.DRAWN and draw.mark == mark_of(version.kind, version.generator):
        for made in questions_in(draw.report):
            store_instance(version, made)
        if version.problem:  # of an earlier try: this one had no fault
            version.problem = ""
            version.save(update_fields=["problem"])
    elif former is not None and former.generator == version.generator:
        copy_instances(former, version)
