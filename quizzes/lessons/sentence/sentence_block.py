"""The `sentence` block of a lesson: words as rows and columns of attention, which readers move.

```sentence
id: shuffle
words: the dog chased the man      # optional: otherwise the reader's own, or the course's sentence
look: grid                         # grid, outputs or arcs
positions: off                     # off, on or choice: a switch, off at first
mask: none                         # none, causal or choice
```

What a reader types stays in the browser: static/lessons/sentence/sentence.js.
"""

from collections.abc import Iterator, Sequence

from django.utils.safestring import SafeString

from quizzes.content_files.fields import Fields
from quizzes.content_files.problems import ContentProblem
from quizzes.lessons.sentence.picture import (
    DEFAULT,
    FEWEST_WORDS,
    LOOKS,
    MASKS,
    MOST_LETTERS,
    MOST_WORDS,
    POSITIONS,
    Sentence,
    sentence_html,
)
from quizzes.pages.blocks import Block, PageContext
from quizzes.pages.markdown import plain_text_problems


class SentenceBlock:
    """The block kind; see the module."""

    name = "sentence"
    stands_beside_text = True

    def check(self, block: Block) -> Iterator[ContentProblem]:
        problems: list[ContentProblem] = []
        fields = Fields(block.node, problems)
        fields.slug("id")
        words = fields.text("words", required=False).split()
        if isinstance(block.options.get("words"), str):
            _note_words(fields, words)
        fields.choice("look", LOOKS, default=LOOKS[0])
        fields.choice("positions", POSITIONS, default=POSITIONS[0])
        fields.choice("mask", MASKS, default=MASKS[0])
        fields.done()
        if block.body.strip():
            problems.append(block.problem("a sentence block has no body: write words: ..."))
        yield from problems
        yield from plain_text_problems(block.node.at("words"))

    def prepare(self, blocks: Sequence[Block], context: PageContext) -> None:
        """Prepare nothing: a sentence has all its data in its block."""

    def render(self, block: Block, prepared: None, context: PageContext) -> SafeString:
        del prepared, context
        return sentence_html(sentence_of(block))


def sentence_of(block: Block) -> Sentence:
    """Return the sentence in a block; what its author left out or got wrong has its default."""
    options = block.options
    words = tuple(str(options.get("words") or "").split())[:MOST_WORDS]
    has_words = len(words) >= FEWEST_WORDS

    def choice(name: str, choices: Sequence[str]) -> str:
        return str(options[name]) if options.get(name) in choices else choices[0]

    return Sentence(
        id=str(options.get("id") or block.key),
        words=words if has_words else DEFAULT,
        look=choice("look", LOOKS),
        positions=choice("positions", POSITIONS),
        mask=choice("mask", MASKS),
        is_own=not has_words,
    )


def _note_words(fields: Fields, words: Sequence[str]) -> None:
    """Note a sentence that is too short or too long, and each word that is too long."""
    if not FEWEST_WORDS <= len(words) <= MOST_WORDS:
        counted = f"{len(words)} word{'s' if len(words) != 1 else ''}"
        fields.note("words", f"{counted}: must be {FEWEST_WORDS} to {MOST_WORDS} words")
    for word in words:
        if len(word) > MOST_LETTERS:
            expected = f"a word has at most {MOST_LETTERS}"
            fields.note("words", f"{word!r} has {len(word)} characters: {expected}")
