"""What is wrong with the figure parameters in the address of a page."""

from django.http import QueryDict

from quizzes.lessons.figures.asked import asked_of, initial_of, stray_errors
from quizzes.lessons.figures.block import FigureBlock
from quizzes.lessons.figures.predict import PREDICTED, PredictBlock, prepared_of
from quizzes.pages.blocks import Page


def figure_errors(page: Page, query: QueryDict) -> dict[str, str]:
    """Return what is wrong, by field: of the page's own figures, and of figures it does not have.

    A page with faults answers 400.
    """
    errors = stray_errors(query, _ids(page))
    for block in page.blocks:
        own_id = str(block.options.get("id"))
        if block.kind == FigureBlock.name:
            found = asked_of(initial_of(block.options), own_id, query).errors
        elif block.kind == PredictBlock.name:
            ready = prepared_of(block, query)
            found = {**ready.asked.errors, **({PREDICTED: ready.problem} if ready.problem else {})}
        else:
            continue
        errors |= {f"{own_id}.{name}": message for name, message in found.items()}
    return errors


def stray_messages(page: Page, query: QueryDict) -> list[str]:
    """Return the faults that no figure of the page shows beside a slider of its own."""
    return list(stray_errors(query, _ids(page)).values())


def _ids(page: Page) -> list[str]:
    kinds = {FigureBlock.name, PredictBlock.name}
    return [str(block.options["id"]) for block in page.blocks if block.kind in kinds]
