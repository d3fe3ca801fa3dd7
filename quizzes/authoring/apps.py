from django.apps import AppConfig


class AuthoringConfig(AppConfig):
    name = "quizzes.authoring"
    verbose_name = "Authoring"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from quizzes.authoring.copies import copy_course
        from quizzes.courses.copying import register_copier

        register_copier(copy_course)
