from django.apps import AppConfig


class AssessmentConfig(AppConfig):
    name = "quizzes.assessment"
    verbose_name = "Assessment"
    default_auto_field = "django.db.models.BigAutoField"
