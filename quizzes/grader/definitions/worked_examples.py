"""The worked examples of a statement: its `>>>` lines, run with the reference, and compared."""

from __future__ import annotations

import doctest
import json
import re
from dataclasses import dataclass, replace

from quizzes.grader.definitions.definition import ExerciseDefinition
from quizzes.grader.protocol.case import Case
from quizzes.grader.protocol.job import Ending, Job, Sandbox
from quizzes.grader.protocol.sanitize import clean

STATEMENT = "statement.md"
_BLOCK = re.compile(r"^```python\n(?P<text>.*?)^```", re.DOTALL | re.MULTILINE)
_MARK = "\x1eend of example\x1e"
_MAX_TEXT = 2000
_RUNNER = """

def _run_examples():
    import json, sys
    import numpy as np
    {torch}
    scope = dict(globals(), **locals())
    for text in json.loads({texts!r}):
        try:
            exec(compile(text, "example", "single"), scope)
        except Exception as error:
            print(f"Traceback: {{type(error).__name__}}: {{error}}")
        print({mark!r})
    return 0
"""


@dataclass(frozen=True)
class Example:
    """One `>>>` line of the statement: what it says, and what the reference gives there."""

    line: int
    source: str
    expected: str
    got: str
    ok: bool


def run_examples(definition: ExerciseDefinition, author: Sandbox) -> tuple[Example, ...]:
    """Run every example in order, in one job; each block goes on where the last one ended."""
    found = _find(definition.statement)
    wanted = [example for example in found if not example.got]
    if not wanted:
        return tuple(found)
    runner = _RUNNER.format(
        torch="import torch" if definition.library == "torch" else "",
        texts=json.dumps([example.source for example in wanted]),
        mark=_MARK,
    )
    case = Case("examples", init=None, shown=True)
    job = Job(
        definition.reference + runner,
        "_run_examples",
        (case,),
        definition.library,
        limits=definition.limits,
        filename=STATEMENT,
    )
    run = author.run(job)
    outputs = run.stdout.decode("utf-8", errors="replace").split(_MARK + "\n")
    if run.ending is not Ending.FINISHED or len(outputs) != len(wanted) + 1:
        outputs = [*outputs[:-1], *["(not reached)\n"] * len(wanted)]
    ran = [
        replace(example, got=clean(output, _MAX_TEXT), ok=_agree(example.expected, output))
        for example, output in zip(wanted, outputs, strict=False)
    ]
    return (*ran, *(example for example in found if example.got))


def _find(statement: str) -> list[Example]:
    parser, found = doctest.DocTestParser(), list[Example]()
    for block in _BLOCK.finditer(statement):
        if ">>>" not in block["text"]:
            continue
        first = statement[: block.start("text")].count("\n") + 1
        try:
            examples = parser.get_examples(block["text"])
        except ValueError as error:
            found.append(Example(first, block["text"], "", str(error), ok=False))
            continue
        found += [
            Example(first + one.lineno, one.source, one.want, "", ok=False) for one in examples
        ]
    return found


def _agree(expected: str, got: str) -> bool:
    if expected.startswith("Traceback"):
        return got.startswith("Traceback")
    return doctest.OutputChecker().check_output(expected, got, 0)
