"""Why a regrade is not begun, applied or undone."""


class RegradeRefusedError(Exception):
    """It cannot be done; the message says why, for staff."""


class PlanChangedError(RegradeRefusedError):
    """What a regrade would do is not what its preview said: somebody was faster."""
