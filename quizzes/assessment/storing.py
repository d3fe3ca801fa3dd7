"""Storing questions as versions and quizzes as orders of questions, and saying what is stored."""

from collections.abc import Mapping

from django.db.models import Max

from quizzes.assessment.models import Option, Question, QuestionVersion, Quiz, QuizQuestion
from quizzes.assessment.sources import QuestionSource, QuizSource, quiz_hash
from quizzes.pages.stored import Stored


def stored_questions() -> Mapping[str, Stored]:
    """Return the hashes of the questions in the database. One query."""
    rows = Question.objects.values_list("slug", "loaded_hash", "current__content_hash")
    return {slug: Stored(loaded, current or "") for slug, loaded, current in rows}


def stored_quizzes() -> Mapping[str, Stored]:
    """Return the hashes of the quizzes in the database. Two queries."""
    return {
        quiz.slug: Stored(
            quiz.loaded_hash,
            quiz_hash(quiz.title, quiz.summary, [p.question.slug for p in quiz.places.all()]),
        )
        for quiz in Quiz.objects.prefetch_related("places__question")
    }


def save_question(source: QuestionSource) -> str:
    """Store a question; new content makes a new version, known content brings its version back.

    Return "created", "updated" or "unchanged".
    """
    question, made = Question.objects.get_or_create(slug=source.slug)
    content_hash = source.content_hash
    version = question.versions.filter(content_hash=content_hash).first()
    if version and question.current == version and question.loaded_hash == content_hash:
        return "unchanged"
    question.current = version or new_version(question, source)
    question.loaded_hash = content_hash
    question.save()
    return "created" if made else "updated"


def save_quiz(source: QuizSource) -> str:
    """Store a quiz. Attempts keep what they began with. Return what `save_question` returns."""
    quiz, made = Quiz.objects.get_or_create(slug=source.slug)
    slugs = [slug for slug, _ in source.questions]
    content_hash = source.content_hash
    stored = [place.question.slug for place in quiz.places.select_related("question")]
    same = quiz_hash(quiz.title, quiz.summary, stored) == content_hash
    if not made and same and quiz.loaded_hash == content_hash:
        return "unchanged"
    quiz.title, quiz.summary, quiz.loaded_hash = source.title, source.summary, content_hash
    quiz.save()
    quiz.places.all().delete()
    questions = Question.objects.in_bulk(slugs, field_name="slug")
    QuizQuestion.objects.bulk_create(
        QuizQuestion(quiz=quiz, question=questions[slug], order=order)
        for order, slug in enumerate(slugs, start=1)
    )
    return "created" if made else "updated"


def new_version(question: Question, source: QuestionSource) -> QuestionVersion:
    """Store a question's content as its next version."""
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
    )
    Option.objects.bulk_create(
        Option(version=version, order=order, text=one.text, is_key=one.is_key, reason=one.reason)
        for order, one in enumerate(source.options, start=1)
    )
    return version
