"""Exercises and their versions, what learners submit, and the workers that grade it."""

from quizzes.exercises.models.exercise import CasePack, Exercise, ExerciseVersion
from quizzes.exercises.models.submission import CasePicture, Submission
from quizzes.exercises.models.worker import WorkerHeartbeat

__all__ = [
    "CasePack",
    "CasePicture",
    "Exercise",
    "ExerciseVersion",
    "Submission",
    "WorkerHeartbeat",
]
