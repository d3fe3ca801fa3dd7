from django.apps import AppConfig


class ExercisesConfig(AppConfig):
    name = "quizzes.exercises"
    verbose_name = "Exercises"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from quizzes.exercises.lesson_block import ExerciseBlock
        from quizzes.exercises.services import first_exercise_address
        from quizzes.pages.blocks import register_block
        from quizzes.pages.lesson_exercises import exercise_address_of

        register_block(ExerciseBlock())
        exercise_address_of.fill(first_exercise_address)
