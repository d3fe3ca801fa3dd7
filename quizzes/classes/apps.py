from django.apps import AppConfig


class ClassesConfig(AppConfig):
    name = "quizzes.classes"
    verbose_name = "Classes"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from quizzes.classes.access import may_see_submission
        from quizzes.exercises.access import register

        register(may_see_submission)
