"""Settings. Development works with no environment; production refuses to start half configured.

Every value that differs between machines comes from the environment (or `.env` in the root):
`ORDINAL_ENV` (development | production), `SECRET_KEY`, `ALLOWED_HOSTS`, `DATABASE_URL`,
`EMAIL_URL`, `HTTPS`, `ORDINAL_VAR`. docs/operations.md lists them.
"""

import os
import secrets
from pathlib import Path

import environ
from django.core.exceptions import ImproperlyConfigured

from quizzes.config import middleware
from quizzes.config.site_address import read_site_address
from quizzes.learners.password_hasher import DEFAULT_MIB, DEFAULT_PASSES, read_password_cost
from quizzes.learners.secret_files import read_or_draw
from quizzes.learners.sign_on.providers import read_providers

ROOT = Path(__file__).resolve().parents[2]

env = environ.Env()
environ.Env.read_env(ROOT / ".env")
VAR = Path(env.str("ORDINAL_VAR", str(ROOT / "var")))  # files that a running site writes
VAR.mkdir(parents=True, exist_ok=True)

ENVIRONMENT = env.str("ORDINAL_ENV", "development")
if ENVIRONMENT not in {"development", "production"}:
    raise ImproperlyConfigured(f"ORDINAL_ENV={ENVIRONMENT}: must be development or production")
PRODUCTION = ENVIRONMENT == "production"
if PRODUCTION:  # a service has no home folder where Matplotlib could keep its list of fonts
    os.environ.setdefault("MPLCONFIGDIR", str(VAR / "matplotlib"))
DEBUG = env.bool("DEBUG", False)
if DEBUG and PRODUCTION:
    raise ImproperlyConfigured("DEBUG=1: production must not show its code to visitors")
# Whether `make run` may begin a class of made-up people; production never has one.
DEMO_CLASS = env.bool("DEMO_CLASS", True) and not PRODUCTION
HTTPS = env.bool("HTTPS", PRODUCTION)
PROXY_COUNT = env.int("PROXY_COUNT", 0)  # our own reverse proxies that add to X-Forwarded-For
CASE_PACKS = env.int("CASE_PACKS", 16)  # case packs that are ready for each exercise
if CASE_PACKS < 1:
    raise ImproperlyConfigured(f"CASE_PACKS={CASE_PACKS}: must be a whole number of 1 or more")
MOST_CASE_PACKS = env.int("MOST_CASE_PACKS", max(64, CASE_PACKS))  # for frequent submitters
if MOST_CASE_PACKS < CASE_PACKS:
    raise ImproperlyConfigured(
        f"MOST_CASE_PACKS={MOST_CASE_PACKS}: must be at least CASE_PACKS, which is {CASE_PACKS}"
    )
WARM_TORCH = env.bool("WARM_TORCH", True)  # start torch before a submission needs it


def _required_in_production(name: str, development: str) -> str:
    value = str(env.str(name, ""))
    if value:
        return value
    if PRODUCTION:
        raise ImproperlyConfigured(f"{name} is not set: production needs it (docs/operations.md)")
    return development


def _development_key() -> str:
    """Return a key that survives restarts, so that a developer stays signed in."""
    return read_or_draw(VAR / "secret-key", lambda: secrets.token_urlsafe(50))


SECRET_KEY = _required_in_production("SECRET_KEY", "") or _development_key()
if len(SECRET_KEY) < 50:
    raise ImproperlyConfigured(f"SECRET_KEY has {len(SECRET_KEY)} characters: must be 50 or more")
# Former keys, the newest first: what was signed with them still counts. No new thing is.
SECRET_KEY_FALLBACKS = [key for key in env.list("SECRET_KEY_FALLBACKS", default=[]) if key]
if any(len(key) < 50 for key in SECRET_KEY_FALLBACKS):
    raise ImproperlyConfigured(
        "SECRET_KEY_FALLBACKS: each must be a former SECRET_KEY of 50 characters or more"
    )
