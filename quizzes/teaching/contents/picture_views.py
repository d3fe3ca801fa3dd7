"""The pictures of a course: where each is used; an editor uploads, replaces and removes them."""

from typing import Any

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.text import slugify
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from quizzes.content_files.fields import MAX_SLUG
from quizzes.content_files.typed_text import isolate
from quizzes.courses.models import Course
from quizzes.lessons.models import Picture
from quizzes.lessons.pictures.cleaning import clean
from quizzes.lessons.pictures.course_pictures import (
    NameTakenError,
    Stored,
    add_picture,
    picture_rows,
    remove_picture,
)
from quizzes.lessons.pictures.header import MAX_BYTES, NO_SVG, PictureError
from quizzes.teaching.access import editor_of, editors_only, for_editors, for_viewers
from quizzes.teaching.addresses import address_in
from quizzes.teaching.forms import SlugField

DONE = {
    Stored.NEW: "The picture {} can be inserted into lessons now.",
    Stored.REPLACED: "The picture {} is replaced: learners see the new one.",
    Stored.SAME: "The picture {} was there already, the same.",
}


class PictureForm(forms.Form):
    """A picture and its name in the course."""

    file = forms.FileField(
        label="File",
        allow_empty_file=True,  # the reader of pictures says what it is
        widget=forms.ClearableFileInput(attrs={"accept": ".png,.jpg,.jpeg,.webp"}),
        help_text=(
            "PNG, JPEG or WebP, at most 1 MB and 4 megapixels. Where and when it was taken is"
            " removed."
        ),
    )
    slug = SlugField(
        required=False,
        help_text=(
            "Lower-case words joined by hyphens, such as two-cells. Leave it empty to make it from"
            " the name of the file."
        ),
    )
    replaces = forms.BooleanField(
        required=False, label="Replace the picture of this name: all steps show the new one"
    )

    def clean(self) -> dict[str, Any]:
        """Read the picture; the child process of `cleaning.py` decodes it."""
        content = super().clean() or self.cleaned_data
        file = content.get("file")
        if file is None:
            return content
        if str(file.name).lower().endswith((".svg", ".svgz")):
            self.add_error("file", NO_SVG)
            return content
        try:
            content["picture"] = clean(file.read(MAX_BYTES + 1))
        except PictureError as error:
            self.add_error("file", str(error))
        if not content.get("slug") and "slug" not in self.errors:
            stem = str(file.name).rpartition(".")[0]
            content["slug"] = slugify(stem.replace("_", "-"))[:MAX_SLUG].strip("-")
            if not content["slug"]:
                words = "the name of the file has no letters or digits for it: type a name"
                self.add_error("slug", words)
        return content


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@for_viewers
def pictures(request: HttpRequest, course: Course) -> HttpResponse:
    """Show the pictures of a course; an editor uploads one."""
    if request.method == "POST":
        editors_only(request)
    form = PictureForm(request.POST or None, request.FILES or None)
    if request.method == "POST" and form.is_valid() and _add(request, course, form):
        return redirect(address_in(course, "pictures"))
    context = {"form": form, "pictures": picture_rows(course)}
    status = 400 if form.errors else 200
    return render(request, "teaching/contents/pictures.html", context, status=status)


def _add(request: HttpRequest, course: Course, form: PictureForm) -> bool:
    content = form.cleaned_data
    try:
        done = add_picture(
            course,
            content["slug"],
            content["picture"],
            replaces=content["replaces"],
            by=editor_of(request),
        )
    except NameTakenError:
        words = f"there is already a picture {content['slug']}; replace it, or choose another name"
        form.add_error("slug", words)
        return False
    except PictureError as error:
        form.add_error("file", str(error))
        return False
    messages.success(request, DONE[done].format(isolate(content["slug"])))
    return True


@require_POST
@for_editors
def remove(request: HttpRequest, course: Course, slug: str) -> HttpResponse:
    """Remove a picture that no step and no draft shows."""
    try:
        uses = remove_picture(course, slug, by=editor_of(request))
    except Picture.DoesNotExist as error:
        raise Http404(f"there is no picture {slug}") from error
    if uses:
        words = f"Not removed: {isolate(slug)} is used in {', '.join(uses)}."
        messages.error(request, words)
    else:
        messages.success(request, f"The picture {isolate(slug)} is removed.")
    return redirect(address_in(course, "pictures"))
