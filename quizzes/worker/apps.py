from django.apps import AppConfig


class WorkerConfig(AppConfig):
    name = "quizzes.worker"
    verbose_name = "Worker"
    default_auto_field = "django.db.models.BigAutoField"
