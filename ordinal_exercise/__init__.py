"""What authors of exercises import: `from ordinal_exercise import Case`.

`cases.py` of an exercise defines `cases(rng)`, which yields cases, smallest first::

    from collections.abc import Iterator

    import numpy as np

    from ordinal_exercise import Case


    def cases(rng: np.random.Generator) -> Iterator[Case]:
        yield Case("one token", {"n": 1}, shown=True)
        yield Case("drawn", {"n": int(rng.integers(20, 40))})

`docs/authoring-exercises.md` explains every field; `docs/example-exercise/` is a whole exercise.
The module is there while `cases.py` runs, on the site and in its checks. The student's code, the
reference and the wrong solutions cannot import it.
"""

from quizzes.grader.protocol.case import Case

__all__ = ["Case"]
