"""What an entry of the audit log is about: things with their titles, and people without a name."""

from dataclasses import dataclass
from enum import StrEnum

MOST_TITLE = 200


class Kind(StrEnum):
    """What an entry can be about. The key is that of a row, or a name within the course."""

    LESSON = "lesson"  # by name
    QUESTION = "question"  # by name
    QUIZ = "quiz"  # by name
    EXERCISE = "exercise"  # by name
    PLOT = "plot"  # by name
    MISTAKE = "mistake"  # by "<exercise>/<known mistake>"
    ASSIGNMENT = "assignment"
    ANNOUNCEMENT = "announcement"
    SUBMISSION = "submission"
    ATTEMPT = "attempt"
    SECTION = "section"  # by name
    MEMBER = "member"
    ACCOUNT = "account"

    @property
    def is_person(self) -> bool:
        """Return whether it is somebody, who has no title in the log."""
        return self in (Kind.MEMBER, Kind.ACCOUNT)


@dataclass(frozen=True)
class Subject:
    """Something that an entry is about: its kind, its key, and its title at that time."""

    kind: Kind
    key: str
    title: str = ""

    @classmethod
    def of(cls, kind: Kind, key: object, title: str = "") -> "Subject":
        """Return a subject as the log keeps it: a long title is cut, a person has none."""
        return cls(kind, str(key), "" if kind.is_person else title[:MOST_TITLE])

    @property
    def words(self) -> str:
        """Return the title, else the kind and the key: "submission 12"."""
        return self.title or f"{self.kind} {self.key}"
