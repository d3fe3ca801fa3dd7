"""What can go wrong with a sign-in by a provider, in one sentence each, and what to do about it.

A fault is a code; tests, the log and pages name it. `{name}` is the provider's name. The statuses:
400 where the visitor's browser brought it, 403 for what is not allowed, 502 where the provider's
answer is wrong, 503 where it does not answer, or too many people wait for it.
"""

from enum import Enum

AGAIN = "Start again with the button."
OPERATOR = (
    "Try again in a few minutes. If it happens again, write to the person who runs this site."
)


class Fault(Enum):
    """A reason why a sign-in ends without a session: status, sentence, cure."""

    CANCELLED = (400, "You cancelled the sign-in at {name}.", AGAIN)
    STATE = (
        400,
        "This sign-in has already been used, took more than ten minutes, or began elsewhere.",
        AGAIN,
    )
    REFUSED = (
        400,
        "{name} did not sign you in.",
        f"{AGAIN} If it happens again, ask {{name}} for help.",
    )
    SIGNED_IN = (
        403,
        "You are signed in to another account here.",
        "To use both, open “Ways to sign in” under your name and connect {name}.",
    )
    OTHER_IDENTITY = (
        403,
        "That account at {name} is not connected to your account here.",
        "Sign in at {name} with the connected account, then try again.",
    )
    NOT_RECENT = (
        403,
        "{name} did not say that you have just signed in there, so nothing was changed.",
        "Sign out at {name} and try again, or confirm with a code or a password instead. If it "
        "happens again, tell the person who runs this site: {name} must send “auth_time”.",
    )
    BUSY = (
        400,
        "Somebody else used the same name, address or {name} account at the same moment.",
        AGAIN,
    )
    CROWDED = (503, "Many people are signing in right now.", "Try again in a minute.")
    SILENT = (503, "{name} is not responding at the moment.", OPERATOR)
    CONFIGURATION = (502, "The configuration of {name} cannot be used.", OPERATOR)
    EXCHANGE = (502, "{name} did not accept this site’s request.", f"{AGAIN} {OPERATOR}")
    UNREADABLE = (502, "{name} sent an answer that could not be read.", OPERATOR)
    KEY = (502, "{name} signed its answer with a key that it does not publish.", OPERATOR)
    SIGNATURE = (502, "The signature on {name}’s answer is wrong.", OPERATOR)
    ISSUER = (502, "The answer came from a different issuer than {name}.", OPERATOR)
    AUDIENCE = (502, "{name}’s answer was meant for another site.", OPERATOR)
    NONCE = (502, "{name}’s answer belongs to another sign-in.", f"{AGAIN} {OPERATOR}")
    EXPIRED = (502, "{name}’s answer has expired.", f"{AGAIN} {OPERATOR}")
    CLOCK = (
        502,
        "The clocks at {name} and on this site differ by minutes.",
        "Write to the person who runs this site: a clock must be set.",
    )
    SUBJECT = (
        502,
        "{name} did not say whose account it is in a form that can be stored.",
        OPERATOR,
    )

    @property
    def status(self) -> int:
        """The status of the page."""
        return self.value[0]

    def sentence(self, name: str) -> str:
        """Return what happened."""
        return self.value[1].format(name=name)

    def cure(self, name: str) -> str:
        """Return what to do."""
        return self.value[2].format(name=name)


class SignOnError(Exception):
    """A sign-in by a provider ends here; `detail` is for operators.

    It goes into the log and onto their page, so it has no token, no secret, and nothing that says
    who the person is: of claims, only issuer, audience, key and times.
    """

    def __init__(self, fault: Fault, detail: str = "") -> None:
        super().__init__(f"{fault.name.lower()}: {detail}" if detail else fault.name.lower())
        self.fault, self.detail = fault, detail


ERROR_CODES = {  # RFC 6749, 4.1.2.1 and 5.2; OpenID Connect Core 1.0, 3.1.2.6
    *("invalid_request", "invalid_client", "invalid_grant", "invalid_scope", "access_denied"),
    *("unauthorized_client", "unsupported_grant_type", "unsupported_response_type"),
    *("server_error", "temporarily_unavailable", "interaction_required", "login_required"),
    *("account_selection_required", "consent_required", "invalid_request_uri"),
    *("invalid_request_object", "request_not_supported", "request_uri_not_supported"),
    "registration_not_supported",
}


def error_code(value: object) -> str:
    """Return the code of an error; a text that is no code could say whose sign-in it was."""
    is_code = isinstance(value, str) and value in ERROR_CODES
    return str(value) if is_code else "an error without a known code"
