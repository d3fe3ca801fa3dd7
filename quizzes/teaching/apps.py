from datetime import timedelta

from django.apps import AppConfig


class TeachingConfig(AppConfig):
    name = "quizzes.teaching"
    verbose_name = "Teaching"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Let the workers count what large courses' pages show."""
        from quizzes.exercises.task_registry import Task, register

        register(Task("count the answers of large courses", timedelta(minutes=1), _count_anew))


def _count_anew() -> bool:
    from quizzes.teaching.course_counts import count_anew

    return count_anew()
