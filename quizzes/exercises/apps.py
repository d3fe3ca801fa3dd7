from django.apps import AppConfig


class ExercisesConfig(AppConfig):
    name = "quizzes.exercises"
    verbose_name = "Exercises"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from quizzes.exercises.lesson_block import ExerciseBlock
        from quizzes.pages.blocks import register_block

        register_block(ExerciseBlock())
