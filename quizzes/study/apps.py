from django.apps import AppConfig


class StudyConfig(AppConfig):
    name = "quizzes.study"
    verbose_name = "Study"
    default_auto_field = "django.db.models.BigAutoField"
