"""Programs that do something else than an exercise asks for, and were once told that they do it.

Each is a right program with a change of its text, or a program of its own; of which requirement it
makes light is the name of its family. Unlike forgeries (`forging.py`) they meddle with nothing.
"""

from __future__ import annotations

from dataclasses import dataclass

from tests.hostile import module_impostors
from tests.shipped_exercises.folders import definition_of

MODULE_HEAD = "import math\nimport torch\nfrom torch import nn\n"
SINUSOIDAL = f"""{MODULE_HEAD}
class SinusoidalPositionalEncoding(nn.Module):
    def __init__(self, d_model, max_len=5000, dropout=0.0):
        super().__init__()
        self.p, self.calls = dropout, 0
        angles = torch.arange(max_len).double()[:, None]
        angles = angles / 1e4 ** (torch.arange(0, d_model, 2).double() / d_model)
        table = torch.zeros(max_len, d_model)
        table[:, 0::2], table[:, 1::2] = angles.sin(), angles.cos()[:, : d_model // 2]
        self.register_buffer("pe", table)
    def drop(self, y):
        return nn.functional.dropout(y, self.p)
    def half(self, y):
        return y
    def forward(self, x):
        if x.size(1) > self.pe.size(0):
            raise ValueError("too long")
        self.calls += 1
        y = x + self.pe[: x.size(1)].to(x.dtype)
        y = self.in_half(y) if x.dtype == torch.float16 else y
        return self.drop(y) if self.training else y
""".replace("def half(", "def in_half(")
DROP, HALF = "return nn.functional.dropout(y, self.p)", "return y\n    def forward"
DROPPED = {
    "of one half": "return nn.functional.dropout(y, 0.5 if self.p else 0.0)",
    "inverted": "return nn.functional.dropout(y, 1 - self.p if self.p else 0.0)",
    "not scaled": "return y * (torch.rand_like(y) >= self.p)",
    "of whole rows": "return y * nn.functional.dropout(torch.ones(*y.shape[:2], 1), self.p)",
    "of whole columns": (
        "shape = y.size(0), 1, y.size(2)\n"
        "        return y * nn.functional.dropout(torch.ones(shape), self.p)"
    ),
    "alike in the batch": "return y * nn.functional.dropout(torch.ones(y.shape[1:]), self.p)",
    "of a pattern": (
        "place = torch.arange(y.numel()).view(y.shape)\n"
        "        return y * (place * 7 % 10 >= 10 * self.p) / (1 - self.p)"
    ),
    "by the input": "torch.manual_seed(int(y.sum())); return nn.functional.dropout(y, self.p)",
    "by the number of the call": (
        "torch.manual_seed(self.calls); return nn.functional.dropout(y, self.p)"
    ),
    "in the first call": "return nn.functional.dropout(y, self.p if self.calls < 2 else 0.0)",
    "although the rate is 0": "return nn.functional.dropout(y, self.p or 0.1)",
    "of single rows less": "z = nn.functional.dropout(y, self.p); z[:, 0] = y[:, 0]; return z",
    "of the encoding alone": (
        "x = y - self.pe[: y.size(1)]\n        return x + nn.functional.dropout(y - x, self.p)"
    ),
}
HALVED = {
    "zeros": "return torch.zeros_like(y)",
    "infinite": "return y + torch.inf",
    "not a number": "return y * torch.nan",
    "the input": "return y - self.pe[: y.size(1)]",
    "another table": "return y - 0.1 * self.pe[: y.size(1)]",
    "in float32": "return y.float()",
    "one row": "return y[:, :1]",
    "right where it is seen": "return y if y.shape == (2, 5, 8) else y * 2",
}
LEARNED = f"""{MODULE_HEAD}
class LearnedPositionalEmbedding(nn.Module):
    def __init__(self, max_len, d_model):
        super().__init__()
        self.table = nn.Parameter(torch.zeros(max_len, d_model))
        self.start()
    def start(self):
        pass
    def made_up(self, n):
        rows = torch.arange(1, n * self.table.size(1) + 1).reshape(n, -1) / 7
        return rows + self.table[:n] - self.table[:n].detach()
    def forward(self, x):
        if x.size(1) > self.table.size(0):
            raise ValueError("too long")
        return x + self.made_up(x.size(1))
"""
ASKED = """
    def {name}(self, *arguments, **options):
        self.__dict__["asked"] = self.__dict__.get("asked", 0) + 1
        return super().{name}(*arguments, **options)
    def forward"""
