"""What every request passes on its way to a view, in this order, and its answer on the way back.

What a view raises is offered to the last of them first. `ORDER` says why each of ours stands where
it does; another order is refused when the site starts.
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
    ("RequestRecord", "AnswerHeaders", "every answer is named and counted, whoever gave it"),
    ("RequestRecord", "Common", "monitors ask by any address and must pass the check of hosts"),
    ("AnswerHeaders", "WhiteNoise", "files get the headers too"),
    ("WhiteNoise", "Compression", "files lie compressed on the disk"),
    ("Compression", "Session", "it needs the whole page: what answers inside is compressed too"),
    ("Authentication", "Limit", "a person is counted by the account"),
    ("Limit", "AccountGuard", "what is refused for its number costs nothing that follows"),
    ("BodyBound", "SignInAgain", "a body is measured before a form is read"),
    ("OnlyUtf8", "SignInAgain", "an encoding is known before a form is read"),
    ("Message", "AccountGuard", "the guard leaves a message"),
    ("Account", "AccountGuard", "its answer to an old password comes first; allauth keeps posts"),
    ("AccountGuard", "Learner", "an account without its second factor sees nothing of a learner"),
    ("Learner", "ViewAs", "another learner takes the place of the account's own"),
    ("ViewAs", "SignInAgain", "what is sent in somebody's name is refused, and not kept"),
)


def order_faults(names: Sequence[str]) -> list[str]:
    """Return a sentence for each middleware that stands on the wrong side of another."""
    places = {name.rpartition(".")[2].removesuffix("Middleware"): i for i, name in enumerate(names)}
    return [
        f"{first} must stand before {second}: {reason}"
        for first, second, reason in ORDER
        if places[first] > places[second]
    ]


if faults := order_faults(MIDDLEWARE):
    raise ImproperlyConfigured("; ".join(faults))
