"""The fields of a YAML mapping as one declaration, in pydantic.

A subclass of `Declaration` names the fields of a file or of a part of it, their types and limits.
It reads them with every fault at its line, and its JSON schema tells them to an author's editor.

pydantic stops at a model with a fault. An author is to see all faults of a file, and the reader
goes on with what is right. So what is validated are nodes, which know their lines: each field notes
its own faults, and has a usable value after them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from types import UnionType
from typing import Annotated, Any, ClassVar, Self, Union, get_args, get_origin

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    GetCoreSchemaHandler,
    ModelWrapValidatorHandler,
    PrivateAttr,
    ValidationError,
    ValidationInfo,
    ValidatorFunctionWrapHandler,
    field_validator,
    model_validator,
)
from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails, core_schema

from quizzes.content_files.fields import MAX_SLUG, SLUG, unknown_field
from quizzes.content_files.problems import Code, ContentProblem
from quizzes.content_files.yaml_nodes import Node

MAX_TEXT = 20_000  # characters of a text without a limit of its own
TOO_LONG, TOO_SHORT = "string_too_long", "string_too_short"
OF_TYPE = {
    "tuple_type": "must be a list (`- item` lines)",
    "dict_type": "must be a mapping (`key: value` lines)",
}


@dataclass(frozen=True)
class Expected:
    """What a value must be, in words, where the words of its type are not enough."""

    words: str


@dataclass(frozen=True)
class OneOf:
    """A text is one of these words."""

    words: tuple[str, ...]

    def __get_pydantic_core_schema__(
        self, source: Any, handler: GetCoreSchemaHandler
    ) -> core_schema.CoreSchema:
        return core_schema.literal_schema(list(self.words))


@dataclass(frozen=True)
class Rule:
    """A look at a whole text, which may have several faults, each at a line of its own."""

    problems: Callable[[Node, str], Iterable[ContentProblem]]


OptionalText = Annotated[str, Field(max_length=MAX_TEXT)]
Text = Annotated[str, Field(min_length=1, max_length=MAX_TEXT)]
Slug = Annotated[
    str,
    Field(min_length=1, max_length=MAX_SLUG, pattern=f"^{SLUG.pattern}$"),
    Expected("a slug such as why-order"),
]
StepName = Annotated[
    str,
    Field(min_length=1, pattern=f"^{SLUG.pattern}/{SLUG.pattern}$"),
    Expected("<lesson>/<step>"),
]


@dataclass(frozen=True)
class Reading:
    """One reading of a file.

    `is_stored`: what the database holds is read, not an author's file. It was checked when it was
    stored, by rules that knew fewer faults: numbers in quotes, empty texts and lists, and long
    texts are taken, for nobody can mend them there.
    """

    problems: list[ContentProblem]
    is_stored: bool = False


@dataclass(frozen=True)
class _Shape:
    """What a field holds. `outer`: its type, of a list and a mapping without that of the items.

    `has_parts`: whether it, or what is in it, is a declaration of its own. `is_raw`: whether its
    validator takes the value with its outer white space.
    """

    outer: Any
    has_parts: bool
    is_raw: bool
    choices: tuple[str, ...]
    expected: str
    rules: tuple[Rule, ...]


class Declaration(BaseModel):
    """The fields of one mapping. `prefix` is its name in messages (`tolerance.atol`).

    `is_section`: of an absent one, it is said which of its fields are missing.
    """

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)
    prefix: ClassVar[str] = ""
    is_section: ClassVar[bool] = False
    shapes: ClassVar[dict[str, _Shape]] = {}
    _node: Node = PrivateAttr()

    @classmethod
    def __pydantic_init_subclass__(cls, **options: Any) -> None:
        super().__pydantic_init_subclass__(**options)
        cls.shapes = {name: _shape_of(field) for name, field in cls.model_fields.items()}

    @classmethod
    def read(cls, node: Node, problems: list[ContentProblem], *, is_stored: bool = False) -> Self:
        """Return the fields of a mapping, noting everything wrong with them.

        Every field has a usable value, also where a problem was noted.
        """
        return cls.model_validate(node, context=Reading(problems, is_stored))

    @property
    def node(self) -> Node:
        """Return where it stands in its file."""
        return self._node

    def problem(
        self, name: str, words: str, *, at: Node | None = None, code: Code = ""
    ) -> ContentProblem:
        """Return a problem of a field, or of an item `at` which it has."""
        return (at or self._node.at(name)).problem(words, key=_key(self.prefix, name), code=code)

    def faults(self) -> Iterator[ContentProblem]:
        """Yield what is wrong with the fields taken together."""
        yield from ()

    @model_validator(mode="wrap")
    @classmethod
    def _read_mapping(
        cls, node: Node, handler: ModelWrapValidatorHandler[Self], info: ValidationInfo
    ) -> Self:
        problems = _reading(info).problems
        is_mapping = isinstance(node.value, dict) or node.value is None
        if not is_mapping:
            of = f"{cls.prefix}: " if cls.prefix else ""
            problems.append(node.problem(f"{of}must be a mapping (`key: value` lines)"))
        if node.is_refused or not is_mapping:  # nothing more is said of what it lacks
            values = dict.fromkeys(cls.model_fields, _nothing(node))
        else:
            for key in node.children:
                if key not in cls.model_fields:
                    words = unknown_field(str(key), cls.model_fields)
                    problems.append(node.at(key).problem(words, key=_key(cls.prefix, str(key))))
            values = {
                name: node.at(name)
                for name, field in cls.model_fields.items()
                if field.is_required() or node.at(name).exists
            }
        fields = handler(values)
        fields._node = node
        problems.extend(fields.faults())
        return fields

    @field_validator("*", mode="wrap")
    @classmethod
    def _read_field(
        cls, node: Node, handler: ValidatorFunctionWrapHandler, info: ValidationInfo
    ) -> Any:
        name = info.field_name
        assert name is not None
        field, shape = cls.model_fields[name], cls.shapes[name]
        is_part = shape.has_parts and shape.outer not in (tuple, dict)
        if node.value is None and not (is_part and shape.outer.is_section):
            if field.is_required() and not node.is_refused:
                missing = node.problem("missing", key=_key(cls.prefix, name), code="missing")
                _reading(info).problems.append(missing)
            if not (is_part and field.is_required()):
                return _fallback(field, shape)
            node = _nothing(node)
        value = _plain(node, shape, is_stored=_reading(info).is_stored)
        if value == "" and isinstance(field.default, str):
            return field.default
        try:
            value = handler(value)
        except ValidationError as error:
            return cls._noted(error, value, node, info)
        for rule in shape.rules:
            _reading(info).problems.extend(rule.problems(node, value))
        return value

    @classmethod
    def _noted(cls, error: ValidationError, value: Any, node: Node, info: ValidationInfo) -> Any:
        """Note the faults of a field; return what is right of it."""
        name, reading = str(info.field_name), _reading(info)
        shape = cls.shapes[name]
        faults = error.errors(include_url=False)
        if reading.is_stored:
            faults = [fault for fault in faults if not _stands(fault)]
            if not faults:
                return value
        inside = [fault for fault in faults if fault["loc"]]
        for fault in inside or faults:  # a list with wrong items counts as too short as well
            at, key = node, _key(cls.prefix, name)
            for part in fault["loc"]:
                at = list(at.items())[part] if isinstance(part, int) else at.at(part)
                key = f"{key}.{part}" if isinstance(part, str) else key
            words, code = _words_of(fault, shape)
            reading.problems.append(at.problem(words, key=key, code=code))
        wrong = {fault["loc"][0] for fault in inside}
        if isinstance(value, tuple) and wrong:
            return tuple(item for n, item in enumerate(value) if n not in wrong or _is_said(item))
        if isinstance(value, dict) and wrong:
            return {key: item for key, item in value.items() if key not in wrong}
        if shape.outer is str and _is_said(value) and faults[0]["type"] != "value_error":
            return value
        return _fallback(cls.model_fields[name], shape)


def _reading(info: ValidationInfo) -> Reading:
    assert isinstance(info.context, Reading), "read a declaration by its `read`"
    return info.context


def _nothing(node: Node) -> Node:
    """Return a node in the same place of which nothing is said."""
    return Node(None, node.line, node.path, is_refused=True)


def _key(prefix: str, name: str) -> str:
    return f"{prefix}.{name}" if prefix else name


def _shape_of(field: FieldInfo) -> _Shape:
    parts = list(_parts_of(field.annotation, field.metadata))
    outer = next(part for part in parts if part not in (Union, UnionType))
    numbers = (float, int)
    ends = [getattr(part, end) for end in ("ge", "le") for part in parts if hasattr(part, end)]
    expected = [part.words for part in parts if isinstance(part, Expected)]
    if outer in numbers and len(ends) == 2:
        kind = "a whole number" if outer is int else "a number"
        expected.append(f"{kind} between {ends[0]:g} and {ends[1]:g}")
    return _Shape(
        outer,
        any(isinstance(part, type) and issubclass(part, Declaration) for part in parts),
        any(isinstance(part, BeforeValidator) for part in parts),
        next((part.words for part in parts if isinstance(part, OneOf)), ()),
        next(iter(expected), ""),
        tuple(part for part in parts if isinstance(part, Rule)),
    )


def _parts_of(annotation: Any, metadata: Iterable[Any] = ()) -> Iterator[Any]:
    """Yield the types in an annotation and what is noted beside them, from outside to inside."""
    if get_origin(annotation) is Annotated:
        annotation, *metadata = get_args(annotation)
    yield get_origin(annotation) or annotation
    for part in metadata:
        yield from part.metadata if isinstance(part, FieldInfo) else (part,)
    for part in get_args(annotation):
        yield from _parts_of(part)


def _plain(node: Node, shape: _Shape, *, is_stored: bool) -> Any:
    """Return what pydantic validates: nodes of parts, and plain values."""
    value = node.value
    if shape.has_parts and shape.outer is tuple:
        return tuple(node.items()) if isinstance(value, list) else value
    if shape.has_parts:
        is_mapping = isinstance(value, dict) or value == []  # an empty one may be written so
        return (dict(node.children) if is_mapping else value) if shape.outer is dict else node
    if shape.is_raw and shape.outer is not tuple:
        return value
    if isinstance(value, list) and shape.outer is tuple:
        return tuple(_stripped(item.value) for item in node.items())
    if isinstance(value, dict) and shape.outer is dict:
        return {key: _stripped(item.value) for key, item in node.children.items()}
    return _unquoted(value) if is_stored and shape.outer is float else _stripped(value)


def _unquoted(value: Any) -> Any:
    """Return the number that a text is, everything else as it is."""
    try:
        return float(value) if isinstance(value, str) else value
    except ValueError:
        return value


def _stripped(value: Any) -> Any:
    return value.strip() if isinstance(value, str) else value


def _is_said(value: Any) -> bool:
    return isinstance(value, str) and bool(value)


def _fallback(field: FieldInfo, shape: _Shape) -> Any:
    if not field.is_required():
        return field.get_default(call_default_factory=True)
    if shape.outer in (int, float):
        return next(part.ge for part in field.metadata if hasattr(part, "ge"))
    return shape.outer()


def _stands(fault: ErrorDetails) -> bool:
    """Say whether a fault may stand in the database, see `Reading`."""
    kind = fault["type"]
    return kind in {TOO_LONG, "too_short"} or (kind == TOO_SHORT and _is_item(fault))


def _is_item(fault: ErrorDetails) -> bool:
    """Say whether a fault is that of an item of a list."""
    return any(isinstance(part, int) for part in fault["loc"])


def _words_of(fault: ErrorDetails, shape: _Shape) -> tuple[str, Code]:
    """Return what is wrong with a value, and the code of it."""
    kind, value, limits = fault["type"], fault["input"], fault.get("ctx", {})
    if value is None and not _is_item(fault):
        return "missing", "missing"
    if kind in {"too_short", TOO_SHORT}:
        return "must not be empty", "empty"
    if kind == "value_error" and not shape.expected:
        return str(limits["error"]), ""
    if kind == TOO_LONG and not (shape.expected and limits["max_length"] <= MAX_SLUG):
        return f"{len(value)} characters, at most {limits['max_length']} are allowed", ""
    if kind in OF_TYPE:
        return OF_TYPE[kind], ""
    return f"{value!r}: must be {_expected(fault, shape)}", ""


def _expected(fault: ErrorDetails, shape: _Shape) -> str:
    kind, is_text = fault["type"], isinstance(fault["input"], str)
    if kind == "bool_type":
        return "true or false"
    if not is_text and (kind == "string_type" or shape.choices):
        return (shape.expected or "text") if _is_item(fault) else "text (use quotes)"
    if shape.choices:
        return f"one of {', '.join(shape.choices if _is_item(fault) else sorted(shape.choices))}"
    return shape.expected
