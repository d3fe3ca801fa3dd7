"""What the templates are given: plain facts, worked out here so that they only place them."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from django.http import HttpRequest
from django.utils.safestring import SafeString

from quizzes.exercises.access import visible_submission
from quizzes.exercises.drafts import drafts_of, owner_mark
from quizzes.exercises.forms import CodeForm
from quizzes.exercises.lanes import QUICK_SECONDS
from quizzes.exercises.models import Draft, Exercise, ExerciseVersion, Submission
from quizzes.exercises.services import grading_state
from quizzes.exercises.tries import comparison, recent_tries
from quizzes.exercises.verdicts import new_key, step_address, verdict_context
from quizzes.grader.timing import ALWAYS_ALLOWED
from quizzes.learners.services import current_learner
from quizzes.pages.markdown import highlighted, render_markdown

CLOSED = "This exercise cannot take code now: it failed its own verification."


@dataclass(frozen=True)
class Card:
    """One exercise in a list. `state`: "", "seen", "shaky" or "done"."""

    slug: str
    title: str
    state: str

    @property
    def state_label(self) -> str:
        return {"done": "Solved", "shaky": "Tried, not solved yet"}.get(self.state, "Not tried yet")

    @property
    def tone(self) -> str:
        return {"done": "good", "shaky": "warn"}.get(self.state, "")


def card_of(exercise: Exercise, state: str) -> Card:
    """Return the card of an exercise that has a current version."""
    assert exercise.current is not None
    return Card(exercise.slug, exercise.current.title, state)


def first_error(form: CodeForm) -> str:
    """Return the first sentence of what is wrong with a form."""
    return next(str(message) for messages in form.errors.values() for message in messages)


def times_asked(request: HttpRequest) -> int:
    """Return how often the page has asked for this verdict already."""
    text = request.GET.get("asked", "0")
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 5 else 0


def _code_to_start_from(request: HttpRequest, exercise: Exercise, drafts: list[Draft]) -> str:
    """Return the code of the submission named by `from`, else the draft, else the starter."""
    wanted = request.GET.get("from", "")
    if wanted.isascii() and wanted.isdecimal() and len(wanted) < 18:
        return visible_submission(request, exercise.slug, int(wanted)).code
    assert exercise.current is not None
    if drafts and wanted != "starter":
        return drafts[0].code
    return exercise.current.definition.starter


def exercise_page(
    request: HttpRequest, exercise: Exercise, form: CodeForm | None
) -> dict[str, Any]:
    """Return everything `exercise.html` shows; `form` is one that was refused, else None."""
    version = exercise.current
    assert version is not None
    learner = current_learner(request)
    drafts = drafts_of(learner=learner, exercise=exercise)
    if form is None:
        code = _code_to_start_from(request, exercise, drafts)
        form = CodeForm(initial={"code": code, "key": new_key()})
    return {
        "exercise": exercise,
        "version": version,
        "definition": version.definition,
        "statement": statement_of(version),
        "step_address": step_address(version.definition.step),
        "outline": version.outline,
        "grading": grading_state(),
        "form": form,
        "came_from": request.GET.get("from", ""),
        "starter": version.definition.starter,
        "quick_seconds": QUICK_SECONDS,
        "always_allowed": ALWAYS_ALLOWED,
        "drafts": drafts,
        "draft_owner": owner_mark(learner=learner, account=request.user.pk),
        "slug": exercise.slug,
        "history": recent_tries(exercise=exercise, learner=learner),
    }


def submission_page(request: HttpRequest, submission: Submission) -> dict[str, Any]:
    """Return everything `submission.html` shows."""
    earlier = submission.earlier_verdicts.select_related("exercise_version")
    facts = {
        "code_html": highlighted(submission.code, "python"),
        "earlier": list(earlier.defer("report", "exercise_version__files")),
    }
    facts |= comparison(submission, request.GET.get("against", ""))
    return facts | verdict_context(submission, asked=times_asked(request))


def statement_of(version: ExerciseVersion) -> SafeString:
    """Return the statement as HTML; the same text is rendered once."""
    return _rendered(version.definition.statement)


@lru_cache(maxsize=64)
def _rendered(text: str) -> SafeString:
    return render_markdown(text, headings_from=1)
