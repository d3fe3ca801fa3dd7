"""Read models.yaml of a course folder, with every fault and its line, and keep it with the course.

models.yaml    models: slug, name, year, kind, verified, source, as_of, layers, context, ...

A course needs no such file. Each number in it has a source, and what follows from the numbers
(`expected`) is computed here once more: a wrong fact, or a wrong engine, is a fault of the file.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any

import numpy as np
from posenc.catalog.rope import Rope
from posenc.errors import ParameterError

from quizzes.content_files.canonical_yaml import Line, Row, ordered, write_yaml
from quizzes.content_files.dated import read_day, remark_on
from quizzes.content_files.fields import MAX_SLUG, Fields
from quizzes.content_files.files import Files
from quizzes.content_files.problems import ContentError, ContentProblem
from quizzes.content_files.stored_hashes import Stored, hash_of
from quizzes.content_files.yaml_nodes import Node, read_yaml
from quizzes.courses.content import cached_content
from quizzes.courses.models import Course
from quizzes.lessons.models import ReleasedModels
from quizzes.lessons.released.rope_names import NamedRope
from quizzes.pages.markdown import plain_text_problems

FILE = "models.yaml"
VERIFIED = {
    "first-party": "the maker’s own code or file",
    "mirror": "somebody else’s copy",
    "class-default": "a default of a class, in a library",
}
SEES = ("all", "window", "chunk", "recurrent", "compressed")
NAMES = (
    *("slug", "name", "year", "kind", "verified", "source", "as_of", "layers", "pattern"),
    *("context", "rope", "more", "expected"),
)
ROPE = (  # in the order of the file; on the right the parameter of Rope
    ("head_dim", "head_dim"),
    ("rotary", ""),
    ("share", "rotary_share"),
    ("base", "base"),
    ("scaling", "scaling"),
    ("factor", "factor"),
    ("original", "trained_length"),
    ("low", "llama3_low_factor"),
    ("high", "llama3_high_factor"),
    ("beta_fast", "yarn_many_turns"),
    ("beta_slow", "yarn_few_turns"),
    ("truncate", "yarn_truncate"),
    ("attention_factor", "attention_factor"),
)
MORE = {  # facts that no picture shows, and what a page calls them
    "base": "base",
    "local_base": "base of layers with a window",
    "compress_base": "base of compressed layers",
    "head_dim": "columns of a head",
    "rotary": "columns that turn",
    "rows": "rows of the table",
    "columns": "columns of the table",
    "buckets": "buckets",
    "max_distance": "largest distance of its own bucket",
    "nope_dims": "columns that never turn, in front",
    "kv_lora": "numbers cached for each token and layer",
    "softmax_scale_times": "scores times",
    "temperature": "queries times",
    "sections": "pairs of time, height and width",
    "axes_dim": "columns of each axis",
}
WITHIN = 1e-9  # of a frequency, relatively


@dataclass(frozen=True)
class ReleasedModel:
    """One model, or one family: facts with their source. `rope` is None where none can be drawn."""

    facts: Mapping[str, Any]
    rope: NamedRope | None

    @property
    def slug(self) -> str:
        return str(self.facts["slug"])


@dataclass(frozen=True)
class ModelsSource:
    """The list as read. `old` holds a remark for each fact that nobody has looked at for a year."""

    slug: str
    path: str
    models: tuple[Mapping[str, Any], ...]
    lines: tuple[int, ...] = field(default=(), repr=False)

    @property
    def content_hash(self) -> str:
        return models_hash(self.models)

    def remarks(self, today: date) -> Iterator[ContentProblem]:
        """Yield a remark for each model whose facts are more than a year old."""
        for facts, line in zip(self.models, self.lines, strict=True):
            if words := remark_on(facts["name"], facts["as_of"], today):
                yield ContentProblem(self.path, line, words)


def models_hash(models: Sequence[Mapping[str, Any]]) -> str:
    """Return the hash of a parsed list; the layout of its file does not matter."""
    return hash_of(list(models))


def read_models(files: Files) -> tuple[list[ModelsSource], list[ContentProblem]]:
    """Read the list of a course folder, whose name is the course's slug."""
    if not files.has(FILE):
        return [], []
    problems: list[ContentProblem] = []
    try:
        node = read_yaml(files, FILE, problems=problems)
    except ContentError as error:
        return [], list(error.problems)
    fields = Fields(node, problems)
    read = [(_model(item, problems), item) for item in fields.list("models")]
    fields.done()
    known: set[str] = set()
    for facts, item in read:
        if facts["slug"] in known:
            problems.append(item.problem(f"slug: {facts['slug']!r} is listed twice"))
        known.add(facts["slug"])
    models, lines = tuple(facts for facts, _ in read), tuple(item.line for _, item in read)
    return [ModelsSource(files.name[:MAX_SLUG], FILE, models, lines)], problems