ALLOWED_HOSTS = [
    *(host.strip() for host in _required_in_production("ALLOWED_HOSTS", "localhost").split(",")),
    "127.0.0.1",  # /healthz is asked from this machine
    "[::1]",
]
if not PRODUCTION and env.str("HOST", "") not in {"", "127.0.0.1", "localhost", "::1"}:
    ALLOWED_HOSTS = ["*"]  # `make run HOST=0.0.0.0`: any name this machine has

INSTALLED_APPS = [
    "quizzes.config.apps.AdministrationConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.usersessions",
    "allauth.socialaccount",
    "allauth.socialaccount.providers.openid_connect",
    "axes",
    "csp",
    "django_htmx",
    "quizzes.learners",
    "quizzes.pages",
    "quizzes.courses",
    "quizzes.lessons",
    "quizzes.assessment",
    "quizzes.exercises",
    "quizzes.concepts",
    "quizzes.classes",
    "quizzes.worker",
    "quizzes.study",
    "quizzes.teaching",
    "quizzes.authoring",
    "quizzes.operations",
]

MIDDLEWARE = middleware.MIDDLEWARE
ROOT_URLCONF = "quizzes.config.urls"
WSGI_APPLICATION = "quizzes.config.wsgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [ROOT / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            # Every form says whose page it is, beside its token.
            "builtins": ["quizzes.pages.templatetags.form_tags"],
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "csp.context_processors.nonce",
                "quizzes.courses.current_course.with_course",
                "quizzes.pages.form_placeholders.token",
            ],
        },
    },
]

PREPARED_STATEMENTS = env.bool("PREPARED_STATEMENTS", True)
DEVELOPMENT_DATABASE = f"sqlite:///{VAR / 'ordinal.sqlite3'}"
_required_in_production("DATABASE_URL", DEVELOPMENT_DATABASE)
DATABASES = {"default": env.db("DATABASE_URL", DEVELOPMENT_DATABASE)}
if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    # IMMEDIATE: a transaction that reads and then writes would otherwise fail with "database is
    # locked" at once, ignoring the timeout. WAL: readers do not wait for the worker's writes.
    DATABASES["default"]["OPTIONS"] = {
        "transaction_mode": "IMMEDIATE",
        # For a lock. Web processes wait for twice as long (gunicorn.py); a worker that waited for
        # 10 s would seem dead.
        "timeout": env.float("SQLITE_LOCK_SECONDS", 5),
        # A commit that finds the log longer than this, in pages of 4 kB, copies it into the file
        # and waits for the disk. A worker's heartbeat does so earlier, so that no request has to.
        "init_command": (
            "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA foreign_keys=ON;"
            "PRAGMA wal_autocheckpoint=10000;"
        ),
    }
else:
    INSTALLED_APPS.insert(0, "procrastinate.contrib.django")  # the queue: exercises/queue/
    PROCRASTINATE_AUTODISCOVER_MODULE_NAME = None
    # A pooler that gives a session's next statement to another server, such as PgBouncer in
    # transaction mode, loses cursors; forms with a choice of rows open them. So long tables are
    # read by their keys, a few rows at a time.
    DATABASES["default"]["DISABLE_SERVER_SIDE_CURSORS"] = True
    # A database whose machine or network is lost says nothing: without these limits a process
    # would wait for its answer for a quarter of an hour or more. `operations/lost_hosts.py` has the
    # other direction.
    DATABASES["default"]["OPTIONS"] = {
        # A statement that a connection has run five times is prepared: PostgreSQL plans it no more.
        # `benchmarks/pages.py --only-people`, with and without PREPARED_STATEMENTS=0, prints what a
        # page takes. A pooler must know of it.
        "server_side_binding": PREPARED_STATEMENTS,
        "prepare_threshold": 5 if PREPARED_STATEMENTS else None,
        "connect_timeout": 5,
        "keepalives_idle": 5,
        "keepalives_interval": 5,
        "keepalives_count": 2,
        "tcp_user_timeout": 15_000,  # milliseconds
        **DATABASES["default"].get("OPTIONS", {}),  # of DATABASE_URL
    }
