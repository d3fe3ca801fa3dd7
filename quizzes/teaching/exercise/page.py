"""How exercises are written in the browser: the kind's declaration for `studio_views.py`."""

from collections.abc import Mapping
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, QueryDict
from django.shortcuts import get_object_or_404
from django.utils.safestring import SafeString

from quizzes.authoring.skeletons import SkeletonError, new_exercise
from quizzes.classes.publishing.exercise_drafts import BELOW, BLANK, PROOF, TASK, EditableExercise
from quizzes.classes.publishing.running_work import work_on_exercise
from quizzes.courses.drafts import CurrentText
from quizzes.courses.editions import PastText
from quizzes.courses.models import Course
from quizzes.exercises.files import ExerciseSource
from quizzes.exercises.models import Exercise, ExerciseProof
from quizzes.exercises.proofs.draft_proofs import (
    ProofRefusedError,
    ask_for_proof,
    newest_proof,
    stop_proof,
)
from quizzes.exercises.proofs.proof_queue import number_before
from quizzes.exercises.publishing import newest_refused
from quizzes.exercises.services import grading_state
from quizzes.exercises.statement_clauses import rendered_statement
from quizzes.grader.definitions import MAX_FILES, hash_files, read_requirements
from quizzes.pages.course_links import with_course_links
from quizzes.regrades.offers import older_submissions
from quizzes.teaching.access import editor_of
from quizzes.teaching.changes import changes
from quizzes.teaching.exercise.form import (
    faults_of,
    faults_of_proof,
    file_rows,
    in_order,
    press_button,
    read_exercise_form,
)
from quizzes.teaching.exercise_views import (
    ExerciseWithdrawal,
    exercise_list,
    verification_context,
)
from quizzes.teaching.studio import StudioPage, Words, history_of, own_address

LONGEST_CLAUSE = 100  # characters in the list of requirements
PLACES = {"add": "#mistakes", "below": "#others", "prove": "#proof-title", "stop": "#proof-title"}