def _model(node: Node, problems: list[ContentProblem]) -> dict[str, Any]:
    fields, before = Fields(node, problems), len(problems)
    facts: dict[str, Any] = {
        "slug": fields.slug("slug"),
        "name": fields.text("name", max_length=80),
        "year": fields.integer("year", ge=2017, le=2100),
        "kind": fields.text("kind", max_length=80),
        "verified": fields.choice("verified", VERIFIED),
        "source": fields.text("source", max_length=300),
        "as_of": read_day(fields),
        "layers": fields.text("layers", max_length=200),
        "pattern": [_cell(item, problems) for item in fields.list("pattern", required=False)],
        "context": fields.integer("context", ge=1, le=2**31, default=0) or None,
        "rope": _plain(fields.take("rope", required=False), problems, dict(ROPE)),
        "more": _plain(fields.take("more", required=False), problems, MORE),
        "expected": _expected(fields.take("expected", required=False), problems),
    }
    fields.done()
    problems += plain_text_problems(*(node.at(name) for name in ("name", "kind", "layers")))
    if len(problems) == before:
        problems += _wrong_numbers(facts, node)
    return {name: value for name, value in facts.items() if value not in (None, [], {})}


def _cell(node: Node, problems: list[ContentProblem]) -> dict[str, Any]:
    """Return a run of layers that are alike: how many, what they see, by which base they turn."""
    fields = Fields(node, problems, name="pattern")
    cell = {
        "layers": fields.integer("layers", ge=1, le=64),
        "sees": fields.choice("sees", SEES),
        "keys": fields.integer("keys", ge=1, le=2**31, default=0),
        "base": fields.number("base", ge=0, le=1e15, default=0),
    }
    fields.done()
    return {name: _short(value) for name, value in cell.items() if value}


def _plain(node: Node, problems: list[ContentProblem], names: Mapping[str, Any]) -> dict[str, Any]:
    """Return a mapping of numbers, words and lists of numbers under known names."""
    if node.value is None:
        return {}
    if not isinstance(node.value, dict):
        problems.append(node.problem("must be a mapping (`key: value` lines)"))
        return {}
    for key in node.value:
        if key not in names:
            words = f"unknown field (known: {', '.join(names)})"
            problems.append(node.at(key).problem(words, key=str(key)))
    return {str(key): _short(value) for key, value in node.value.items()}