DATABASES["default"]["CONN_MAX_AGE"] = 600  # seconds; serving threads live long
# Without it each thread's first request after a restart of the database would be answered 503.
DATABASES["default"]["CONN_HEALTH_CHECKS"] = True  # its cost: docs/benchmarks.md, "A class"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

CACHES = {
    "default": {  # limits and codes that were used: all processes of all machines must see them
        "BACKEND": "django.core.cache.backends.db.DatabaseCache",
        "LOCATION": "site_cache",
        "OPTIONS": {"MAX_ENTRIES": 100_000},
    }
}

AUTH_USER_MODEL = "learners.User"
AUTHENTICATION_BACKENDS = [
    "axes.backends.AxesStandaloneBackend",
    "quizzes.learners.account_backends.AccountBackend",
    # Of sessions that an earlier release opened. They are never asked for a password.
    "django.contrib.auth.backends.ModelBackend",
    "allauth.account.auth_backends.AuthenticationBackend",
]
PASSWORD_HASHERS = ["quizzes.learners.password_hasher.PasswordHasher"]
PASSWORD_COST = read_password_cost(
    env.str("PASSWORD_MIB", DEFAULT_MIB), env.str("PASSWORD_PASSES", DEFAULT_PASSES)
)
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator"},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "/"
ACCOUNT_LOGOUT_REDIRECT_URL = "/"
ACCOUNT_LOGIN_METHODS = {"username", "email"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "email", "password1*"]
ACCOUNT_ADAPTER = "quizzes.learners.account_adapter.AccountAdapter"
ACCOUNT_FORMS = {
    "change_password": "quizzes.learners.account_forms.ChangePasswordForm",
    "reauthenticate": "quizzes.learners.account_forms.ConfirmPasswordForm",
    "reset_password": "quizzes.learners.account_forms.ResetPasswordForm",
    "reset_password_from_key": "quizzes.learners.account_forms.LinkPasswordForm",
}
ACCOUNT_PREVENT_ENUMERATION = "strict"  # signing up does not tell which addresses have accounts
ACCOUNT_EMAIL_VERIFICATION = "optional"  # an address counts when it is confirmed, and waits for it
ACCOUNT_EMAIL_NOTIFICATIONS = True
ACCOUNT_EMAIL_SUBJECT_PREFIX = "Ordinal: "
ACCOUNT_REAUTHENTICATION_REQUIRED = True
ACCOUNT_REAUTHENTICATION_TIMEOUT = 10 * 60  # seconds that a typed password counts for
# allauth counts a few things of its own in the cache. What comes from one address is counted by
# `quizzes.limits`, which leaves room for a class; wrong passwords below, on rows.
ACCOUNT_RATE_LIMITS = {
    "signup": None,
    "login": None,
    "reset_password": "100/m/ip,5/m/key",  # each is a message to an address that somebody typed
    "reset_password_from_key": None,
    "change_password": "30/m/user",
    "reauthenticate": "30/m/user",
    # allauth would count all addresses together: from one anybody could lock out anybody.
    "login_failed": None,
}
# Accounts of a university or an organization: OpenID Connect.
OIDC_PROVIDERS = read_providers(env.str("OIDC_PROVIDERS", ""))
SIGNUP = env.str("SIGNUP", "open")  # who may make an account
if SIGNUP not in {"open", "invited", "closed"}:
    raise ImproperlyConfigured(f"SIGNUP={SIGNUP}: must be open, invited or closed")
LOCAL_PASSWORDS = env.bool("LOCAL_PASSWORDS", True)  # off: not for accounts that have a provider
if not LOCAL_PASSWORDS and not OIDC_PROVIDERS:
    raise ImproperlyConfigured("LOCAL_PASSWORDS=0: needs OIDC_PROVIDERS, by which people sign in")
