from django.apps import AppConfig
from django.contrib.auth.signals import user_logged_in, user_logged_out


class LearnersConfig(AppConfig):
    name = "quizzes.learners"
    verbose_name = "Learners"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from allauth.account.signals import email_added, email_removed
        from allauth.account.signals import user_logged_in as signed_in
        from allauth.mfa.signals import authenticator_added

        from quizzes.learners import checks  # noqa: F401  (registers the check of demo logins)
        from quizzes.learners.account_adapter import tell_of_added, tell_of_removed
        from quizzes.learners.account_merge import adopt_on_sign_in
        from quizzes.learners.allauth_internals import disconnect_session_list
        from quizzes.learners.identity import note_leaving
        from quizzes.learners.second_factor import note_first_sign_in
        from quizzes.learners.sessions.own_sessions import end_others, list_session

        user_logged_in.connect(adopt_on_sign_in, dispatch_uid="adopt_on_sign_in")
        user_logged_in.connect(note_first_sign_in, dispatch_uid="note_first_sign_in")
        authenticator_added.connect(end_others, dispatch_uid="end_others")
        disconnect_session_list()
        signed_in.connect(list_session, dispatch_uid="list_session")
        user_logged_out.connect(note_leaving, dispatch_uid="note_leaving")
        email_added.connect(tell_of_added, dispatch_uid="tell_of_added")
        email_removed.connect(tell_of_removed, dispatch_uid="tell_of_removed")
