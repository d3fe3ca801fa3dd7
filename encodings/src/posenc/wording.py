"""Numbers and nouns as people read them, for titles, findings and cards."""

NARROW_SPACE = "\u202f"  # groups thousands and never breaks a line


def grouped(number: float) -> str:
    """Return 45 000 for 45000: thousands in groups, no digit after the point that says nothing."""
    text = f"{number:,.0f}" if float(number).is_integer() else f"{number:,.10g}"
    return text.replace(",", NARROW_SPACE)


def rounded(number: float, digits: int = 3) -> str:
    """Return a positive number to `digits` significant digits, 43 500 rather than 4.35e+04."""
    if number == 0:
        return "0"
    return grouped(float(f"{number:.{digits}g}"))


def counted(number: int, noun: str) -> str:
    """Return "1 position" or "20 positions"."""
    return f"{grouped(number)} {noun}" if number == 1 else f"{grouped(number)} {noun}s"


def run(noun: str, first: int, last: int, verb: str) -> str:
    """Return "pair 3 turns" or "pairs 3 to 7 turn"."""
    if first == last:
        return f"{noun} {first} {verb}s"
    return f"{noun}s {first} to {last} {verb}"
