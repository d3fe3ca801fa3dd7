"""The block `picture` of lesson pages: a picture of the course, with what it shows in words.

```picture
slug: two-cells
alt: Two cells side by side, the left one dividing.
caption: After *eleven* hours.
```

`slug` is the name of its file in `pictures/` without the ending. Who cannot see the picture reads
or hears `alt`, so it is required.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.utils.html import format_html
from django.utils.safestring import SafeString

from quizzes.content_files.fields import Fields
from quizzes.content_files.problems import ContentProblem
from quizzes.courses.addresses import course_picture_address
from quizzes.courses.content import cached_content
from quizzes.lessons.models import Picture
from quizzes.lessons.pictures.header import SUFFIXES
from quizzes.pages.blocks import Block, PageContext
from quizzes.pages.markdown import markdown_problems, plain_text_problems, render_inline

MAX_ALT = 600  # characters
MAX_CAPTION = 400


@dataclass(frozen=True)
class ShownPicture:
    """What a page says of a picture: its address, and its size, so that nothing moves."""

    address: str
    width: int
    height: int


class PictureBlock:
    """The block kind; see the module. No query where the content of the course is cached."""

    name = "picture"
    fills_margin = True  # a wide one reaches to the right

    def check(self, block: Block) -> Iterator[ContentProblem]:
        problems: list[ContentProblem] = []
        fields = Fields(block.node, problems)
        fields.slug("slug")
        fields.text("alt", max_length=MAX_ALT)
        caption = fields.text("caption", required=False, max_length=MAX_CAPTION)
        fields.done()
        if block.body.strip():
            problems.append(block.problem("a picture block has no body"))
        yield from problems
        yield from plain_text_problems(block.node.at("alt"))
        line = block.node.at("caption").line
        yield from markdown_problems(caption, path=block.path, first_line=line, in_one_line=True)

    def prepare(self, blocks: Sequence[Block], context: PageContext) -> Mapping[str, ShownPicture]:
        del blocks
        return course_pictures(context.course.pk)

    def render(
        self, block: Block, prepared: Mapping[str, ShownPicture], context: PageContext
    ) -> SafeString:
        del context
        slug = str(block.options.get("slug", ""))
        alt = str(block.options.get("alt", "")).strip()
        caption = str(block.options.get("caption") or "").strip()
        picture = prepared.get(slug)
        if picture is None:
            words = '<p class="notice notice--warn">The picture {} is not available. {}</p>'
            return format_html(words, slug, alt)
        below = (
            format_html("<figcaption>{}</figcaption>", render_inline(caption)) if caption else ""
        )
        return format_html(
            '<figure class="figure picture"><img class="picture__image" src="{}" alt="{}"'
            ' width="{}" height="{}" loading="lazy" decoding="async">{}</figure>',
            picture.address,
            alt,
            picture.width,
            picture.height,
            below,
        )


@cached_content
def course_pictures(course: int) -> dict[str, ShownPicture]:
    """Return the pictures of a course by name, those too that only older lessons show."""
    rows = Picture.objects.filter(course=course)
    facts = rows.values_list("slug", "kind", "sha256", "width", "height", "course__slug")
    return {
        slug: ShownPicture(
            course_picture_address(named, slug, SUFFIXES[kind], sha256), width, height
        )
        for slug, kind, sha256, width, height, named in facts
    }
