from django.apps import AppConfig


class AuthoringConfig(AppConfig):
    name = "quizzes.authoring"
    verbose_name = "Authoring"
    default_auto_field = "django.db.models.BigAutoField"
