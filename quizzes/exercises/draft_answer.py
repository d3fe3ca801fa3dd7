"""The answer to a page that saves a draft: of an exercise, or of the lab."""

from collections.abc import Collection

from django.core.exceptions import ValidationError
from django.http import HttpRequest, JsonResponse

from quizzes.exercises.drafts import DraftConflict, drafts_of, save_draft
from quizzes.exercises.forms import DraftForm
from quizzes.exercises.models import Draft, Exercise
from quizzes.exercises.page_context import first_error
from quizzes.exercises.services import normalise_code
from quizzes.learners.models import Learner
from quizzes.learners.services import current_learner, kept_learner
from quizzes.limits.limits import rows_of

NOTHING_KEPT = {"token": "", "savedAt": ""}  # a newcomer has a text that everybody begins with


def answer_draft(
    request: HttpRequest, exercise: Exercise | None, *, starters: Collection[str]
) -> JsonResponse:
    """Save a draft: 200 with its token, 409 with the draft that stands in the way, 400 if bad.

    Without an exercise it is a draft of the lab. `starters`: texts that a newcomer need not keep.
    """
    form = DraftForm(request.POST)
    if not form.is_valid():
        return JsonResponse({"message": first_error(form)}, status=400)
    code = form.cleaned_data["code"]
    if current_learner(request) is None and normalise_code(code) in starters:
        return JsonResponse(NOTHING_KEPT)
    try:
        with kept_learner(request, rows=_new_rows(request, exercise, code)) as learner:
            saved = save_draft(exercise=exercise, learner=learner, **form.cleaned_data)
    except DraftConflict as conflict:
        return JsonResponse(_facts(conflict.draft) | {"code": conflict.draft.code}, status=409)
    except Learner.DoesNotExist:  # signed in, or had everything deleted, in another tab
        return JsonResponse(
            {"message": "You are now signed in as another learner: reload the page."},
            status=409,
        )
    except ValidationError as error:
        return JsonResponse({"message": " ".join(error.messages)}, status=400)
    return JsonResponse(_facts(saved))


def _new_rows(request: HttpRequest, exercise: Exercise | None, code: str) -> int:
    """Return by how many rows this draft of a visitor without an account is longer than before."""
    learner = current_learner(request)
    if request.user.is_authenticated:
        return 0
    sizes = [_bytes_of(draft.code) for draft in drafts_of(learner=learner, exercise=exercise)]
    return rows_of(_bytes_of(code) - max(sizes)) if sizes else 1 + rows_of(_bytes_of(code))


def _bytes_of(code: str) -> int:
    return len(code.encode("utf-8", "surrogatepass"))


def _facts(draft: Draft) -> dict[str, str]:
    return {"token": str(draft.token), "savedAt": draft.saved_at.isoformat()}
