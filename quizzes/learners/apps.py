from django.apps import AppConfig


class LearnersConfig(AppConfig):
    name = "quizzes.learners"
    verbose_name = "Learners"
    default_auto_field = "django.db.models.BigAutoField"
