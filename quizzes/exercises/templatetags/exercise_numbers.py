"""Numbers as the verdict says them."""

from django import template

register = template.Library()
UNITS = ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs"))


@register.filter
def duration(seconds: float) -> str:
    """Return a time with two or three digits and the unit that suits it: 0.0123 is "12.3 ms"."""
    size, unit = next((pair for pair in UNITS if seconds >= pair[0]), UNITS[-1])
    value = seconds / size
    return f"{value:.3g}\u202f{unit}" if value < 100 else f"{value:.0f}\u202f{unit}"