class ExercisePage(ExerciseWithdrawal, StudioPage):
    """The page on which exercises are written."""

    template = "teaching/exercise/write.html"
    list_template = "teaching/exercises.html"
    preview_template = "teaching/exercise/preview.html"
    preview_methods = ("GET", "HEAD", "POST")
    version_template = "teaching/exercise/_version.html"
    says_every_save = True
    words = Words(
        new_draft="{slug} is now a draft. Learners will see it when it is proved and published.",
        saved_draft="Saved as a draft. Learners will see it when it is proved and published.",
        plan="",
        running_work="",
        plan_dropped="",
        discarded="The exercise {slug} has been discarded.",
        brought_back="Version {number} is now your draft. Learners will see it when you publish "
        "it.",
    )

    def thing(self, course: Course, slug: str) -> EditableExercise:
        rows = Exercise.objects.select_related("course", "current")
        return EditableExercise(get_object_or_404(rows, course=course, slug=slug))

    def list_context(self, request: HttpRequest, course: Course) -> dict[str, Any]:
        del request
        return exercise_list(course)

    def blank(self, data: QueryDict) -> Mapping[str, Any]:
        """Return an exercise that is sound as it stands; nothing for a name that is refused."""
        try:
            return {"files": dict(new_exercise(data.get("slug", "")).texts)}
        except SkeletonError:
            return BLANK

    def read(self, data: QueryDict, button: str) -> dict[str, Any]:
        return press_button(read_exercise_form(data, button), button)

    def context(
        self, request: HttpRequest, thing: EditableExercise, now: CurrentText
    ) -> dict[str, Any]:
        del request
        content, draft, published = now.content, now.draft, thing.published()
        files = content["files"]
        problems = thing.check(content).problems
        faults = faults_of([fault for fault in problems if fault.path != PROOF], content)
        exercise, version = thing.row, thing.version
        return {
            "content": content,
            "revision": now.revision,
            "draft": draft,
            "behind": bool(draft and published and draft.base != thing.published_hash()),
            "edited_since_load": bool(exercise.loaded_hash)
            and thing.published_hash() != exercise.loaded_hash,
            "rows": file_rows(content, faults),
            "faults": faults,
            "may_add": len(files) < MAX_FILES,
            "has_below": BELOW in files,
            "requirements": _requirements(files.get(TASK, "")),
            "steps": thing.names.steps,
            "changes": changes(published, content) if draft and published else [],
            "versions": history_of(thing),
            "running": work_on_exercise(exercise),
            "older_submissions": older_submissions(exercise).count() if exercise.current else 0,
            "refused": newest_refused(exercise=exercise),
            "version": version,
            "is_proved": not problems,
            **_proof_context(thing, content),
        }

    def preview(
        self, request: HttpRequest, thing: EditableExercise, content: Mapping[str, Any]
    ) -> dict[str, Any]:
        checked = thing.check(content)
        return {
            "exercise": thing.row,
            "definition": checked.source.definition if checked.source else None,
            "statement": _statement(thing.row.course, content),
            "starter": content["files"].get("starter.py", ""),
            "is_saved": request.method != "POST",
        }

    def version(
        self, request: HttpRequest, thing: EditableExercise, text: PastText
    ) -> dict[str, Any]:
        del request
        return {
            "statement": _statement(thing.row.course, text.content),
            "files": in_order(text.content),
            "proof": verification_context(text.row.proof, {}),
        }

    def changes_work(self, thing: EditableExercise, content: Mapping[str, Any]) -> bool:
        del thing, content
        return False

    def publication(self, thing: EditableExercise, source: ExerciseSource) -> str:
        del source
        version = thing.version
        assert version is not None
        if version.verification == version.Verification.OK:
            return f"Published: learners have version {version.number} now."
        return (
            f"Published as version {version.number}: a worker verifies it, and then learners"
            " have it. What was submitted before keeps its version. If it was withdrawn, it is"
            " restored."
        )

    def after_save(
        self, request: HttpRequest, thing: EditableExercise, content: Any, button: str
    ) -> None:
        """Have the saved text proved, or end its proof."""
        if button == "stop":
            stop_proof(thing.row)
        elif button == "prove":
            checked = thing.check(content)
            problems = [fault for fault in checked.problems if fault.path != PROOF]
            if problems:
                count = f"{len(problems)} problem{'s' * (len(problems) != 1)}"
                messages.warning(request, f"Not proved: {count} to fix first.")
                return
            try:
                ask_for_proof(
                    exercise=thing.row,
                    files=checked.source.files,
                    content_hash=checked.source.content_hash,
                    by=editor_of(request),
                )
            except ProofRefusedError as error:
                messages.error(request, f"Not proved. {error}")

    def next_address(self, request: HttpRequest, thing: EditableExercise, button: str) -> str:
        del request
        return f"{own_address(thing)}{PLACES.get(button.partition(':')[0], '')}"


def _statement(course: Course, content: Mapping[str, Any]) -> SafeString:
    return with_course_links(rendered_statement(content["files"].get(TASK, "")), course.slug)


def _requirements(statement: str) -> list[str]:
    """Return what a known mistake may break, as a line of its header says it."""
    clauses = read_requirements(statement).clauses
    return [f"{clause.name}. {_short(clause.text)}" for clause in clauses]


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= LONGEST_CLAUSE else f"{line[:LONGEST_CLAUSE].rsplit(' ', 1)[0]} …"


def _proof_context(thing: EditableExercise, content: Mapping[str, Any]) -> dict[str, Any]:
    """Return the state of the proof: of this text, or of an older one."""
    row, content_hash = newest_proof(thing.row), hash_files(content["files"])
    waiting = row is not None and row.state == ExerciseProof.State.WAITING
    return {
        "proof_row": row,
        "is_of_this_text": row is not None and row.content_hash == content_hash,
        "is_published_text": thing.published_hash() == content_hash,
        "waiting": waiting,
        "before": number_before(row) if row is not None and waiting else 0,
        "grading": grading_state() if waiting else None,
        "proof": verification_context(row.report, {}) if row is not None else None,
        "proof_faults": faults_of_proof(row.problems, content) if row is not None else [],
    }
