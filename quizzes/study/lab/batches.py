"""The places of one Run of the lab: each n, or each d, around the hand."""

from quizzes.grader.programs import MAX_BYTES, MOST_PLACES, Place
from quizzes.study.lab.forms import HIGH, LOW

MOST_NUMBERS = MAX_BYTES // 8  # float64 of all places together


def places_around(*, n: int, d: int, along: str) -> list[Place]:
    """Return the places of a run, the hand's first, then the nearest: as many as fit in one run."""
    hand = {"n": n, "d": d}
    sizes = sorted(range(LOW, HIGH + 1), key=lambda size: abs(size - hand[along]))
    places: list[Place] = []
    numbers = 0
    for size in sizes[:MOST_PLACES]:
        place = hand | {along: size}
        numbers += place["n"] * place["d"]
        if numbers > MOST_NUMBERS:
            break
        places.append(place)
    return places
