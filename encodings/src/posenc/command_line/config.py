"""`posenc config FILE`: what each layer of a model does with position, and its periods."""

import math
from typing import Any

from posenc.command_line.options import Misused
from posenc.command_line.parser import Command
from posenc.command_line.plotting import draw_to, dress_of
from posenc.command_line.showing import print_json
from posenc.command_line.wrapping import hanging, terminal_width, wrapped
from posenc.configs import findings, read_config, read_json
from posenc.configs.picture import periods
from posenc.errors import ParameterError
from posenc.number_format import counted, grouped
from posenc.stack import Layer, Stack, Temperature, as_runs, describe_encoding

MOST_BYTES = 2**22  # a config has some kilobytes


def show_config(command: Command) -> None:
    """Print the layers of a config; with -o draw periods. Raises Misused, LacksMatplotlib."""
    dress = dress_of(command)
    try:
        stack = read_config(_read(command.file or ""))
        data = periods(stack) if command.output is not None else None
    except ParameterError as error:
        raise Misused(f"{command.file}: {error}") from error
    if data is not None:
        draw_to(command.output, data, dress)
    if command.as_json:
        print_json(_as_json(stack, command.output))
        return
    width = terminal_width()
    print(wrapped(findings(stack)[0], width) + "\n")
    context = "" if stack.context is None else f"; the file states {grouped(stack.context)} tokens"
    print(wrapped(f"{counted(len(stack.layers), 'layer')}{context}.", width) + "\n")
    for layer, places in stack.groups():
        print(
            hanging(f"  {as_runs(places)}", "; ".join(_words(layer, stack)), indent=16, width=width)
        )
    reach = stack.reach()
    print()
    far = (
        "any number of tokens back"
        if reach is None
        else f"at most {grouped(reach)} tokens, itself counted"
    )
    print(wrapped(f"Through all layers, an output can depend on {far}.", width))
    for note in stack.notes:
        print(wrapped(f"Note: {note}", width))
    if data is not None:
        print(wrapped(f"{command.output}: {data.title}. {data.finding}", width))


def _words(layer: Layer, stack: Stack) -> list[str]:
    """Return what one layer does, in parts of a sentence."""
    if layer.kind == "recurrent":
        return ["recurrent: no attention, and the order of tokens is in its state"]
    words = [describe_encoding(layer.encoding)]
    if layer.unturned:
        words.append(f"behind {layer.unturned} unturned dimensions")
    if layer.kind == "compressed":
        words.append("compressed keys")
    if layer.window is not None:
        side = "" if layer.causal else ", half on each side"
        words.append(f"window of {grouped(layer.window)} keys{side}")
    if layer.chunk is not None:
        words.append(f"chunks of {grouped(layer.chunk)} positions")
    if not layer.causal:
        words.append("not causal")
    if layer.sink:
        words.append("a learned sink for each head")
    if layer.temperature is not None:
        words.append(_growth_of(layer.temperature))
    return words + _turns(layer, stack)


def _growth_of(temperature: Temperature) -> str:
    if temperature.kind == "ssmax":
        return f"queries times {temperature.strength:g} ln(p + 1)"
    start = f"from position {grouped(temperature.length)} on"
    return f"queries grow {start} ({temperature.kind}, strength {temperature.strength:g})"


def _turns(layer: Layer, stack: Stack) -> list[str]:
    inv_freq = layer.inv_freq(stack.context)  # LongRoPE has other divisors beyond trained texts
    moving = inv_freq[inv_freq > 0]
    if not len(moving):
        return []
    slowest = 2 * math.pi / float(moving.min())
    words = [f"slowest period {grouped(round(slowest))} tokens"]
    if stack.context is not None:
        few = int((moving * stack.context < 2 * math.pi).sum())
        words.append(f"{few} of {len(inv_freq)} pairs turn less than once in the stated length")
    return words


def _as_json(stack: Stack, output: str | None) -> dict[str, Any]:
    return {
        "layers": len(stack.layers),
        "context": stack.context,
        "reach": stack.reach(),
        "findings": findings(stack),
        "notes": stack.notes,
        "file": output,
        "groups": [
            {
                "layers": places,
                "encoding": describe_encoding(layer.encoding),
                "kind": layer.kind,
                "window": layer.window,
                "chunk": layer.chunk,
                "causal": layer.causal,
                "sink": layer.sink,
                "unturned": layer.unturned,
                "score_scale": layer.score_scale,
                "temperature": None if layer.temperature is None else vars(layer.temperature),
                "inv_freq": layer.inv_freq(),
                "inv_freq_at_context": layer.inv_freq(stack.context),
            }
            for layer, places in stack.groups()
        ],
    }


def _read(name: str) -> Any:
    """Return the JSON of a file. Raises Misused for a file without."""
    try:
        with open(name, "rb") as file:
            text = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise Misused(f"{name}: cannot be read: {error.strerror}") from error
    try:
        return read_json(text, most_bytes=MOST_BYTES)
    except ParameterError as error:
        raise Misused(f"{name}: {error.expected}") from error
