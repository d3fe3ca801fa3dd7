from django.apps import AppConfig


class AssessmentConfig(AppConfig):
    name = "quizzes.assessment"
    verbose_name = "Assessment"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from quizzes.assessment.lesson_block import QuestionBlock
        from quizzes.assessment.services import settle_attempts, settle_inline_responses
        from quizzes.learners.services import learners_merging
        from quizzes.pages.blocks import register_block

        register_block(QuestionBlock())
        learners_merging.connect(settle_attempts, dispatch_uid="settle_attempts")
        learners_merging.connect(settle_inline_responses, dispatch_uid="settle_inline_responses")
