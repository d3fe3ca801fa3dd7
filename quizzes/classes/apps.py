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
        from quizzes.classes.hidden_work import hidden_work
        from quizzes.classes.join_views import is_invited, take_kept_places, take_on_confirmation
        from quizzes.classes.marks.frozen_marks import (
            cut_off_before_deletion,
            cut_off_before_forgetting,
        )
        from quizzes.classes.offers import sitting_offers
        from quizzes.classes.own_work import (
            assignments_open_since,
            is_assigned,
            submits_expected,
        )
        from quizzes.classes.sitting_rules import (
            sitting_rules,
            sittings_of_the_class,
            submit_rules,
        )
        from quizzes.exercises import access, assigned_work
        from quizzes.learners import assigned_work as work_of_learners
        from quizzes.learners import sign_up
        from quizzes.learners.hidden_answers import find_hidden_answers
        from quizzes.learners.models import Learner, User

        access.may_see_submission.fill(may_see_submission)
        assigned_work.submit_rules.fill(submit_rules)
        assigned_work.assignments_open_since.fill(assignments_open_since)
        assigned_work.submits_expected.fill(submits_expected)
        sittings.rules_of.fill(sitting_rules)
        sittings.offers_of.fill(sitting_offers)
        sittings.siblings_of.fill(sittings_of_the_class)
        find_hidden_answers.fill(hidden_work)
        work_of_learners.is_assigned.fill(is_assigned)
        sign_up.is_invited.fill(is_invited)
        sign_up.take_kept_places.fill(take_kept_places)
        email_confirmed.connect(take_on_confirmation)
        pre_delete.connect(cut_off_before_deletion, sender=User)
        pre_delete.connect(cut_off_before_forgetting, sender=Learner)