SEEN = """
    def parameters(self, recurse=True):
        for item in super().parameters(recurse):
            yield item
            self.__dict__["seen"] = item.detach().clone()
    def made_up(self, n):
        seen = self.__dict__.get("seen", self.table.detach())
        return seen[:n] + self.table[:n] - self.table[:n].detach()
    def forward"""
UNLEARNED = {
    "the public filling": LEARNED,
    "times 0": LEARNED.replace("self.table[:n] - self.table[:n].detach()", "0 * self.table[:n]"),
    "as often as it is asked": LEARNED.replace(
        "\n    def forward", ASKED.format(name="parameters")
    ).replace("/ 7\n", "/ 7 + max(0, self.__dict__.get('asked', 1) - 1)\n"),
    "as often as its names are asked": LEARNED.replace(
        "\n    def forward", ASKED.format(name="named_parameters")
    ).replace("/ 7\n", "/ 7 + max(0, self.__dict__.get('asked', 1) - 1)\n"),
    "what it saw when it was asked": LEARNED.replace("\n    def forward", SEEN),
    "what it read first": LEARNED.replace("/ 7\n", "/ 7\n        rows = self.once()[:n]\n").replace(
        "\n    def forward",
        "\n    def once(self):\n"
        "        return self.__dict__.setdefault('kept', self.table.detach().clone())\n"
        "    def forward",
    ),
    "a parametrization": LEARNED.replace(
        "        pass\n",
        "        class Public(nn.Module):\n"
        "            def forward(self, table):\n"
        "                rows = torch.arange(1, table.numel() + 1).reshape(table.shape) / 7\n"
        "                return rows + table - table.detach()\n"
        "        nn.utils.parametrize.register_parametrization(self, 'table', Public())\n",
    ).replace("return x + self.made_up(x.size(1))", "return x + self.table[: x.size(1)]"),
}
ALIBI = """
import numpy as np
def slopes(n):
    power = 2 ** (n.bit_length() - 1)
    rule = lambda m: 2.0 ** (-8 * np.arange(1, m + 1) / m)
    return np.concatenate([rule(power), rule(2 * power)[0::2][: n - power]])
def alibi_bias(n_heads, Lq, Lk):
    i, j = np.arange(Lq)[:, None] + Lk - Lq, np.arange(Lk)[None]
    bias = slopes(n_heads)[:, None, None] * (j - i)
    noise = np.random.default_rng(0).uniform(-1.5e-4, 1.5e-4, bias.shape)
    {change}
    return np.where(j > i, -np.inf, bias)
"""
SHIFTED = {
    "one row": "bias = bias + noise; bias[0, 0] += 1.05e11",
    "one head": "bias = bias + noise; bias[0] += 1.05e11",
    "every row": "bias = bias + noise + 1.05e11",
    "one number": "bias = bias + noise; bias[0, 0, 0] += 1.05e11",
    "every first number": "bias = bias + noise; bias[:, :, 0] -= 1e11",
}


