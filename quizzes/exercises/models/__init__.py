"""Exercises and their versions, what learners write and submit, and the workers that grade it."""

from quizzes.exercises.models.draft import Draft
from quizzes.exercises.models.earlier_verdict import EarlierVerdict
from quizzes.exercises.models.exercise import CasePack, Exercise, ExerciseVersion
from quizzes.exercises.models.submission import CasePicture, Submission
from quizzes.exercises.models.worker import WorkerHeartbeat

__all__ = [
    "CasePack",
    "CasePicture",
    "Draft",
    "EarlierVerdict",
    "Exercise",
    "ExerciseVersion",
    "Submission",
    "WorkerHeartbeat",
]
