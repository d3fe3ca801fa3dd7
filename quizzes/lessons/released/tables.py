"""What the page of released models shows of each, and which of them a filter lets through."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from posenc.configs import frequencies_in
from posenc.number_format import grouped

from quizzes.lessons.released.model_files import MORE, VERIFIED, ReleasedModel
from quizzes.lessons.released.strips import Strip, strip_of_pattern

NOT_THERE = "–"  # a fact that the source does not have
LONGEST_QUERY = 60  # characters
SHOWN = {
    "": "all models",
    "scaled": "frequencies scaled",
    "part": "a part of each head turns",
    "differ": "layers that differ",
    "bare": "layers without RoPE",
}


@dataclass(frozen=True)
class ModelRow:
    """One line of the table; every text follows from the facts of the model."""

    model: ReleasedModel
    base: str
    share: str
    scaling: str
    layers: str
    slowest: str
    less: str

    @property
    def facts(self) -> Any:
        return self.model.facts

    @property
    def verified(self) -> str:
        return VERIFIED[self.facts["verified"]]

    @property
    def has_pictures(self) -> bool:
        return self.model.rope is not None

    @property
    def strip(self) -> Strip | None:
        """Return one turn of the pattern of its layers; None where the source has none."""
        pattern = self.facts.get("pattern")
        return strip_of_pattern(pattern) if pattern else None

    @property
    def more(self) -> list[tuple[str, str]]:
        """Return the facts that no column has, each with its name in words."""
        return [
            (MORE[name], _in_words(value)) for name, value in self.facts.get("more", {}).items()
        ]


def row_of(model: ReleasedModel) -> ModelRow:
    """Return the line of a model."""
    facts, named = model.facts, model.rope
    rope, more = facts.get("rope", {}), facts.get("more", {})
    base = rope.get("base", more.get("base"))
    share = scaling = slowest = less = NOT_THERE
    if named is not None:
        inv_freq = frequencies_in(named.rope, named.stated)
        moving = inv_freq[inv_freq > 0]
        share = f"{2 * len(moving)} of {named.rope.head_dim}"
        scaling = _scaling(rope, str(facts["kind"]))
        slowest = grouped(round(2 * math.pi / float(moving.min())))
        if named.stated is not None:
            few = int((moving * named.stated < 2 * math.pi).sum())
            less = f"{few} of {len(moving)}"
    return ModelRow(
        model,
        NOT_THERE if base is None else grouped(base),
        share,
        scaling,
        "" if facts["layers"] == "all alike" else str(facts["layers"]),
        slowest,
        less,
    )


def filtered(models: Sequence[ReleasedModel], query: str, shown: str) -> list[ReleasedModel]:
    """Return the models whose name, kind or layers have every word, and which are `shown`."""
    words = query[:LONGEST_QUERY].casefold().split()
    return [
        model
        for model in models
        if _is_shown(model, shown) and all(word in _text_of(model) for word in words)
    ]


def _text_of(model: ReleasedModel) -> str:
    facts = model.facts
    parts = (facts["name"], facts["kind"], facts["layers"], str(facts["year"]))
    return " ".join(parts).casefold()


def _is_shown(model: ReleasedModel, shown: str) -> bool:
    facts = model.facts
    rope, pattern = facts.get("rope", {}), facts.get("pattern", ())
    if shown == "scaled":
        return "scaling" in rope or "longrope" in facts["kind"]
    if shown == "part":
        return bool("share" in rope or rope.get("rotary", 0) < rope.get("head_dim", 0))
    if shown == "differ":
        return bool(facts["layers"] != "all alike")
    if shown == "bare":
        return any("base" not in cell for cell in pattern) or "none" in facts["kind"]
    return True


def _scaling(rope: Any, kind: str) -> str:
    if "scaling" in rope:
        return f"{rope['scaling']}, {rope['factor']:g}×"
    if "share" in rope:
        return "proportional"
    return "longrope" if "longrope" in kind else "none"


def _in_words(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(map(_in_words, value))
    return value if isinstance(value, str) else grouped(value)
