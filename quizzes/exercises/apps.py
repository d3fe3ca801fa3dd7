from django.apps import AppConfig


class ExercisesConfig(AppConfig):
    name = "quizzes.exercises"
    verbose_name = "Exercises"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from quizzes.exercises.lesson_block import ExerciseBlock
        from quizzes.exercises.services import first_exercise_address
        from quizzes.pages.blocks import register_block
        from quizzes.pages.lesson_exercises import register_lesson_exercise

        register_block(ExerciseBlock())
        register_lesson_exercise(first_exercise_address)
