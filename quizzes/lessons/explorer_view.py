"""The explorer: one to three pictures of any encodings, with all their parameters as sliders."""

from urllib.parse import parse_qsl

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe
from posenc.encoding import HOOKS
from posenc.query import all_parameters

from quizzes.lessons.explorer import SLOTS, Exploration, Slot, all_views, explore
from quizzes.lessons.figures.asked import fields_to_keep
from quizzes.lessons.figures.controls import CURSOR
from quizzes.lessons.figures.showing import FigureShown

# What is worth a first look: a title, and pictures side by side.
TOURS = (
    ("Every encoding, through the same attention", ("nope/compare",)),
    ("Three ways to fade with distance", ("rope/scores", "alibi/slopes", "kerple/bias")),
    ("Turn, or take off", ("rope/turns", "alibi/biases")),
    ("Two tables of distances", ("shaw/lookup", "t5_bias/buckets")),
    ("45 000 positions", ("sinusoidal/full-period", "sinusoidal/behind-a-row")),
)


@require_safe
def explorer(request: HttpRequest) -> HttpResponse:
    """Show what the address asks for, under its one address; faults are named and answer 400."""
    found = explore(request.GET)
    asked = request.META["QUERY_STRING"]
    if not found.faulty and _pairs(asked) != _pairs(found.address):
        redirect = HttpResponseRedirect(f"{reverse('lessons:explore')}?{found.address}")
        redirect["Cache-Control"] = "no-store"
        return redirect
    context = {
        "slots": [_shown(slot, found, request) for slot in found.slots],
        "problems": found.problems,
        "views": all_views(),
        "chosen": _choices(found),
        "kept": fields_to_keep(request.GET, []) if not found.faulty else [],
        "address": request.build_absolute_uri(f"{reverse('lessons:explore')}?{found.address}"),
        "tours": [(title, "&".join(f"enc={one}" for one in names)) for title, names in TOURS],
    }
    return render(request, "lessons/explore.html", context, status=400 if found.faulty else 200)


def _pairs(query: str) -> list[tuple[str, str]]:
    return parse_qsl(query, keep_blank_values=True)


def _choices(found: Exploration) -> list[tuple[str, str, str]]:
    """Return the id, the label and the chosen picture of each menu."""
    names = [slot.name for slot in found.slots]
    labels = ("Picture", "Beside it", "And beside that")
    padded = [*names, *[""] * (len(SLOTS) - len(names))]
    return list(zip(SLOTS, labels, padded, strict=True))


def _shown(slot: Slot, found: Exploration, request: HttpRequest) -> dict[str, object]:
    """Return one picture with what is known of its encoding."""
    selection, several = slot.asked.selection, len(found.slots) > 1
    cursor = set(CURSOR) if set(CURSOR) <= set(selection.arguments) else set()
    names = [one.name for one in all_parameters(selection) if one.name not in cursor]
    kept = [("enc", one.name) for one in found.slots]
    kept += fields_to_keep(request.GET, [slot.id])
    figure = FigureShown(slot.id, slot.asked, tuple(names), tuple(kept), compact=several)
    encoding, entry = selection.encoding, selection.entry
    return {
        "id": slot.id,
        "name": slot.name,
        "entry": entry,
        "view": selection.view,
        "figure": figure.html(),
        "hooks": [hook for hook in HOOKS if hook in encoding.hooks()],
        "learned": encoding.parameter_count(),
        "beyond": encoding.extrapolates,
        "cost": encoding.cost,
        "source": entry.source.removeprefix("arXiv:"),
    }
