"""The list of exercises: in the order of the course, under the lesson each belongs to."""

from collections.abc import Iterable
from dataclasses import dataclass

from quizzes.exercises.about import About, abouts
from quizzes.exercises.models import Exercise
from quizzes.exercises.showing import Card, card_of
from quizzes.pages.course_order import places

ELSEWHERE = "More"


@dataclass(frozen=True)
class Group:
    """The exercises of one lesson; `title` is "" when nothing is known of lessons."""

    title: str
    cards: tuple[tuple[Card, About], ...]

    @property
    def solved(self) -> int:
        return sum(card.state == "done" for card, _ in self.cards)


def grouped(exercises: Iterable[Exercise], states: dict[str, str]) -> list[Group]:
    """Return groups of cards; an exercise whose step is not read anywhere comes last."""
    shown = [(one, one.current) for one in exercises if one.current is not None]
    about = abouts(version for _, version in shown)
    known = {place.step: (number, place.lesson) for number, place in enumerate(places())}
    found: dict[str, list[tuple[int, tuple[Card, About]]]] = {}
    for exercise, version in shown:
        card = card_of(exercise, states.get(exercise.slug, ""))
        number, lesson = known.get(version.step, (len(known), ELSEWHERE if known else ""))
        found.setdefault(lesson, []).append((number, (card, about[version.pk])))
    ordered = sorted(found.items(), key=lambda item: min(number for number, _ in item[1]))
    return [
        Group(title, tuple(card for _, card in sorted(cards, key=lambda pair: pair[0])))
        for title, cards in ordered
    ]
