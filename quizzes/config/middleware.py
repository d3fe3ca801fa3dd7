"""What every request passes on its way to a view, in this order, and its answer on the way back.

The last of them is the first to see an exception of a view. `ORDER` has the reason for the place of
each middleware of this project; the site does not start with another order.
"""

from collections.abc import Sequence

from django.core.exceptions import ImproperlyConfigured

MIDDLEWARE = [
    "quizzes.config.request_record.RequestRecordMiddleware",
    "quizzes.config.answer_headers.AnswerHeadersMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "quizzes.config.compression.CompressionMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "quizzes.limits.middleware.LimitMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "csp.middleware.CSPMiddleware",
    "quizzes.config.body_bounds.BodyBoundMiddleware",
    "quizzes.config.encoding.OnlyUtf8Middleware",
    "allauth.account.middleware.AccountMiddleware",
    "quizzes.learners.password_again.AccountGuardMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "quizzes.learners.identity.LearnerMiddleware",
    "quizzes.classes.view_as.ViewAsMiddleware",
    "quizzes.courses.sign_in_again.SignInAgainMiddleware",
    "axes.middleware.AxesMiddleware",
]

# The first stands somewhere before the second, for this reason.
ORDER = (
    ("RequestRecord", "AnswerHeaders", "every answer is named and counted"),
    ("RequestRecord", "Common", "monitors ask by any address and must pass the check of hosts"),
    ("AnswerHeaders", "WhiteNoise", "files get the headers too"),
    ("WhiteNoise", "Compression", "files lie compressed on the disk"),
    ("Compression", "Session", "it compresses whole pages, of all that follow"),
    ("Authentication", "Limit", "a person is counted by account"),
    ("Limit", "AccountGuard", "a request over its limit costs nothing further"),
    ("CsrfView", "SignInAgain", "a forged form is not kept for after the sign-in"),
    ("BodyBound", "SignInAgain", "a body is measured before a form is read"),
    ("OnlyUtf8", "SignInAgain", "an encoding is known before a form is read"),
    ("Message", "AccountGuard", "the guard leaves a message"),
    ("Account", "AccountGuard", "the guard asks for the password first: allauth keeps posts"),
    ("AccountGuard", "Learner", "an account without its second factor sees nothing of a learner"),
    ("Learner", "ViewAs", "another learner takes the place of the account's own"),
    ("ViewAs", "SignInAgain", "a form sent while viewing as somebody is refused, and not kept"),
)


def order_faults(names: Sequence[str]) -> list[str]:
    """Return a sentence for each middleware that stands on the wrong side of another."""
    places = {name.rpartition(".")[2].removesuffix("Middleware"): i for i, name in enumerate(names)}
    return [
        f"{first} must come before {second}: {reason}"
        for first, second, reason in ORDER
        if places[first] > places[second]
    ]


if faults := order_faults(MIDDLEWARE):
    raise ImproperlyConfigured("; ".join(faults))
