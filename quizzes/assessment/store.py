"""Storing questions as versions and quizzes as orders of questions, and saying what is stored."""

from collections.abc import Iterable, Mapping
from typing import Any

from django.db.models import Exists, Max, OuterRef, QuerySet

from quizzes.assessment.canonical_files import QUIZ_FILE, quiz_file
from quizzes.assessment.generator.instances import copy_instances
from quizzes.assessment.models import (
    Option,
    Question,
    QuestionVersion,
    Quiz,
    QuizQuestion,
    Response,
)
from quizzes.assessment.sources import (
    QuestionSource,
    QuizSource,
    place_content,
    quiz_content,
    quiz_hash,
)
from quizzes.content_files.stored_hashes import Stored
from quizzes.courses.editions import add_edition
from quizzes.courses.models import Course
from quizzes.learners.models import User


def stored_questions(course: Course) -> Mapping[str, Stored]:
    """Return the hashes of a course's questions. One query."""
    rows = Question.objects.filter(course=course).values_list(
        "slug", "loaded_hash", "current__content_hash", "withdrawn_at"
    )
    return {slug: Stored(loaded, now or "", at is not None) for slug, loaded, now, at in rows}


def stored_quizzes(course: Course) -> Mapping[str, Stored]:
    """Return the hashes of a course's quizzes. Two queries."""
    rows = Quiz.objects.filter(course=course).prefetch_related("places__question")
    return {quiz.slug: stored_quiz(quiz) for quiz in rows}


def stored_quiz(quiz: Quiz) -> Stored:
    """Return the hashes of a quiz that was read with its places and questions. No query."""
    return Stored(
        quiz.loaded_hash,
        quiz_hash(content_of_quiz(quiz, quiz.places.all())) if quiz.is_published else "",
        quiz.withdrawn_at is not None,
    )


def save_question(course: Course, source: QuestionSource) -> str:
    """Store a question; new content makes a new version, known content brings its version back.

    Return "created", "updated" or "unchanged".
    """
    question, made = Question.objects.get_or_create(course=course, slug=source.slug)
    content_hash = source.content_hash
    version = question.versions.filter(content_hash=content_hash).first()
    same = version and question.current == version and question.loaded_hash == content_hash
    if same and question.withdrawn_at is None:
        return "unchanged"
    Question.objects.filter(pk=question.pk).update(
        current=version or new_version(question, source),
        loaded_hash=content_hash,
        withdrawn_at=None,
    )
    return "created" if made else "updated"


def save_quiz(course: Course, source: QuizSource) -> str:
    """Store a quiz as published. Attempts keep what they began with. Return as `save_question`."""
    quiz, is_new = Quiz.objects.get_or_create(
        course=course, slug=source.slug, defaults={"is_published": False}
    )
    content_hash = source.content_hash
    same = stored_quiz_hash(quiz) == quiz.loaded_hash == content_hash
    if same and quiz.withdrawn_at is None:
        return "unchanged"
    if not same:
        put_quiz(quiz, source, from_files=True)
    Quiz.objects.filter(pk=quiz.pk).update(loaded_hash=content_hash, withdrawn_at=None)
    return "created" if is_new else "updated"


def put_quiz(quiz: Quiz, source: QuizSource, **facts: Any) -> None:
    """Give a quiz its title, summary, rules and places, and let learners find it.

    `facts` say in its edition who did so, as `add_edition` has them.
    """
    if quiz.is_published:
        add_quiz_edition(quiz)
    Quiz.objects.filter(pk=quiz.pk).update(
        title=source.title,
        summary=source.summary,
        shuffle=source.shuffle,
        class_only=source.class_only,
        is_published=True,
    )
    quiz.places.all().delete()
    slugs = [slug for slug, _ in source.questions]
    rows = Question.objects.filter(course=quiz.course_id, slug__in=slugs)
    questions = {question.slug: question for question in rows}
    QuizQuestion.objects.bulk_create(
        QuizQuestion(
            quiz=quiz,
            question=questions[place.question] if place.question else None,
            draw=place.draw or None,
            tag=place.tag,
            points=place.points,
            order=order,
        )
        for order, place in enumerate(source.places, start=1)
    )
    quiz.refresh_from_db()
    add_quiz_edition(quiz, **facts)