SOCIALACCOUNT_ADAPTER = "quizzes.learners.sign_on.adapter.IdentityAdapter"
SOCIALACCOUNT_FORMS = {"signup": "quizzes.learners.sign_on.forms.ProviderSignUpForm"}
SOCIALACCOUNT_PROVIDERS = {
    "openid_connect": {"provider_class": "quizzes.learners.sign_on.provider.VerifiedProvider"}
}
SOCIALACCOUNT_AUTO_SIGNUP = False  # who has an account connects it
SOCIALACCOUNT_EMAIL_AUTHENTICATION = False  # an address opens no account
SOCIALACCOUNT_STORE_TOKENS = False
MFA_SUPPORTED_TYPES = ["totp", "recovery_codes"]
MFA_ADAPTER = "quizzes.learners.second_factor.SecondFactorAdapter"
MFA_FORMS = {
    "activate_totp": "quizzes.learners.second_factor.ActivateForm",
    "authenticate": "quizzes.learners.second_factor.AuthenticateForm",
    "reauthenticate": "quizzes.learners.second_factor.ReauthenticateForm",
}
MFA_ALLOW_UNVERIFIED_EMAIL = True  # an address is optional here
# A code of the time before would be taken twice: allauth remembers a used one for 30 seconds only.
MFA_TOTP_TOLERANCE = 0
AXES_FAILURE_LIMIT = 8
AXES_COOLOFF_TIME = 0.25  # hours
AXES_USERNAME_CALLABLE = "quizzes.learners.account_adapter.counted_name"
# What was typed is kept beside the count, but no password, old or new, and no word of a form.
AXES_SENSITIVE_PARAMETERS = [
    "username",
    "ip_address",
    "login",
    "oldpassword",
    "password1",
    "password2",
    "old_password",
    "new_password1",
    "new_password2",
]
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
AXES_LOCKOUT_TEMPLATE = "account/lockout.html"
# Sign-in and rate limits must agree on where a visitor comes from, or one lockout hits a campus.
ALLAUTH_TRUSTED_PROXY_COUNT = PROXY_COUNT
AXES_CLIENT_IP_CALLABLE = "quizzes.limits.client_address.client_address"
if PROXY_COUNT:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")

_required_in_production("EMAIL_URL", "consolemail://")
vars().update(env.email("EMAIL_URL", "consolemail://"))
EMAIL_TIMEOUT = 10  # seconds, for each step: a mail server that hangs holds a thread
RETENTION_DAYS = env.int("RETENTION_DAYS", 365)  # marks of deleted people, in archived classes
if RETENTION_DAYS < 1:
    raise ImproperlyConfigured(f"RETENTION_DAYS={RETENTION_DAYS}: must be 1 or more")
CLASS_MAIL = env.bool("CLASS_MAIL", False)  # mail comments' notices and invitations to learners
if CLASS_MAIL and not env.str("EMAIL_URL", ""):
    raise ImproperlyConfigured("CLASS_MAIL=1: needs EMAIL_URL, the server that sends the mail")
# Workers write links into mail, and no request says to them what the site is called.
SITE_ADDRESS = read_site_address(
    env.str("SITE_ADDRESS", ""),
    hosts=ALLOWED_HOSTS,
    https=HTTPS,
    port="" if PRODUCTION else env.str("PORT", "8000"),
)
if CLASS_MAIL and not SITE_ADDRESS:
    raise ImproperlyConfigured(
        f"CLASS_MAIL=1: needs SITE_ADDRESS, such as https://ordinal.example.org, because"
        f" ALLOWED_HOSTS begins with the pattern {ALLOWED_HOSTS[0]}"
    )
DEFAULT_FROM_EMAIL = SERVER_EMAIL = env.str("EMAIL_FROM", "Ordinal <ordinal@localhost>")

LANGUAGE_CODE = "en"
TIME_ZONE = "UTC"
USE_TZ = True

