from django.apps import AppConfig


class AssessmentConfig(AppConfig):
    name = "quizzes.assessment"
    verbose_name = "Assessment"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from quizzes.assessment.lesson_block import QuestionBlock
        from quizzes.assessment.services import settle_learners
        from quizzes.learners.account_merge import settle_rows_of_both
        from quizzes.pages.blocks import register_block

        register_block(QuestionBlock())
        settle_rows_of_both.fill(settle_learners)
