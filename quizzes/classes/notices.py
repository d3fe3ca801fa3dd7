"""Mail about a new comment: sent only where the site has a mail server and was told to send it."""

import logging

from allauth.account.models import EmailAddress
from django.conf import settings
from django.core.mail import send_mail

from quizzes.classes.models import Comment

log = logging.getLogger(__name__)


def send_notice(comment: Comment) -> None:
    """Tell the learner by mail that there is a comment, not what it says. Failures are logged.

    Off unless CLASS_MAIL is set: mail about learning is for the operator to decide. It goes to
    verified addresses only.
    """
    if not settings.CLASS_MAIL:
        return
    learner = comment.submission.learner if comment.submission else None
    if learner is None and comment.response and comment.response.attempt:
        learner = comment.response.attempt.learner
    user = learner.user if learner else None
    rows = EmailAddress.objects.filter(user=user, verified=True, primary=True)
    address = rows.first() if user else None
    if address is None:
        return
    try:
        send_mail(
            f"A comment on your work in {comment.cohort.title}",
            "Somebody who teaches your class wrote a comment on your work.\n\n"
            "It stands under Messages when you are signed in.\n",
            None,
            [address.email],
        )
    except OSError:
        log.exception("no notice of comment %s could be sent", comment.pk)
