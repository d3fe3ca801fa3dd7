"""The exercises and questions that the worker's tests grade and draw: those of the rooms below."""

from tests.assessment.conftest import generated, learner, load, pool, quiz
from tests.exercises.conftest import address, exercise, packs, real_exercise, sandbox

__all__ = [
    "address",
    "exercise",
    "generated",
    "learner",
    "load",
    "packs",
    "pool",
    "quiz",
    "real_exercise",
    "sandbox",
]
