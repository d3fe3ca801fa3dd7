"""Rules of authors' texts, for the declarations of their fields."""

from collections.abc import Iterator

from quizzes.content_files.declaration import Rule
from quizzes.content_files.problems import ContentProblem
from quizzes.content_files.yaml_nodes import Node
from quizzes.pages.markdown import markdown_problems, plain_text_problems


def _markdown(node: Node, text: str) -> list[ContentProblem]:
    return markdown_problems(text, path=node.path, first_line=node.line)


def _markdown_line(node: Node, text: str) -> list[ContentProblem]:
    return markdown_problems(text, path=node.path, first_line=node.line, in_one_line=True)


def _plain(node: Node, _: str) -> Iterator[ContentProblem]:
    return plain_text_problems(node)


MARKDOWN = Rule(_markdown)
MARKDOWN_LINE = Rule(_markdown_line)  # of what pages show by `render_inline`, such as an option
PLAIN = Rule(_plain)  # of what pages show as it is typed
