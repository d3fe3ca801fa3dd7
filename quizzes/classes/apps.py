from django.apps import AppConfig


class ClassesConfig(AppConfig):
    name = "quizzes.classes"
    verbose_name = "Classes"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from quizzes.assessment import sittings
        from quizzes.classes.access import may_see_submission
        from quizzes.classes.hidden_work import hidden_work
        from quizzes.classes.sitting_rules import sitting_rules
        from quizzes.exercises import access
        from quizzes.learners.services import register_hidden_answers

        access.register(may_see_submission)
        sittings.register(sitting_rules)
        register_hidden_answers(hidden_work)
