"""The file of a known mistake as the fields of a form, and back. Nothing is run.

An unfinished draft is a file too: a field that nobody has filled in has no line in it.
"""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from quizzes.grader.definitions import (
    Clause,
    broken_clause,
    check_variant,
    read_variant_header,
    wording_problems,
)

MOST_SENTENCE = 500  # characters
MOST_CODE = 64_000
MOST_WORDS = 5  # of a file's name
LONGEST_NAME = 40
LONGEST_BREAKS = 100
_HEADER = re.compile(r'\A\s*"""(?P<text>.*?)"""\n*', re.DOTALL)
_LINE = re.compile(r"\A(?P<key>Does|Should|Number|Step|Kind|Breaks):[ \t]*(?P<value>.*)\Z")
_UNSEEN = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]")
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_FILLERS = {"you", "your", "the", "a", "an", "it", "is", "and", "of"}


@dataclass(frozen=True)
class VariantFields:
    """What an author says of a known mistake. `breaks`: the clause, as `2b`."""

    does: str = ""
    should: str = ""
    breaks: str = ""
    step: str = ""
    kind: str = "mistake"
    code: str = ""


def text_of(fields: VariantFields, clauses: Collection[Clause]) -> str:
    """Return the file of these fields; what is empty has no line."""
    words = next((clause.text for clause in clauses if clause.name == fields.breaks), "")
    values = {
        "Does": fields.does,
        "Should": fields.should,
        "Step": fields.step,
        "Kind": "" if fields.kind == "mistake" else fields.kind,
        "Breaks": f"{fields.breaks}. {_short(words)}" if fields.breaks else "",
    }
    lines = [f"{key}: {_one_line(value)}" for key, value in values.items() if value.strip()]
    header = "\n".join(lines).replace("\\", "\\\\").replace('"""', '\\"\\"\\"')  # Python reads it
    code = fields.code.replace("\r\n", "\n").replace("\r", "\n").strip("\n")
    return f'"""{header}\n"""\n\n{code}\n'


def fields_of(text: str) -> VariantFields:
    """Return the fields of a file, however unfinished its header is."""
    header = _HEADER.match(text)
    if header is None:
        return VariantFields(code=text)
    plain = _ESCAPED.sub(r"\1", header["text"])
    lines = (_LINE.match(line.strip()) for line in plain.split("\n"))
    values = {line["key"]: line["value"] for line in lines if line}
    return VariantFields(
        does=values.get("Does", ""),
        should=values.get("Should", ""),
        breaks=broken_clause(values.get("Breaks", "")),
        step=values.get("Step", ""),
        kind=values.get("Kind", "mistake"),
        code=text[header.end() :],
    )


def faults_of(
    path: str,
    fields: VariantFields,
    *,
    name: str,
    clauses: Collection[Clause],
    steps: Collection[str],
) -> Mapping[str, list[str]]:
    """Return by field what is wrong with it, in the words in which files are refused.

    `name`: what the code must define. Lines are those of the code.
    """
    faults: dict[str, list[str]] = {}
    for field, value, most in (
        ("does", fields.does, MOST_SENTENCE),
        ("should", fields.should, MOST_SENTENCE),
        ("code", fields.code, MOST_CODE),
    ):
        if words := _text_faults(value, most, is_code=field == "code"):
            faults[field] = words
    if fields.breaks not in {clause.name for clause in clauses}:
        faults["breaks"] = ["Choose the requirement that this code breaks."]
    if fields.step not in steps:
        unknown = f"there is no step {fields.step}: " if fields.step else ""
        faults["step"] = [f"{unknown}choose the step that explains this mistake".capitalize() + "."]
    if faults.keys() & {"does", "should"}:  # the header would end early
        return faults
    text = text_of(fields, clauses)
    above = text.count("\n", 0, len(text) - len(fields_of(text).code))
    of_header = _fields_of_faults(text)
    for problem in check_variant(path, text, name):
        field = of_header.get(problem.message, "code")
        if field not in faults or field == "code":
            line = problem.line - above
            place = f"Line {line}: " if field == "code" and line > 0 else ""
            faults.setdefault(field, []).append(f"{place}{problem.message}")
    return faults


def can_be_stored(fields: VariantFields) -> bool:
    """Say whether a draft may have these fields, with faults or without."""
    values = (fields.does, fields.should, fields.breaks, fields.step, fields.kind, fields.code)
    return "\0" not in "".join(values) and len(fields.code) <= MOST_CODE


def name_of(does: str, taken: Collection[str]) -> str:
    """Return a file's name from the words that say what the code does: `divide_by_d`."""
    words = [word for word in re.findall(r"[a-z0-9]+", does.lower()) if word not in _FILLERS]
    first = "_".join(words[:MOST_WORDS])[:LONGEST_NAME].strip("_") or "unnamed"
    names = (first, *(f"{first}_{number}" for number in range(2, 1000)))
    return next(name for name in names if name not in taken)


def _text_faults(value: str, most: int, *, is_code: bool) -> list[str]:
    unseen = _UNSEEN.search(value if not is_code else value.replace("\r", "").replace("\x0c", ""))
    if len(value) > most:
        return [f"{len(value)} characters; expected at most {most}."]
    if unseen:
        return [f"Has the character U+{ord(unseen[0]):04X}, which nobody sees; remove it."]
    return []


def _fields_of_faults(text: str) -> dict[str, str]:
    """Return the field that each fault of the header is about, by its message."""
    header, problems = read_variant_header(text)
    problems += wording_problems(header)
    fields = {"Does", "Should", "Breaks", "Step"}
    return {fault.message: fault.key.lower() for fault in problems if fault.key in fields}


def _one_line(value: str) -> str:
    return " ".join(value.split())


def _short(words: str) -> str:
    """Return the first words of a clause, for lists."""
    line = _one_line(words)
    if len(line) <= LONGEST_BREAKS:
        return line
    return f"{line[:LONGEST_BREAKS].rsplit(' ', 1)[0]} ..."
