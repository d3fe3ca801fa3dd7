"""Questions as instructors see them: the list with its search, and one question to write."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from django.db.models import Count, Exists, OuterRef, Q, QuerySet
from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from quizzes.assessment.models import Option, Question, QuestionVersion
from quizzes.assessment.presenters import source_context
from quizzes.assessment.question_drafts import (
    EditableQuestion,
    check,
    content_of,
    named_mistakes,
)
from quizzes.classes.publishing.exercise_references import exercises_to_draw_from
from quizzes.classes.publishing.running_work import tags_of, work_on_question
from quizzes.classes.week.known_mistakes import MistakeFacts
from quizzes.courses.drafts import CurrentText, has_draft
from quizzes.courses.models import ContentDraft, Course
from quizzes.pages.markdown import render_inline
from quizzes.regrades.offers import outdated_answers
from quizzes.teaching.changes import changes
from quizzes.teaching.course_results import Facility, facilities, first_answers
from quizzes.teaching.forms import SCORING, missing_fields, number_fields, rows
from quizzes.teaching.question.numbers import numbers_context
from quizzes.teaching.question.programs import can_be_drawn
from quizzes.teaching.studio import PastVersion, history_of

BLANK = "Left blank"


def find_questions(course: Course, words: str, *, tag: str = "") -> QuerySet[Question]:
    """Return questions of a course with every word (in name, texts, step, tags) and the tag."""
    found = Question.objects.filter(course=course).select_related("current").order_by("slug")
    if tag:
        wanted = tag.casefold()  # no database folds every letter, and SQLite stores "ä" escaped
        lists = found.filter(current__isnull=False).values_list("pk", "current__tags")
        having = [pk for pk, tags in lists if wanted in {str(one).casefold() for one in tags or ()}]
        found = found.filter(pk__in=having)
    for word in words.split()[:10]:
        in_options = Option.objects.filter(version=OuterRef("current"), text__icontains=word)
        found = found.filter(
            Q(slug__icontains=word)
            | Exists(in_options)
            | Q(current__prompt__icontains=word)
            | Q(current__step__icontains=word)
            | Q(current__tags__icontains=word)
        )
    return found.annotate(
        has_draft=has_draft(ContentDraft.Kind.QUESTION), quizzes_count=Count("places")
    )


def tags_used(course: Course) -> list[str]:
    """Return every tag of a course's published questions, sorted; "RoPE" before "rope".

    One query.
    """
    published = Question.objects.filter(course=course, current__isnull=False)
    lists = published.values_list("current__tags", flat=True)
    tags = {str(tag) for tags in lists for tag in tags or ()}
    return sorted(tags, key=lambda tag: (tag.casefold(), tag))


def tags_to_find_by(tags: Iterable[str]) -> list[str]:
    """Return the first of the tags that differ only in the case of letters, in their order.

    For filters alone: a pool draws by the exact tag.
    """
    first: dict[str, str] = {}
    for tag in tags:
        first.setdefault(tag.casefold(), tag)
    return list(first.values())


def history(thing: EditableQuestion) -> list[PastVersion]:
    """Return the versions of a question with their use, newest first. Four queries."""
    question, rows = thing.row, history_of(thing)
    facility = facilities(question.course, [row.text.row.pk for row in rows])
    met = dict(question.versions.order_by().values_list("pk").annotate(Count("responses")))
    return [
        replace(row, met=met[version], facility=facility.get(version, Facility()))
        for row in rows
        for version in [row.text.row.pk]
    ]


def question_form_context(
    thing: EditableQuestion, now: CurrentText, *, at_least: int = 0
) -> dict[str, Any]:
    """Return the context of a question that is being written."""
    question, content, draft, mistakes = thing.row, now.content, now.draft, thing.mistakes
    groups, named = mistake_groups(mistakes), _words_of_named(content, mistakes)
    versions = history(thing)
    current = next((row.text.row for row in versions if row.text.is_current), None)
    checked = thing.check(content)
    is_generated = "generator" in content
    published = content_of(current) if current else None
    tags, drafted = tags_of(question, {}), tags_of(question, content)
    asked_now = work_on_question(question, tags)
    running = asked_now if drafted == tags else work_on_question(question, drafted)
    return {
        "question": question,
        "content": content,
        "revision": now.revision,
        "draft": draft,
        "behind": bool(draft and current and draft.base != current.content_hash),
        "is_generated": is_generated,
        "can_be_drawn": can_be_drawn(content),
        "exercises": exercises_to_draw_from(question.course_id) if is_generated else {},
        "numbers": numbers_context(question, checked.source, mistakes) if is_generated else None,
        "rows": rows(content, mistakes=named, at_least=at_least),
        "number": (
            number_fields(content, mistakes=named)
            if content["kind"] == "numeric" and not is_generated
            else None
        ),
        "has_mistakes": bool(groups or named),
        "mistake_options": render_to_string("teaching/_mistake_options.html", {"groups": groups}),
        "accepted": _accepted(content) if content["kind"] == "text" else None,
        "is_multiple": content["kind"] == "multiple",
        "scoring_rules": SCORING,
        "steps": thing.steps,
        "preview": source_context(checked.source, question.course.slug),
        "missing": missing_fields(checked.problems),
        "versions": versions,
        "changes": changes(published, content) if draft and published else [],
        "current": current,
        "answers": answers_to(question.course, current),
        "outdated_answers": outdated_answers(question),
        "running": running,  # with the draft's tags: what publishing it would change
        "asked_now": asked_now,
        "all_close": all(one.closes_at for one in running),
    }


@dataclass(frozen=True)
class MistakeGroup:
    """The known mistakes of one exercise in a choice list: names, and what is said of each."""

    title: str
    choices: tuple[tuple[str, str], ...]


def mistake_groups(mistakes: Mapping[str, MistakeFacts]) -> list[MistakeGroup]:
    """Return the known mistakes that can be chosen, by exercise. A convention is no mistake."""
    groups: dict[str, list[MistakeFacts]] = {}
    for one in mistakes.values():
        if one.is_there and one.kind == "mistake":
            groups.setdefault(one.exercise, []).append(one)
    return [
        MistakeGroup(found[0].title, tuple((one.name, _in_a_list(one)) for one in found))
        for found in groups.values()
    ]


def _in_a_list(mistake: MistakeFacts) -> str:
    """Return a mistake in plain words, with its short name: sentences may be alike."""
    words = (mistake.does or mistake.words).replace("`", "")
    return words if words == mistake.slug else f"{words} ({mistake.slug})"


def _words_of_named(
    content: Mapping[str, Any], mistakes: Mapping[str, MistakeFacts]
) -> dict[str, str]:
    """Return the words of the mistakes that this content names, by name.

    The choice list may lack them: a convention, and what went with its exercise.
    """
    named = {name for _, name in named_mistakes(content)} - {""}
    return {
        name: _in_a_list(mistakes[name])
        if name in mistakes and mistakes[name].is_there
        else f"{name}, which no exercise of the course has"
        for name in named
    }


def changes_question(question: Question, content: Mapping[str, Any]) -> bool:
    """Return whether learners would be asked something else if this content were published."""
    source = check(question.slug, content, steps=(), mistakes=()).source
    return question.current is None or source.content_hash != question.current.content_hash


def _accepted(content: Mapping[str, Any]) -> dict[str, Any]:
    """Return the context of the form of a text."""
    answer = content.get("answer") or {}
    return {"lines": "\n".join(answer.get("accepts", ())), "reason": answer.get("reason", "")}


def answers_to(course: Course, version: QuestionVersion | None) -> list[dict[str, Any]]:
    """Return for each option of a version how many learners chose it first. Two or three queries.

    The shares are those of all learners that were asked, as elsewhere; a blank has a row. Where
    several are chosen the shares need not add up to all.
    """
    if version is None:
        return []
    answers = first_answers(course, [version.pk])
    options = answers.option_counts([version.pk]).get(version.pk, [])
    if not any(one.times for one in options):
        return []
    facility = answers.facilities[version.pk]
    rows = [(render_inline(one.option.text), one.option.is_key, one.times) for one in options]
    if blank := facility.met - facility.answered:
        rows.append((SafeString(BLANK), False, blank))
    return [
        {
            "text": text,
            "is_key": is_key,
            "times": times,
            "percent": round(100 * times / facility.met),
        }
        for text, is_key, times in rows
    ]