def add_quiz_edition(quiz: Quiz, **facts: Any) -> None:
    """Note what a quiz asks now as its newest edition, if it asked something else before."""
    content = content_of_quiz(quiz)
    add_edition(quiz, {QUIZ_FILE: quiz_file(content)}, quiz_hash(content), **facts)


def stored_quiz_hash(quiz: Quiz) -> str:
    """Return the hash of a quiz as learners find it, "" when they do not."""
    return quiz_hash(content_of_quiz(quiz)) if quiz.is_published else ""


def content_of_quiz(quiz: Quiz, places: Iterable[QuizQuestion] | None = None) -> dict[str, Any]:
    """Return a quiz as the fields of its file, with all of its places or with these."""
    rows = quiz.places.select_related("question") if places is None else places
    return quiz_content(
        title=quiz.title,
        summary=quiz.summary,
        questions=[
            place_content(
                question=place.question.slug if place.question else "",
                draw=place.draw,
                tag=place.tag,
                points=place.points,
            )
            for place in rows
        ],
        shuffle=quiz.shuffle,
        class_only=quiz.class_only,
    )


def rename_step(course: Course, old: str, new: str) -> None:
    """Give answers inside a step its new name, unless the learner has answered there as well."""
    _move(Response.objects.filter(version__question__course=course), old, new)


def _move(answers: QuerySet[Response], old: str, new: str) -> None:
    there = Response.objects.filter(
        step=new, learner=OuterRef("learner"), version=OuterRef("version"), attempt=None
    )
    moving = answers.filter(~Exists(there), step=old, attempt=None).values("pk")
    Response.objects.filter(pk__in=list(moving.values_list("pk", flat=True))).update(step=new)


def move_answers(course: Course, question: str, old: str, new: str) -> None:
    """Move the answers to one question from a step to another, as `rename_step` moves all."""
    answers = Response.objects.filter(version__question__course=course)
    _move(answers.filter(version__question__slug=question), old, new)


def rename_steps_below(course: Course, old: str, new: str) -> None:
    """Do the same for every step of a lesson that is renamed."""
    answers = Response.objects.filter(version__question__course=course)
    inside = answers.filter(step__startswith=f"{old}/").values_list("step", flat=True)
    for step in set(inside):
        rename_step(course, step, f"{new}{step.removeprefix(old)}")


def new_version(
    question: Question, source: QuestionSource, *, writer: User | None = None
) -> QuestionVersion:
    """Store a question's content as its next version; without a writer it came from files."""
    newest = question.versions.aggregate(number=Max("number"))["number"] or 0
    version = QuestionVersion.objects.create(
        question=question,
        number=newest + 1,
        content_hash=source.content_hash,
        kind=source.kind,
        prompt=source.prompt,
        step=source.step,
        tags=list(source.tags),
        keep_last=source.keep_last,
        answer=source.answer,
        scoring=source.scoring,
        generator=dict(source.generator),
        written_by=writer,
    )
    Option.objects.bulk_create(
        Option(
            version=version,
            order=order,
            text=one.text,
            is_key=one.is_key,
            reason=one.reason,
            mistake=one.mistake,
        )
        for order, one in enumerate(source.options, start=1)
    )
    if version.is_generated:
        _take_instances(version)
    return version


def _take_instances(version: QuestionVersion) -> None:
    """Copy a few instances of an equal version, so that the question can be asked at once."""
    equal = QuestionVersion.objects.filter(
        content_hash=version.content_hash, problem="", instances__isnull=False
    )
    twin = equal.exclude(pk=version.pk).order_by("pk").first()
    if twin is not None:
        copy_instances(twin, version)
