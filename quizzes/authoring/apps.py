from django.apps import AppConfig


class AuthoringConfig(AppConfig):
    name = "quizzes.authoring"
    verbose_name = "Authoring"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from quizzes.assessment.pools import PoolKeeper
        from quizzes.exercises.chores import add_chore

        add_chore(PoolKeeper())
