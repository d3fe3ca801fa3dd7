"""manage.py prove: the name that `verify_exercise` had before; it goes with 0.4.0."""

from quizzes.worker.management.commands.verify_exercise import Command

__all__ = ["Command"]
