"""What instructors see of questions: the list with its search, and one question to write."""

from collections.abc import Mapping, Sequence
from itertools import zip_longest
from typing import Any

from django.db.models import Count, Exists, OuterRef, Prefetch, Q, QuerySet

from quizzes.assessment.drafting import check, content_of
from quizzes.assessment.models import Option, Question, QuestionDraft, QuestionVersion
from quizzes.assessment.models.drafts import Draft
from quizzes.assessment.showing import source_shown, versions_shown
from quizzes.lessons.models import Step
from quizzes.pages.markdown import render_inline
from quizzes.teaching.changes import changed_labels, changes
from quizzes.teaching.class_work import Facility, chosen, facilities
from quizzes.teaching.forms import missing, rows
from quizzes.teaching.numeric_form import number_fields

EDITABLE = {kind.value for kind in QuestionVersion.Kind}  # the kinds this form can hold


def step_paths() -> dict[str, str]:
    """Return {"lesson/step": title} for every step of every lesson, in order. One query."""
    steps = Step.objects.select_related("lesson").order_by("lesson__number", "number")
    return {
        f"{step.lesson.slug}/{step.slug}": f"{step.lesson.title}: {step.title}" for step in steps
    }


def found_questions(words: str, *, tag: str = "") -> QuerySet[Question]:
    """Return the questions in which every word occurs (name, texts, step, tags), with a tag."""
    found = Question.objects.select_related("current").order_by("slug")
    if tag:
        found = found.filter(current__tags__icontains=f'"{tag}"')
    for word in words.split()[:10]:
        in_options = Option.objects.filter(version=OuterRef("current"), text__icontains=word)
        found = found.filter(
            Q(slug__icontains=word)
            | Exists(in_options)
            | Q(current__prompt__icontains=word)
            | Q(current__step__icontains=word)
            | Q(current__tags__icontains=word)
        )
    drafts = QuestionDraft.objects.filter(question=OuterRef("pk"))
    return found.annotate(has_draft=Exists(drafts), quizzes_count=Count("places"))


def tags_used() -> list[str]:
    """Return every tag of a published question, sorted. One query."""
    lists = Question.objects.filter(current__isnull=False).values_list("current__tags", flat=True)
    return sorted({str(tag) for tags in lists for tag in tags or ()}, key=str.casefold)


def history(question: Question) -> Sequence[QuestionVersion]:
    """Return the versions of a question, newest first, each with `met`, `changed`, `facility`.

    `met`: how many responses it has; `changed`: the fields in which it differs from the version
    before it; `facility`: of the learners who met this version first. Three queries.
    """
    fixed = Prefetch("options", Option.objects.filter(instance=None))
    versions = question.versions.select_related("written_by").prefetch_related(fixed)
    found = list(versions.annotate(met=Count("responses")).order_by("-number"))
    facility = facilities([version.pk for version in found])
    for newer, older in zip_longest(found, found[1:]):
        vars(newer)["facility"] = facility.get(newer.pk, Facility())
        vars(newer)["changed"] = (
            changed_labels(content_of(older), content_of(newer)) if older else []
        )
    return found


def written_in_files(question: Question) -> bool:
    """Say whether the question is of a kind that is written in the course's files only."""
    return question.current is not None and made_by_program(question.current)


def made_by_program(version: QuestionVersion) -> bool:
    """Say whether a version is of a kind that the form cannot hold."""
    return version.kind not in EDITABLE or version.is_generated


def only_shown(question: Question) -> dict[str, Any]:
    """Return what the page of a question shows that cannot be written in the browser."""
    versions = history(question)
    current = next(one for one in versions if one.pk == question.current_id)
    return {
        "question": question,
        "current": current,
        "draft": QuestionDraft.objects.filter(question=question).first(),
        "preview": versions_shown([current])[0],
        "versions": versions,
        "answers": answers_to(current),
    }


def writing(
    question: Question,
    content: Mapping[str, Any],
    revision: int,
    *,
    draft: Draft | None,
    at_least: int = 0,
) -> dict[str, Any]:
    """Return what the page of a question that is being written shows."""
    steps = step_paths()
    checked = check(question.slug, content, steps=steps)
    versions = history(question)
    current = next((one for one in versions if one.pk == question.current_id), None)
    published = content_of(current) if current else None
    return {
        "question": question,
        "content": content,
        "revision": revision,
        "draft": draft,
        "behind": bool(draft and current and draft.base != current.content_hash),
        "rows": rows(content, at_least=at_least),
        "number": number_fields(content) if content["kind"] == "numeric" else None,
        "steps": steps,
        "preview": source_shown(checked.source),
        "missing": missing(checked.faults),
        "versions": versions,
        "changes": changes(published, content) if draft and published else [],
        "current": current,
        "answers": answers_to(current),
    }


def answers_to(version: QuestionVersion | None) -> list[dict[str, Any]]:
    """Return how often each option of a version was a learner's first choice. Two queries."""
    options = chosen([version.pk]).get(version.pk, []) if version else []
    if not any(one.times for one in options):
        return []
    return [
        {
            "text": render_inline(one.option.text),
            "is_key": one.option.is_key,
            "times": one.times,
            "percent": round(100 * one.times / sum(other.times for other in options)),
        }
        for one in options
    ]
