from django.apps import AppConfig


class ExercisesConfig(AppConfig):
    name = "quizzes.exercises"
    verbose_name = "Exercises"
    default_auto_field = "django.db.models.BigAutoField"
