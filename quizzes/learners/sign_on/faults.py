"""What can go wrong with a sign-in by a provider, in one sentence each, and what to do about it.

A fault is a code; tests, the log and pages name it. `{name}` is the provider's name. The statuses:
400 where the visitor's browser brought it, 403 for what is not allowed, 502 where the provider's
answer is wrong, 503 where it does not answer.
"""

from enum import Enum

AGAIN = "Start again with the button."
OPERATOR = "Try again in a few minutes. If it stays, write to the person who runs this site."


class Fault(Enum):
    """A reason why a sign-in ends without a session: status, sentence, cure."""

    CANCELLED = (400, "You stopped the sign-in at {name}.", AGAIN)
    STATE = (
        400,
        "This sign-in was used already, took longer than ten minutes, or began elsewhere.",
        AGAIN,
    )
    REFUSED = (400, "{name} did not sign you in.", f"{AGAIN} If it stays, ask {{name}} for help.")
    SIGNED_IN = (
        403,
        "You are signed in with another account here.",
        "To use both, open “Ways to sign in” under your name and connect {name}.",
    )
    OTHER_IDENTITY = (
        403,
        "That account of {name} is not connected with your account here.",
        "Sign in at {name} with the account that is connected, then try again.",
    )
    NOT_RECENT = (
        403,
        "{name} did not say that you have just signed in there, so nothing was changed.",
        "Sign out at {name} and try again, or confirm with a code or a password instead.",
    )
    BUSY = (
        400,
        "Somebody else used the same name, address or account of {name} at the same moment.",
        AGAIN,
    )
    SILENT = (503, "{name} does not answer at the moment.", OPERATOR)
    CONFIGURATION = (502, "The configuration of {name} cannot be used.", OPERATOR)
    EXCHANGE = (502, "{name} did not accept the sign-in of this site.", f"{AGAIN} {OPERATOR}")
    UNREADABLE = (502, "The answer of {name} could not be read.", OPERATOR)
    KEY = (502, "{name} signed its answer with a key that it does not publish.", OPERATOR)
    SIGNATURE = (502, "The signature of {name} under its answer is wrong.", OPERATOR)
    ISSUER = (502, "The answer came from another issuer than {name}.", OPERATOR)
    AUDIENCE = (502, "The answer of {name} was made for another site.", OPERATOR)
    NONCE = (502, "The answer of {name} belongs to another sign-in.", f"{AGAIN} {OPERATOR}")
    EXPIRED = (502, "The answer of {name} has expired.", f"{AGAIN} {OPERATOR}")
    CLOCK = (
        502,
        "The clocks of {name} and of this site differ by minutes.",
        "Write to the person who runs this site: the clocks must be set.",
    )
    SUBJECT = (502, "{name} did not say whose account it is, in a form that can be kept.", OPERATOR)

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
    """A sign-in by a provider ends here; `detail` is for the log, without tokens or secrets."""

    def __init__(self, fault: Fault, detail: str = "") -> None:
        super().__init__(f"{fault.name.lower()}: {detail}" if detail else fault.name.lower())
        self.fault = fault
