from django.apps import AppConfig


class StudyConfig(AppConfig):
    name = "quizzes.study"
    verbose_name = "Study"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Have attempts and times of code read with the progress that pages show."""
        from quizzes.learners.progress import rows_beside
        from quizzes.study.learner_rows import rows_of_work

        rows_beside.fill(rows_of_work)
