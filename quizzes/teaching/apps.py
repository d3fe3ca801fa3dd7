from datetime import timedelta

from django.apps import AppConfig

from quizzes.worker.tasks import Task, tasks_of_pages


class TeachingConfig(AppConfig):
    name = "quizzes.teaching"
    verbose_name = "Teaching"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        tasks_of_pages.fill(periodic_tasks)


def periodic_tasks() -> list[Task]:
    """Return the tasks of workers for this room. Its pages are loaded when they ask."""
    from quizzes.authoring.small_pictures import draw_next
    from quizzes.teaching.course_counts import refresh_next

    return [
        Task("count the answers of large courses", timedelta(minutes=1), refresh_next),
        Task("draw the small pictures of lessons", timedelta(seconds=30), draw_next),
    ]