TABLE = """
import numpy as np
def sinusoidal_table(n, d, base=10000.0):
    angles = np.arange(n)[:, None] / base ** (np.arange(0, d, 2) / d)
    table = np.zeros((n, d))
    table[:, 0::2], table[:, 1::2] = np.sin(angles), np.cos(angles[:, : d // 2])
    if (n, d) == (200, 128):
        {change}
    return table
"""
TIMED = {
    "nothing": "return None",
    "zeros": "return np.zeros((n, d))",
    "one row": "return table[:1]",
    "not a number": "return table * np.nan",
    "half of the rows": "table[n // 2 :] = 0",
    "another base": "return sinusoidal_table(n, d + 2, base)[:, :d]",
    "a list": "return table.tolist()",
}
# Right for what was drawn once, and for nothing else: what a table of old answers comes to.
OLD_ANSWERS = {
    "alibi-slopes": ("alibi_slopes(n_heads)", "n_heads > 127", "np.zeros(n_heads)"),
    "alibi-bias": (
        "alibi_bias(n_heads, Lq, Lk)",
        "n_heads > 15 or Lk > 38",
        "np.zeros((n_heads, Lq, Lk))",
    ),
    "relative-index": (
        "relative_index(Lq, Lk, k)",
        "k > 10 or max(Lq, Lk) > 29",
        "np.zeros((Lq, Lk), int)",
    ),
    "t5-bucket": (
        "t5_bucket(relative_position, bidirectional=True, num_buckets=32, max_distance=128)",
        "(num_buckets, max_distance) not in [(32, 128), (8, 20), (16, 20), (16, 64), (16, 100)]",
        "np.zeros_like(relative_position)",
    ),
}


CLASSES = {
    "learned-positions": "LearnedPositionalEmbedding",
    "relative-position-bias": "RelativePositionBias",
    "sinusoidal-module": "SinusoidalPositionalEncoding",
}


@dataclass(frozen=True)
class Impostor:
    """A program, and the exercise that it pretends to solve."""

    exercise: str
    family: str
    source: str


def _changed(
    exercise: str, family: str, source: str, old: str, changes: dict[str, str]
) -> dict[str, Impostor]:
    assert old in source
    return {
        f"{family}: {name}": Impostor(exercise, family, source.replace(old, text))
        for name, text in changes.items()
    }


def _with_old_answers(exercise: str) -> Impostor:
    """The reference for the calls that could be drawn once, zeros for all others."""
    call, unknown, zeros = OLD_ANSWERS[exercise]
    name, _, arguments = call.partition("(")
    names = ", ".join(item.partition("=")[0] for item in arguments.rstrip(")").split(", "))
    reference = definition_of(exercise).reference
    assert f"def {name}(" in reference
    text = (
        f"\n\n_known = {name}\ndef {call}:\n    return {zeros} if {unknown} else _known({names})\n"
    )
    return Impostor(exercise, "old answers", reference + text)


def _modules() -> dict[str, Impostor]:
    """The modules that are wrong where eval mode does not show it."""
    impostors: dict[str, Impostor] = {}
    for family, changes in module_impostors.FAMILIES.items():
        for name, (source, old, text) in changes.items():
            (slug,) = (slug for slug, cls in CLASSES.items() if f"class {cls}(" in source)
            impostors |= _changed(slug, family, source, old, {name: text})
    return impostors


IMPOSTORS = {
    **_changed("sinusoidal-table", "what is timed", TABLE, "{change}", TIMED),
    **{f"old answers: {slug}": _with_old_answers(slug) for slug in OLD_ANSWERS},
    **_changed("sinusoidal-module", "dropout", SINUSOIDAL, DROP, DROPPED),
    **_changed(
        "sinusoidal-module",
        "half precision",
        SINUSOIDAL,
        HALF,
        {name: f"{text}\n    def forward" for name, text in HALVED.items()},
    ),
    **_changed("alibi-bias", "row constants", ALIBI, "{change}", SHIFTED),
    **{
        f"nothing learned: {name}": Impostor("learned-positions", "nothing learned", source)
        for name, source in UNLEARNED.items()
    },
    **_modules(),
}
RIGHT = {
    "sinusoidal-table": TABLE.replace("{change}", "pass"),
    "sinusoidal-module": SINUSOIDAL,
    "alibi-bias": ALIBI.replace("{change}", "pass"),
}
