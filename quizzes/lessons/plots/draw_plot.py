"""Running a plot's program in the author sandbox: places of its sliders in, checked frames out.

Broken or endless code is an AuthorError with its line; nothing of an author runs in this process.
"""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from quizzes.grader.api import AuthorError, Sandbox
from quizzes.grader.definitions import run_author_program
from quizzes.lessons.plots.frames import packed, read_frame, shape_of
from quizzes.lessons.plots.plot_files import PlotSource
from quizzes.lessons.plots.plot_header import Value, text_of

PRELUDE = Path(__file__).with_name("plot_prelude.py").read_text()
NAMES = ("heatmap", "curves", "bars", "points", "panels")
WALL_SECONDS = 10.0  # for the frames of one run
FRAMES_A_RUN = 8  # of which an endless one spends the whole time limit
MOST_BYTES = 20 * 1024 * 1024  # of all frames of a plot, as they are stored


def draw_plot(
    plot: PlotSource,
    places: Sequence[Mapping[str, Value]],
    author: Sandbox,
    *,
    note: Callable[[int], object] = lambda _: None,
) -> list[Mapping[str, Any]]:
    """Return the frames of these places. Raises AuthorError, SandboxBroken.

    `note` is called with the number of frames that are there, before each run.
    """
    frames: list[Mapping[str, Any]] = []
    size = 0
    for start in range(0, len(places), FRAMES_A_RUN):
        note(len(frames))
        some = places[start : start + FRAMES_A_RUN]
        for place, text in zip(some, _run(plot, some, author), strict=True):
            frame = _read(plot, place, text)
            size += len(packed(frame))
            if size > MOST_BYTES:
                words = f"all frames have more than {MOST_BYTES // 1024**2} MB, which is the limit"
                raise AuthorError(plot.path, plot.line, words)
            frames.append(frame)
            if shape_of(frame) != shape_of(frames[0]):
                now, first = ("+".join(shape_of(each)) for each in (frame, frames[0]))
                words = f"{_where(place)}returned {now}, but the first frame is {first}"
                raise AuthorError(plot.path, plot.line, words)
    return frames


def _read(plot: PlotSource, place: Mapping[str, Value], text: str) -> Mapping[str, Any]:
    try:
        return read_frame(text)
    except ValueError as error:
        raise AuthorError(plot.path, plot.line, f"{_where(place)}{error}") from error


def _where(place: Mapping[str, Value]) -> str:
    words = ", ".join(f"{name} {text_of(value)}" for name, value in place.items())
    return f"{words}: " if words else ""


def _run(plot: PlotSource, places: Sequence[Mapping[str, Value]], author: Sandbox) -> list[str]:
    # On one line behind the author's, so that these keep their numbers; a name that the author
    # defines stays the author's.
    setting = (
        f"_PLOTS = {{}}; exec(compile({PRELUDE!r}, 'plot_prelude.py', 'exec'), _PLOTS);"
        f" [globals().setdefault(_name, _PLOTS[_name]) for _name in {NAMES!r}];"
        " main = _PLOTS['main_of'](plot)"
    )
    return run_author_program(
        f"{plot.text}\n\n{setting}\n",
        places,
        author,
        path=plot.path,
        line=plot.line,
        wall_seconds=WALL_SECONDS,
    )
