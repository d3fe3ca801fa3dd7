"""Hash passwords at the cost that the settings name.

Imported by the settings: no Django models here.
"""

from dataclasses import dataclass

from django.conf import settings
from django.contrib.auth.hashers import Argon2PasswordHasher
from django.core.exceptions import ImproperlyConfigured

# OWASP's minimum, as pairs that resist guessing equally well (Password Storage Cheat Sheet,
# "Argon2id"): more memory needs fewer passes. A class of 200 signs in within two minutes. Django's
# own 100 MB in 8 lanes takes ten times the processor time of the default pair, and eight sign-ins
# at once, as many as two web processes have threads, would take 800 MB.
LEAST_MIB = {1: 46, 2: 19}  # by passes; from the last on, no less
DEFAULT_MIB, DEFAULT_PASSES = "19", "2"
MOST_MIB, MOST_PASSES = 1024, 20  # a second or more for each sign-in: a slip, such as KiB
LEAST_KIB = 8  # argon2's own
EXPECTED = (
    f"expected {LEAST_MIB[2]} MiB or more with 2 passes or more, or {LEAST_MIB[1]} MiB or more "
    f"with 1 pass; at most {MOST_MIB} MiB and {MOST_PASSES} passes"
)


@dataclass(frozen=True)
class PasswordCost:
    """What a guess costs: memory in MiB, and passes over it, one after another in one lane."""

    mib: int
    passes: int


def read_password_cost(mib: str, passes: str) -> PasswordCost:
    """Return the cost that an operator set; raises ImproperlyConfigured with both values."""
    problem = f"PASSWORD_MIB={mib}, PASSWORD_PASSES={passes}: {EXPECTED}"
    if not (mib.isdecimal() and passes.isdecimal()):
        raise ImproperlyConfigured(f"{problem}, as whole numbers")
    cost = PasswordCost(int(mib), int(passes))
    if not 1 <= cost.passes <= MOST_PASSES:
        raise ImproperlyConfigured(problem)
    if not LEAST_MIB[min(cost.passes, max(LEAST_MIB))] <= cost.mib <= MOST_MIB:
        raise ImproperlyConfigured(problem)
    return cost


class PasswordHasher(Argon2PasswordHasher):
    """Argon2id in one lane: threads of one sign-in would only take cores from other requests."""

    parallelism = 1

    @property
    def memory_cost(self) -> int:  # type: ignore[override]  # a plain number in Django's class
        """Memory in KiB."""
        return int(settings.PASSWORD_COST.mib) * 1024

    @property
    def time_cost(self) -> int:  # type: ignore[override]
        """Passes over the memory."""
        return int(settings.PASSWORD_COST.passes)

    def harden_runtime(self, password: str, encoded: str) -> None:
        """Do the work that a hash from before a raise of the cost lacks.

        Django calls this after a wrong password. Without it, a quick answer would show that the
        name has an account, because a name without an account is hashed at today's cost. Work is
        memory times passes; a hash that was dearer than today's cannot be made quicker.
        """
        stored = self.decode(encoded)
        work = self.memory_cost * self.time_cost - stored["memory_cost"] * stored["time_cost"]
        if work > 0:
            rest = Argon2PasswordHasher()
            rest.memory_cost = max(LEAST_KIB, work // self.time_cost)
            rest.time_cost, rest.parallelism = self.time_cost, self.parallelism
            rest.encode(password, self.salt())
