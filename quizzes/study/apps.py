from django.apps import AppConfig


class StudyConfig(AppConfig):
    name = "quizzes.study"
    verbose_name = "Study"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Have the open attempts read with the progress that pages show."""
        from quizzes.learners.progress import rows_beside
        from quizzes.study.learner_rows import open_attempts

        rows_beside.fill(open_attempts)
