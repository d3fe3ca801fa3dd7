"""Weeks of a class: from Monday 00:00 on its own clock to the next."""

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

SEVEN_DAYS = timedelta(days=7)


class NotAWeekError(ValueError):
    """The text names no week; the message says what would."""


@dataclass(frozen=True)
class Week:
    """One week in a zone; two clock changes a year make one an hour longer or shorter."""

    monday: date
    zone: ZoneInfo

    @classmethod
    def at(cls, moment: datetime, zone: ZoneInfo) -> "Week":
        """Return the week of a moment."""
        day = moment.astimezone(zone).date()
        return cls(day - timedelta(days=day.weekday()), zone)

    @classmethod
    def named(cls, text: str, zone: ZoneInfo) -> "Week":
        """Return the week of an ISO name, `2026-W48`. Raises NotAWeekError."""
        year, _, number = text.partition("-W")
        try:
            if len(text) != 8 or not (year + number).isascii():
                raise ValueError(text)
            monday = date.fromisocalendar(int(year), int(number), 1)
            if not 1900 < monday.year < 9000:
                raise ValueError(text)
        except ValueError:
            words = f"week={text[:20]}: must be a year and a week of it, such as 2026-W48"
            raise NotAWeekError(words) from None
        return cls(monday, zone)

    @property
    def name(self) -> str:
        year, number, _ = self.monday.isocalendar()
        return f"{year}-W{number:02}"

    @property
    def begins_at(self) -> datetime:
        return datetime.combine(self.monday, time(), self.zone).astimezone(UTC)

    @property
    def ends_at(self) -> datetime:
        return self.next.begins_at

    @property
    def days(self) -> list[date]:
        return [self.monday + timedelta(days=number) for number in range(7)]

    def end_of(self, day: date) -> datetime:
        """Return the midnight after a day, on the clock of the class."""
        return datetime.combine(day + timedelta(days=1), time(), self.zone).astimezone(UTC)

    @property
    def sunday(self) -> date:
        return self.monday + timedelta(days=6)

    @property
    def next(self) -> "Week":
        return Week(self.monday + SEVEN_DAYS, self.zone)

    @property
    def previous(self) -> "Week":
        return Week(self.monday - SEVEN_DAYS, self.zone)
