"""The list of exercises: in the order of the course, under the lesson each belongs to."""

from collections.abc import Iterable
from dataclasses import dataclass

from quizzes.exercises.models import Exercise
from quizzes.exercises.showing import Card, card_of
from quizzes.pages.course_order import places

ELSEWHERE = "More"


@dataclass(frozen=True)
class Group:
    """The exercises of one lesson; `title` is "" when nothing is known of lessons."""

    title: str
    cards: tuple[Card, ...]

    @property
    def solved(self) -> int:
        return sum(card.state == "done" for card in self.cards)


def grouped(exercises: Iterable[Exercise], states: dict[str, str]) -> list[Group]:
    """Return groups of cards; an exercise whose step is not read anywhere comes last."""
    known = {place.step: (number, place.lesson) for number, place in enumerate(places())}
    found: dict[str, list[tuple[int, Card]]] = {}
    for exercise in exercises:
        card = card_of(exercise, states.get(exercise.slug, ""))
        step = exercise.current.step if exercise.current else ""
        number, lesson = known.get(step, (len(known), ELSEWHERE if known else ""))
        found.setdefault(lesson, []).append((number, card))
    ordered = sorted(found.items(), key=lambda item: min(number for number, _ in item[1]))
    return [
        Group(title, tuple(card for _, card in sorted(cards, key=lambda pair: pair[0])))
        for title, cards in ordered
    ]
