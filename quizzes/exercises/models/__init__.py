"""Exercises and their versions, what learners write and submit, and the workers that grade it."""

from quizzes.exercises.models.code_run import CodeRun
from quizzes.exercises.models.draft import Draft
from quizzes.exercises.models.exercise import CasePack, Exercise, ExerciseVersion
from quizzes.exercises.models.mistake_draft import MistakeDraft
from quizzes.exercises.models.proof import ExerciseProof, ProofRow
from quizzes.exercises.models.regrades import CodeRegrade, TrialVerdict
from quizzes.exercises.models.shared_numbers import SharedNumbers
from quizzes.exercises.models.submission import CasePicture, PreviousVerdict, Submission
from quizzes.exercises.models.worker import PeriodicTask, WorkerHeartbeat

__all__ = [
    "CasePack",
    "CasePicture",
    "CodeRegrade",
    "CodeRun",
    "Draft",
    "Exercise",
    "ExerciseProof",
    "ExerciseVersion",
    "MistakeDraft",
    "PeriodicTask",
    "PreviousVerdict",
    "ProofRow",
    "SharedNumbers",
    "Submission",
    "TrialVerdict",
    "WorkerHeartbeat",
]