def _short(value: Any) -> Any:
    """Return 10000 for 10000.0: a JSON column of each database returns the same number."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _expected(node: Node, problems: list[ContentProblem]) -> dict[str, Any]:
    if node.value is None:
        return {}
    fields = Fields(node, problems, name="expected")
    pairs = [item.value for item in fields.list("at_pairs")]
    inv_freq = [item.value for item in fields.list("inv_freq")]
    expected: dict[str, Any] = {
        "pairs": fields.integer("pairs", ge=1, le=4096),
        "still": fields.integer("still", ge=0, le=4096, default=0),
        "slowest_period": fields.number("slowest_period", ge=0, le=1e15),
        "less_than_a_turn": fields.integer("less_than_a_turn", ge=0, le=4096),
        "slowest_angle_at_131071": fields.number("slowest_angle_at_131071", ge=0, le=1e6),
        "at_pairs": pairs,
        "inv_freq": inv_freq,
    }
    fields.done()
    whole = all(isinstance(pair, int) and 0 <= pair < expected["pairs"] for pair in pairs)
    if not whole or len(pairs) != len(inv_freq):
        problems.append(node.problem("at_pairs: must be pairs, one for each number of inv_freq"))
    if not all(isinstance(number, int | float) for number in inv_freq):
        problems.append(node.problem("inv_freq: must be numbers"))
    return {name: _short(value) for name, value in expected.items()}


def named_rope(facts: Mapping[str, Any]) -> NamedRope | None:
    """Return the RoPE that the facts of a model describe, None without one.

    Raises ParameterError for facts that describe none.
    """
    rope = facts.get("rope")
    if not rope:
        return None
    numbers = {ours: rope[name] for name, ours in ROPE if ours and name in rope}
    numbers.setdefault("head_dim", rope.get("rotary"))
    if "share" in rope:
        numbers |= {"share": "proportional", "pairing": "half-split"}
    elif "rotary" in rope:
        numbers["rotary_share"] = rope["rotary"] / numbers["head_dim"]
    if numbers.get("scaling", "none") != "yarn":
        numbers.pop("attention_factor", None)
    return NamedRope(Rope(**numbers), facts.get("context"), "original" in rope)


def _wrong_numbers(facts: Mapping[str, Any], node: Node) -> Iterator[ContentProblem]:
    """Yield a fault for each expected number that the engine computes in another way."""
    expected, at = facts["expected"], node.at("expected")
    try:
        named = named_rope(facts)
    except (ParameterError, TypeError) as error:
        yield node.at("rope").problem(f"rope: {error}")
        return
    if not expected:
        return
    if named is None:
        yield at.problem("expected: there is no rope to compute it from")
        return
    inv_freq = named.rope.inv_freq
    if len(inv_freq) != expected["pairs"]:
        yield at.problem(f"pairs: {expected['pairs']}: the engine has {len(inv_freq)}")
        return
    for pair, number in zip(expected["at_pairs"], expected["inv_freq"], strict=True):
        if not math.isclose(inv_freq[pair], number, rel_tol=WITHIN):
            words = f"inv_freq: pair {pair} is {number!r}: the engine has {inv_freq[pair]:.10g}"
            yield at.problem(words)
    for name, computed, within in _computed(inv_freq, facts.get("context")):
        if abs(expected[name] - computed) > within:
            yield at.problem(f"{name}: {expected[name]!r}: the engine has {computed:.10g}")


def _computed(
    inv_freq: "np.ndarray[Any, np.dtype[np.float64]]", context: int | None
) -> Iterator[tuple[str, float, float]]:
    """Yield what follows from the frequencies: its name, its value, how it was rounded."""
    moving = inv_freq[inv_freq > 0]
    slowest = float(moving.min())
    yield "still", len(inv_freq) - len(moving), 0
    yield "slowest_period", 2 * math.pi / slowest, 0.051
    yield "slowest_angle_at_131071", slowest * 131_071, 5.1e-5
    if context is not None:
        yield "less_than_a_turn", int((moving * context < 2 * math.pi).sum()), 0


# ---- stored


def stored_models(course: Course) -> Mapping[str, Stored]:
    """Return the hashes of a course's list, by the slug of the course."""
    row = ReleasedModels.objects.filter(course=course).first()
    if row is None:
        return {}
    return {course.slug: Stored(row.loaded_hash, models_hash(row.facts))}


def save_models(course: Course, source: ModelsSource) -> str:
    """Store the list. Return "created" or "updated"."""
    facts = {"facts": list(source.models), "loaded_hash": source.content_hash}
    _, is_new = ReleasedModels.objects.update_or_create(course=course, defaults=facts)
    return "created" if is_new else "updated"


def models_file(models: Sequence[Mapping[str, Any]]) -> str:
    """Return models.yaml."""
    return write_yaml({"models": [_written(facts) for facts in models]})


def _written(facts: Mapping[str, Any]) -> dict[str, Any]:
    fields = ordered(facts, NAMES)
    for name in ("rope", "more"):
        if name in fields:
            fields[name] = Line({key: _row(value) for key, value in fields[name].items()})
    if "pattern" in fields:
        fields["pattern"] = [Line(cell) for cell in fields["pattern"]]
    if "expected" in fields:
        fields["expected"] = {key: _row(value) for key, value in fields["expected"].items()}
    return fields


def _row(value: Any) -> Any:
    return Row(value) if isinstance(value, list) else value


@cached_content
def _models(course: int) -> tuple[ReleasedModel, ...]:
    row = ReleasedModels.objects.filter(course=course).first()
    listed = row.facts if row is not None else []
    return tuple(ReleasedModel(facts, named_rope(facts)) for facts in listed)


def models_of(course: Course) -> tuple[ReleasedModel, ...]:
    """Return the models that a course lists. It is cached: nobody changes it."""
    return _models(course.pk)
