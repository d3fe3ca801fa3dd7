"""The functions a text may ask for a number: `{{ value wavelength(d_model=50, pair=3) :.2f }}`.

Every one takes plain keyword arguments, is computed by posenc or was measured once, and is quick
enough for the first reader of a page to wait for.
"""

from quizzes.lessons.value_functions import figures, finite, measured, relative, rotary, sinusoidal
from quizzes.pages.values import register_value

MODULES = (figures, finite, measured, relative, rotary, sinusoidal)


def register_numbers() -> None:
    """Make all of them known to the Markdown of the site."""
    for module in MODULES:
        for name in module.__all__:
            register_value(getattr(module, name))
