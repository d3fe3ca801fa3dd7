"""Print the table of value functions in docs/authoring.md, which has the command."""

import inspect

from quizzes.lessons.value_functions import MODULES


def rows() -> list[str]:
    """Return one row of Markdown for each function, by name."""
    functions = [getattr(module, name) for module in MODULES for name in module.__all__]
    return [_row(function.__name__, function) for function in sorted(functions, key=_name)]


def _name(function: object) -> str:
    return str(getattr(function, "__name__", ""))


def _row(name: str, function: object) -> str:
    described = inspect.signature(function).parameters.values()  # type: ignore[arg-type]
    arguments = ", ".join(_argument(one) for one in described)
    says = (inspect.getdoc(function) or "").splitlines()[0].removeprefix("Return ")
    return f"| `{name}` | {arguments} | {says} |"


def _argument(parameter: inspect.Parameter) -> str:
    if parameter.kind is parameter.VAR_KEYWORD:
        return "settings of the figure"
    if parameter.default is parameter.empty:
        return parameter.name
    value = parameter.default
    shown = f"{value:g}" if isinstance(value, float) else str(value).lower()
    return f"{parameter.name}={shown}"


if __name__ == "__main__":
    print("\n".join(rows()))
