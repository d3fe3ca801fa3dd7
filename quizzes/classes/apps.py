from django.apps import AppConfig


class ClassesConfig(AppConfig):
    name = "quizzes.classes"
    verbose_name = "Classes"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from quizzes.assessment import sittings
        from quizzes.classes.hidden_work import hidden_work
        from quizzes.classes.sitting_rules import sitting_rules
        from quizzes.learners.services import register_hidden_answers

        sittings.register(sitting_rules)
        register_hidden_answers(hidden_work)
