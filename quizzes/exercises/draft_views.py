"""Saving what is being written, asked by the page now and then."""

from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponseBase, JsonResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from quizzes.exercises.drafts import DraftConflict, save_draft
from quizzes.exercises.forms import DraftForm
from quizzes.exercises.models import Draft, Exercise
from quizzes.learners.models import Learner
from quizzes.learners.rates import Rate, too_many
from quizzes.learners.services import learner_for_writing

DRAFTS = Rate(per_second=50, burst=400)  # who writes saves every two seconds at most; a class does


@never_cache
@require_POST
def draft(request: HttpRequest, slug: str) -> HttpResponseBase:
    """Save a draft: 200 with its token, 409 with the draft that stands in the way, 400 if bad."""
    wait = DRAFTS.wait_seconds(request)
    if wait:
        return too_many(wait)
    exercise = get_object_or_404(Exercise, slug=slug, current__isnull=False)
    form = DraftForm(request.POST)
    if not form.is_valid():
        return JsonResponse({"message": "This draft cannot be kept."}, status=400)
    try:
        saved = save_draft(
            exercise=exercise, learner=learner_for_writing(request), **form.cleaned_data
        )
    except DraftConflict as conflict:
        return JsonResponse(_facts(conflict.draft) | {"code": conflict.draft.code}, status=409)
    except Learner.DoesNotExist:  # signed in, or had everything deleted, in another tab
        return JsonResponse(
            {"message": "You are somebody else now: load the page again."}, status=409
        )
    except ValidationError as error:
        return JsonResponse({"message": " ".join(error.messages)}, status=400)
    return JsonResponse(_facts(saved))


def _facts(draft: Draft) -> dict[str, str]:
    return {"token": str(draft.token), "savedAt": draft.saved_at.isoformat()}
