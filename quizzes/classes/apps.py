from django.apps import AppConfig
from django.db.models.signals import pre_delete


class ClassesConfig(AppConfig):
    name = "quizzes.classes"
    verbose_name = "Classes"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from allauth.account.signals import email_confirmed

        from quizzes.assessment import sittings
        from quizzes.classes.access import may_see_submission
        from quizzes.classes.freezing import cut_off_before_deletion, cut_off_before_forgetting
        from quizzes.classes.hidden_work import hidden_work
        from quizzes.classes.joining import claim_on_confirmation
        from quizzes.classes.offers import sitting_offers
        from quizzes.classes.own_work import assignments_open_since, is_assigned
        from quizzes.classes.sitting_rules import (
            sitting_rules,
            sittings_of_the_class,
            submit_rules,
        )
        from quizzes.exercises import access, assigned_work
        from quizzes.learners.models import Learner, User
        from quizzes.learners.services import register_assigned_work, register_hidden_answers

        access.register(may_see_submission)
        assigned_work.register(submit_rules, assignments_open_since)
        sittings.register(sitting_rules)
        sittings.register_offers(sitting_offers)
        sittings.register_siblings(sittings_of_the_class)
        register_hidden_answers(hidden_work)
        register_assigned_work(is_assigned)
        email_confirmed.connect(claim_on_confirmation)
        pre_delete.connect(cut_off_before_deletion, sender=User)
        pre_delete.connect(cut_off_before_forgetting, sender=Learner)
