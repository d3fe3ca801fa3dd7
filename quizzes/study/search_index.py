"""The search of a course: a list of its parts in memory, made once for each content of it.

A course has some hundred parts with short texts, so each search looks at all of them: no engine
and no query beyond the one that says whether the list is still that of the course.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from math import log
from typing import Any

import posenc.catalog  # noqa: F401 -- fills REGISTRY
from django.urls import reverse
from django.utils.html import strip_tags
from django.utils.text import Truncator
from posenc.registry import REGISTRY

from quizzes.assessment.models import Question, Quiz
from quizzes.concepts.files import Concept, map_of
from quizzes.content_files.typed_text import fold_for_comparison
from quizzes.courses import addresses
from quizzes.courses.content import cached_content
from quizzes.courses.models import Course
from quizzes.exercises.models import Exercise
from quizzes.exercises.services import published_exercises
from quizzes.exercises.summary import summaries
from quizzes.lessons.glossary import glossary_of
from quizzes.lessons.models import Lesson
from quizzes.lessons.released.model_files import models_of

MOST = 20  # hits of one search
LONGEST = 100  # characters of a query that are looked at
# What a match is worth: the whole title, a whole word of the title, of its keywords, of its text.
WHOLE, TITLE, KEYWORD, TEXT = 40.0, 12.0, 6.0, 1.0
BEGINNING = 0.6  # of that, where the word only begins so
RELATED = 0.4  # where only its end is another
SHORTEST_STEM = 6
KINDS = {  # in words, and what breaks ties: what teaches comes before what asks
    "term": ("Glossary", 3.0),
    "lesson": ("Lesson", 4.0),
    "step": ("Step", 2.0),
    "reference": ("Reference", 2.0),
    "exercise": ("Exercise", 1.5),
    "concept": ("Concept", -8.0),
    "quiz": ("Quiz", 0.5),
    "encoding": ("Explorer", 0.8),
    "view": ("Explorer", 0.0),
    "card": ("Deep dive", 0.0),
    "models": ("Models", 3.0),
    "model": ("Models", 0.5),
}
KIND_OF_STEP = {Lesson.Form.CARDS.value: "card", Lesson.Form.REFERENCE.value: "reference"}
CONFIG_WORDS = (  # fields that people look for when they read one
    "config config.json rope_theta rope_parameters rope_type partial_rotary_factor"
    " rotary_pct max_position_embeddings original_max_position_embeddings sliding_window"
    " layer_types no_rope_layers attention_factor beta_fast beta_slow mrope_section"
)
_WORD = re.compile(r"\w+")
_SMALL_WORDS = "a an and as at by for from in is it of on or the to what with"
SMALL = frozenset(_SMALL_WORDS.split(" "))
# Blocks are left out: some hold answers. So are formulas on lines of their own, and screens' marks.
_CODE = re.compile(
    r"```.*?```|\$\$.*?\$\$|^:::screen|\]\([^)]*\)|[`*#|>\[]", re.DOTALL | re.MULTILINE
)
_FORMULA = re.compile(r"\$([^$]*)\$")
_SPACE, _COMMAND = re.compile(r"\\[,;:! ]"), re.compile(r"\\(?:text|math[a-z]*)\b|[\\{}]")


def words_of(text: str) -> list[str]:
    """Return the words of a text as they are compared: small letters, without accents.

    A name of several words joined by `_` counts as one word and as its parts.
    """
    bare = unicodedata.normalize("NFKD", text.casefold())
    bare = "".join(letter for letter in bare if not unicodedata.combining(letter))
    found: list[str] = []
    for word in _WORD.findall(bare):
        found.append(word)
        if "_" in word:
            found += [part for part in word.split("_") if part]
    return found


@dataclass(frozen=True, eq=False)
class Part:
    """One part of a course that can be found. `within` says where it belongs."""

    kind: str
    title: str
    address: str
    within: str = ""
    summary: str = ""
    keywords: str = ""
    text: str = ""
    slug: str = ""
    title_words: tuple[str, ...] = field(init=False)
    keyword_words: frozenset[str] = field(init=False)
    text_words: Mapping[str, int] = field(init=False)  # how often each is there

    def __post_init__(self) -> None:
        object.__setattr__(self, "title_words", tuple(words_of(self.title)))
        object.__setattr__(self, "keyword_words", frozenset(words_of(self.keywords)))
        texts = words_of(f"{self.summary} {self.within} {self.text}")
        object.__setattr__(self, "text_words", Counter(texts))

    @property
    def kind_in_words(self) -> str:
        return KINDS[self.kind][0]

    def _worth_of(self, word: str) -> float:
        often = TEXT * (1 + log(1 + self.text_words.get(word, 0)))
        return max(
            _worth(word, self.title_words, TITLE),
            _worth(word, self.keyword_words, KEYWORD),
            _worth(word, self.text_words, often),
        )

    def worth(self, words: Sequence[str]) -> float:
        """Return a score for the words searched for; 0 if one of them is missing."""
        total = 0.0
        for word in words:
            best = self._worth_of(word)
            if "_" in word:  # a name of code: as a whole it says more than its parts do
                parts = min(map(self._worth_of, word.strip("_").split("_")))
                best = best + TITLE if best else parts
            if not best:
                return 0.0
            total += best
        # A short title that is all asked for says more than a long one that has it too.
        share = len(set(words) & set(self.title_words)) / max(len(set(self.title_words)), 1)
        names = (self.title, self.slug, self.slug.rpartition("/")[2])
        whole = WHOLE if any(set(words) == set(words_of(one)) - SMALL for one in names) else 0.0
        return total + whole + TITLE * share + KINDS[self.kind][1]


def _worth(word: str, there: Collection[str], value: float) -> float:
    if word in there:
        return value
    if f"{word}s" in there or word.removesuffix("s") in there:
        return 0.9 * value
    if len(word) > 1 and any(one.startswith(word) for one in there):
        return BEGINNING * value
    # "equivariant" and "equivariance": all but a short end is the same.
    stem = word[:-3]
    related = len(stem) >= SHORTEST_STEM and any(
        one.startswith(stem) and len(one) <= len(word) + 2 for one in there
    )
    return RELATED * value if related else 0.0


@dataclass(frozen=True, eq=False)
class SearchIndex:
    """All parts of one course that a learner may find."""

    parts: tuple[Part, ...]

    def hits(self, query: str) -> list[Part]:
        """Return the parts that have every word of a query, the best first; at most MOST."""
        query = fold_for_comparison(query[:LONGEST])
        asked = list(dict.fromkeys(_WORD.findall(" ".join(words_of(query)))))
        joined = _WORD.findall(query.casefold())
        asked = [one for one in asked if one in joined] or asked
        asked = [one for one in asked if one not in SMALL] or asked
        if not asked:
            return []
        valued = [(part.worth(asked), number, part) for number, part in enumerate(self.parts)]
        found = sorted((-value, number) for value, number, _ in valued if value)
        return [self.parts[number] for _, number in found[:MOST]]

    def nearest(self, query: str) -> str:
        """Return a query of words that the course has, for one without hits; "" if none is near."""
        known = {word for part in self.parts for word in (*part.title_words, *part.keyword_words)}
        asked = fold_for_comparison(query)
        near = [get_close_matches(word, known, n=1, cutoff=0.7) for word in words_of(asked)]
        words = " ".join(one[0] for one in near if one)
        return words if words and self.hits(words) else ""


def search_index(course: Course) -> SearchIndex:
    """Return the index of a course as it is now. One query when it is known."""
    return _index(course.pk)


@cached_content
def _index(course: int) -> SearchIndex:
    return SearchIndex(tuple(_parts(Course.objects.get(pk=course))))


def _parts(course: Course) -> Iterator[Part]:
    found = map_of(course)
    concepts = found.concepts if found else ()
    yield from _of_lessons(course, concepts)
    yield from _of_terms(course)
    yield from _of_exercises(course)
    yield from _of_quizzes(course)
    for one in concepts:
        address = f"{addresses.list_address(course.slug, 'map')}?focus={one.slug}#details"
        yield Part("concept", one.title, address, "Concept map", one.summary)
    yield from _of_models(course)
    yield from _of_encodings()


def _of_lessons(course: Course, concepts: Sequence[Concept]) -> Iterator[Part]:
    """Yield lessons and steps. A step is found by the concepts that begin with it too."""
    taught: dict[str, list[str]] = {}
    for concept in concepts:
        if concept.steps:
            taught.setdefault(concept.steps[0], []).append(f"{concept.slug} {concept.title}")
    lessons = Lesson.objects.filter(course=course, withdrawn_at=None).select_related("course")
    for lesson in lessons.prefetch_related("steps").order_by("number"):
        deck = lesson.form == Lesson.Form.CARDS
        if not deck:
            yield Part(
                *("reference" if lesson.is_reference else "lesson", lesson.title),
                *(lesson.get_absolute_url(), "Lessons", lesson.summary, lesson.slug, ""),
                lesson.slug,
            )
        for number, step in enumerate(lesson.steps.all(), 1):
            step.lesson = lesson
            card = addresses.card_address(course.slug, number)
            yield Part(
                KIND_OF_STEP.get(lesson.form, "step"),
                step.title,
                card if deck else step.get_absolute_url(),
                lesson.title,
                Truncator(_plain(step.text)).chars(140),
                " ".join([step.slug, lesson.slug, *taught.get(step.path, [])]),
                _plain(step.text),
                step.path,
            )


def _of_terms(course: Course) -> Iterator[Part]:
    glossary = glossary_of(course)
    if glossary is None:
        return
    address = addresses.step_address(course.slug, glossary.path)
    for term in glossary.terms:
        code = " ".join(strip_tags(one) for one in term.sources if one.startswith("<code"))
        names = " ".join(strip_tags(one.code) for one in term.meanings)
        yield Part(
            *("term", f"{term.name}", f"{address}#{term.id}", "Glossary"),
            *(Truncator(term.words.strip()).chars(140), f"{code} {names} {term.name}"),
        )


def _of_exercises(course: Course) -> Iterator[Part]:
    exercises: list[Exercise] = list(published_exercises(course))
    versions = [one.current for one in exercises if one.current]
    about = summaries(versions)
    for one in exercises:
        if one.current is not None:
            task = strip_tags(about[one.current.pk].task)
            name = one.slug.replace("-", "_")  # as code spells it
            yield Part(
                *("exercise", one.current.title, one.get_absolute_url(), "Exercises"),
                *(task, f"{name} exercise code", "", one.slug),
            )


def _of_quizzes(course: Course) -> Iterator[Part]:
    """Yield the quizzes. Of their questions only the topics count, never a text or an answer."""
    there = Question.objects.filter(withdrawn_at=None, current__isnull=False)
    topics: dict[int, list[str]] = {}
    rows: Any = there.filter(course=course).values_list("quizzes", "current__tags")
    for quiz, tags in rows:
        topics.setdefault(quiz, []).extend(map(str, tags))
    for one in Quiz.objects.listed().filter(course=course).select_related("course"):
        said = " ".join(dict.fromkeys(topics.get(one.pk, [])))
        summary = _plain(one.summary)
        yield Part("quiz", one.title, one.get_absolute_url(), "Quizzes", summary, "quiz", said)


def _of_models(course: Course) -> Iterator[Part]:
    """Yield the page of models, which fields of a config.json lead to, and each model."""
    models = models_of(course)
    if not models:
        return
    yield Part(
        *("models", "Models and their config.json", addresses.models_address(course.slug)),
        *("Models", "Paste a config.json, and see what its layers do with position.", CONFIG_WORDS),
    )
    pictures = addresses.model_pictures_address(course.slug)
    for model in models:
        facts = model.facts
        about = f"{facts['kind']}, {facts['year']}; layers: {facts['layers']}"
        address = f"{pictures}?of={model.slug}"
        yield Part("model", facts["name"], address, "Models", about, "model config", "", model.slug)


def _of_encodings() -> Iterator[Part]:
    explorer = reverse("lessons:explore")
    for entry in REGISTRY.values():
        if entry.views:
            first, *others = [(f"{entry.slug}/{one.slug}", one) for one in entry.views.values()]
            told = ". ".join(one.title for one in entry.views.values())
            address = f"{explorer}?enc={first[0]}"
            names = f"{entry.slug} {first[1].slug}"
            yield Part("encoding", entry.title, address, "Explorer", told, names, "", entry.slug)
            for name, view in others:
                yield Part("view", view.title, f"{explorer}?enc={name}", entry.title, "", view.slug)


def _plain(markdown: str) -> str:
    """Return a text without its marks, code and addresses, formulas as letters: omega_i, p + k."""
    words = _FORMULA.sub(lambda match: _as_letters(match[1]), _CODE.sub(" ", markdown))
    return " ".join(words.split())


def _as_letters(latex: str) -> str:
    return _COMMAND.sub("", _SPACE.sub(" ", latex))
