"""From files to something that grades: versions and their verification."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from pathlib import PurePosixPath
from typing import Any

from django.db import transaction
from django.db.models import Exists, F, Max, OuterRef, Q
from django.utils import timezone

from quizzes.exercises.models import (
    CasePack,
    Exercise,
    ExerciseVersion,
    MistakeDraft,
    Submission,
)
from quizzes.exercises.models.exercise import MAX_PREPARATIONS
from quizzes.exercises.models.submission import ERASED_CODES, unleased
from quizzes.exercises.queue.clock import database_time
from quizzes.exercises.queue.engine import engine
from quizzes.exercises.stored_packs import compressed
from quizzes.grader.api import storable
from quizzes.grader.definitions import ExerciseDefinition

PREPARATION_LASTS = timedelta(seconds=30)  # renewed while it goes on
UNFINISHED = "The verification was started three times but never finished."

Verification = ExerciseVersion.Verification


@transaction.atomic
def add_version(
    *, exercise: Exercise, definition: ExerciseDefinition, files: Mapping[str, str]
) -> ExerciseVersion:
    """Store files as the newest version; learners meet it once it is verified.

    Equal files are verified once: what is known of them holds for the new version too. An exercise
    that has no verified version shows the new one at once, as being verified.
    """
    newest = exercise.versions.aggregate(number=Max("number"))["number"] or 0
    pack = _pack_of_equal_files(definition.content_hash)
    version = ExerciseVersion.objects.create(
        exercise=exercise,
        number=newest + 1,
        title=definition.title,
        step=definition.step or "",
        files=dict(files),
        content_hash=definition.content_hash,
        **(_verified_as(pack.version) if pack is not None else {}),
    )
    if pack is not None:
        CasePack.objects.create(version=version, seed=pack.seed, data=pack.data)
        _publish_drafts_in(version, {})
    usable = exercise.current is not None and exercise.current.verification == Verification.OK
    if pack is not None or not usable:
        exercise.current = version
        exercise.save(update_fields=["current"])
    return version


def _pack_of_equal_files(content_hash: str) -> CasePack | None:
    """Return a pack of a verified version of equal files, in whatever course; None without one.

    A copy of it goes with the verification: a verified version without a pack could not grade, and
    the first failure of its author's code would refuse it (`note_problem`). A worker fills the pool
    as it does for any version.
    """
    packs = CasePack.objects.filter(
        version__content_hash=content_hash,
        version__verification=Verification.OK,
        retired_at=None,
        is_reserved=False,
    )
    return packs.select_related("version").order_by("uses", "-pk").first()


def was_published(*, content_hash: str) -> bool:
    """Say whether equal files were once verified, in whatever course.

    A refusal that came later leaves the outline, which only a verified version gets.
    """
    equal = ExerciseVersion.objects.filter(content_hash=content_hash)
    return equal.filter(Q(verification=Verification.OK) | ~Q(outline={})).exists()


def _verified_as(version: ExerciseVersion) -> dict[str, Any]:
    return {
        "verification": Verification.OK,
        "verified_at": version.verified_at,
        "outline": version.outline,
        "proof": version.proof,
    }


def lease_unverified() -> ExerciseVersion | None:
    """Take a version that waits to be verified, first one that somebody has handed code in to,
    then in the order of the course.

    A version whose verification failed on our side, perhaps by its own doing, comes last.
    """
    now = database_time()
    free = unleased(now)
    waiting = ExerciseVersion.objects.filter(
        free, verification=Verification.WAITING, preparations__lt=MAX_PREPARATIONS
    )
    asked_for = Submission.objects.ungraded().filter(exercise_version=OuterRef("pk"))
    waiting = waiting.annotate(asked_for=Exists(asked_for)).order_by(
        "preparations", "-asked_for", "exercise__place", "pk"
    )
    for version in waiting.select_related("exercise"):
        same = ExerciseVersion.objects.filter(
            free, pk=version.pk, preparations=version.preparations
        )
        if same.update(preparations=F("preparations") + 1, leased_until=now + PREPARATION_LASTS):
            version.preparations += 1
            return version
    return None


def renew_preparation(*, version: ExerciseVersion) -> bool:
    """Hold a version for another while; False when it is ours no longer."""
    return bool(_held(version).update(leased_until=database_time() + PREPARATION_LASTS))


def give_back_version(*, version: ExerciseVersion, failure: str = "") -> None:
    """Free a version whose verification failed on our side; the last time it is refused.

    Without a `failure` of the kind that it may have caused, the try does not count.
    """
    if failure:
        _held(version).update(leased_until=None, problems=storable([failure]))
    else:
        _held(version).update(leased_until=None, preparations=F("preparations") - 1)
    refuse_unfinished()


def accept(
    *,
    version: ExerciseVersion,
    seed: int,
    data: bytes,
    outline: Mapping[str, Any],
    proof: Mapping[str, Any] | None = None,
    fingerprints: Mapping[str, str] | None = None,
) -> bool:
    """Note that a version is right, with its proof and first pack; from now on learners meet it.

    `fingerprints`: by known mistake, that of submissions which make it.
    """
    pack = CasePack(version=version, seed=seed, data=compressed(data))
    with transaction.atomic():
        accepted = _held(version).update(
            verification=Verification.OK,
            verified_at=timezone.now(),
            problems=[],
            outline=storable(dict(outline)),
            proof=storable(proof),
            leased_until=None,
        )
        if not accepted:
            return False
        pack.save()
        Exercise.objects.filter(
            ~Q(current__verification=Verification.OK) | Q(current__number__lt=version.number),
            pk=version.exercise_id,
        ).update(current=version)
        _publish_drafts_in(version, fingerprints or {})
        engine().put_missing()
        return True


def refuse(
    *,
    version: ExerciseVersion,
    problems: Iterable[str],
    proof: Mapping[str, Any] | None = None,
) -> None:
    """Note why a version cannot grade, with the report of its verification, if it got that far."""
    _refuse(_held(version), problems, proof)


def refuse_unfinished() -> None:
    """Refuse versions whose verification was begun as often as may be and never ended."""
    now = database_time()
    free = unleased(now)
    used_up = ExerciseVersion.objects.filter(
        free, verification=Verification.WAITING, preparations=MAX_PREPARATIONS
    )
    for version in used_up:
        _refuse(used_up.filter(pk=version.pk), [UNFINISHED, *version.problems])


def note_problem(*, version: ExerciseVersion, problem: str) -> None:
    """Note why no more packs of a verified version can be drawn: its author's code failed.

    It grades with the packs that it has. A version without packs could never grade, and submissions
    to it would wait for ever: it is refused. Each UPDATE asks for packs itself, as another worker
    may add one at any moment, and then nothing must be refused.
    """
    packs = CasePack.objects.filter(version=OuterRef("pk"), retired_at=None, is_reserved=False)
    verified = ExerciseVersion.objects.filter(pk=version.pk, verification=Verification.OK)
    verified.filter(Exists(packs)).update(problems=storable([problem]))
    _refuse(verified.filter(~Exists(packs)), [problem], version.proof)


def forget_problem(*, version: ExerciseVersion) -> bool:
    """Have packs of a verified version drawn again; False where nothing was noted."""
    noted = ExerciseVersion.objects.filter(pk=version.pk, verification=Verification.OK)
    return bool(noted.exclude(problems=[]).update(problems=[]))


def newest_refused(*, exercise: Exercise) -> ExerciseVersion | None:
    """Return the newest version when it was refused; learners may still have an older one."""
    newest = exercise.versions.defer("files", "outline", "proof").order_by("-number").first()
    return newest if newest and newest.verification == Verification.REFUSED else None


def verify_again(*, version: ExerciseVersion) -> bool:
    """Have a refused version verified once more, as the failure may have been ours.

    False when it is not refused, or waits already.
    """
    refused = ExerciseVersion.objects.filter(pk=version.pk, verification=Verification.REFUSED)
    return bool(
        refused.update(
            verification=Verification.WAITING, verified_at=None, problems=[], preparations=0
        )
    )


def _held(version: ExerciseVersion) -> Any:
    return ExerciseVersion.objects.filter(
        pk=version.pk,
        verification=Verification.WAITING,
        preparations=version.preparations,
        leased_until__isnull=False,
    )


def _refuse(versions: Any, problems: Iterable[str], proof: Mapping[str, Any] | None = None) -> None:
    at: datetime = timezone.now()
    words = list(problems)
    with transaction.atomic():
        keys = list(versions.values_list("pk", flat=True))
        versions.update(
            verification=Verification.REFUSED,
            verified_at=at,
            problems=storable(words),
            proof=storable(proof),
            leased_until=None,
        )
        refused = ExerciseVersion.objects.filter(pk__in=keys, verification=Verification.REFUSED)
        _reopen_drafts(list(refused.values_list("pk", flat=True)), words)


def _reopen_drafts(versions: Collection[int], problems: Sequence[str]) -> None:
    """Let drafts of known mistakes be edited again that no learner met: their version is refused.

    Where somebody has begun another draft for the group, that goes on. One goes whose author has
    deleted the code that it began with: it is not published any more.
    """
    MistakeDraft.objects.filter(published__in=versions, sample__code__in=ERASED_CODES).delete()
    groups = MistakeDraft.objects.filter(
        exercise=OuterRef("exercise"), fingerprint=OuterRef("fingerprint"), published=None
    )
    MistakeDraft.objects.filter(~Exists(groups), published__in=versions).update(
        published=None,
        state=MistakeDraft.State.REFUSED,
        problems=storable(["The published version was refused:", *problems]),
        proved_hash="",
    )


def _publish_drafts_in(version: ExerciseVersion, fingerprints: Mapping[str, str]) -> None:
    """Publish drafts of known mistakes by a verified version that has exactly their file.

    Those of the version itself too, of which its verification says whether they name their group.
    """
    drafts = MistakeDraft.objects.filter(exercise=version.exercise_id)
    for draft in drafts.filter(Q(published=None) | Q(published=version)).select_for_update():
        if version.files.get(draft.path) != draft.text:
            continue
        if (fingerprint := fingerprints.get(PurePosixPath(draft.path).stem)) is not None:
            draft.names_group = fingerprint == draft.fingerprint
        draft.published, draft.state, draft.problems = version, MistakeDraft.State.PROVED, []
        draft.stage, draft.leased_until = "", None
        draft.save()
