from django.apps import AppConfig
from django.db.models.signals import pre_delete


class ClassesConfig(AppConfig):
    name = "quizzes.classes"
    verbose_name = "Classes"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from allauth.account.signals import email_confirmed

        from quizzes.classes.access import may_see_submission
        from quizzes.classes.freezing import cut_off_before_deletion, cut_off_before_forgetting
        from quizzes.classes.joining import claim_on_confirmation
        from quizzes.exercises.access import register
        from quizzes.learners.models import Learner, User

        register(may_see_submission)
        email_confirmed.connect(claim_on_confirmation)
        pre_delete.connect(cut_off_before_deletion, sender=User)
        pre_delete.connect(cut_off_before_forgetting, sender=Learner)