STATIC_URL = "/static/"
STATIC_ROOT = VAR / "static" if PRODUCTION else None  # in development: from their folders
STATICFILES_DIRS = [ROOT / "static"]
STATICFILES_FINDERS = [
    "quizzes.config.style_bundle.StyleBundle",
    "django.contrib.staticfiles.finders.FileSystemFinder",
    "django.contrib.staticfiles.finders.AppDirectoriesFinder",
]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "quizzes.config.static_storage.StaticStorage"
        if PRODUCTION
        else "django.contrib.staticfiles.storage.StaticFilesStorage"
    },
}
WHITENOISE_USE_FINDERS = WHITENOISE_AUTOREFRESH = not PRODUCTION  # an edited file shows at once

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": ["'self'"],
        "script-src": ["'self'"],
        "style-src": ["'self'"],
        "img-src": ["'self'", "data:"],
        "object-src": ["'none'"],
        "base-uri": ["'none'"],
        "form-action": ["'self'"],
        "frame-ancestors": ["'none'"],
    }
}
CSRF_FAILURE_VIEW = "quizzes.courses.sign_in_again.csrf_failure"
SECURE_REFERRER_POLICY = "same-origin"
SESSION_ENGINE = "quizzes.learners.sessions.session_store"
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = SECURE_SSL_REDIRECT = HTTPS
LEARNER_COOKIE_NAME, MESSAGES_COOKIE_NAME = "learner", "messages"
SEPARATOR_COOKIE_NAME = "separator"
if HTTPS:  # no other name of the domain, and no plain HTTP, can set a cookie that begins so
    SESSION_COOKIE_NAME, CSRF_COOKIE_NAME = "__Host-sessionid", "__Host-csrftoken"
    LEARNER_COOKIE_NAME, MESSAGES_COOKIE_NAME = "__Host-learner", "__Host-messages"
    SEPARATOR_COOKIE_NAME = "__Host-separator"
MESSAGE_STORAGE = "quizzes.config.message_storage.MessageStorage"
# Monitors ask from this machine, without the proxy.
SECURE_REDIRECT_EXEMPT = [r"^healthz$", r"^metrics$"]
SECURE_HSTS_SECONDS = 31_536_000 if HTTPS else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = HTTPS
DATA_UPLOAD_MAX_MEMORY_SIZE = 1280 * 1024  # each address has its own bound: body_bounds.py
DATA_UPLOAD_MAX_NUMBER_FIELDS = 6_000  # everybody of a roster of 5 000 lines may be ticked
X_FRAME_OPTIONS = "DENY"

LOG_FORMAT = env.str("LOG_FORMAT", "text")
if LOG_FORMAT not in {"text", "json"}:
    raise ImproperlyConfigured(f"LOG_FORMAT={LOG_FORMAT}: must be text or json")
REQUEST_LINES = env.str("ACCESS_LOG", "") == "1"  # one for each request
METRICS_TOKEN = env.str("METRICS_TOKEN", "")  # who has it may read /metrics; without one, nobody
if METRICS_TOKEN and len(METRICS_TOKEN) < 20:
    raise ImproperlyConfigured("METRICS_TOKEN: must have 20 characters or more")
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "line": {
            "()": "quizzes.config.log_lines.LineFormatter",
            "format": "%(asctime)s %(levelname)s %(name)s: %(message)s",
        },
        "json": {"()": "quizzes.config.log_lines.JsonFormatter"},
    },
    "filters": {"request": {"()": "quizzes.config.request_id.RequestIdFilter"}},
    "handlers": {
        "console": {
            "class": "logging.StreamHandler",
            "formatter": "json" if LOG_FORMAT == "json" else "line",
            "filters": ["request"],
        }
    },
    "root": {"handlers": ["console"], "level": env.str("LOG_LEVEL", "INFO")},
    "loggers": {
        # They greet at every start of every command.
        "axes.apps": {"level": "WARNING"},
        "procrastinate": {"level": "WARNING"},
        # It tells of a client that left, with the whole address; and of each wait for a thread.
        "waitress": {"level": "WARNING"},
        "waitress.queue": {"level": "ERROR"},
    },
}

COURSE = (
    ROOT / "quizzes" / "content" / "positional-encodings"
)  # the home course; others lie beside it
