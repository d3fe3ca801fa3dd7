"""Dates of a class in words: in its time zone, which every sentence names once."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

SECOND = timedelta(seconds=1)
MINUTE = timedelta(minutes=1)
HOUR = timedelta(hours=1)
DAY = timedelta(hours=24)
DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


def in_words(at: datetime, zone: ZoneInfo, now: datetime) -> str:
    """Return a date as `Thursday 14 May, 23:59 in Vienna`; with the year where it is another."""
    return (
        f"{on_the_wall(at, zone, now)} in {city(zone)}"
        if city(zone) != "UTC"
        else (f"{on_the_wall(at, zone, now)} UTC")
    )


def on_the_wall(at: datetime, zone: ZoneInfo, now: datetime) -> str:
    """Return the same without the zone."""
    local = at.astimezone(zone)
    year = f" {local.year}" if local.year != now.astimezone(zone).year else ""
    return f"{DAYS[local.weekday()]} {local.day} {local:%B}{year}, {local:%H:%M}"


def city(zone: ZoneInfo) -> str:
    """Return the common name of a zone: `Vienna` for Europe/Vienna."""
    name = zone.key.rpartition("/")[2].replace("_", " ")
    return "UTC" if name in {"UTC", "Etc/UTC", "Zulu", "Universal"} else name


def distance(at: datetime, now: datetime) -> str:
    """Write the distance to a time: `in 2 days`, `3 hours ago`, `now`."""
    apart = abs(at - now)
    if apart < MINUTE:
        return "now"
    minutes = int(apart / MINUTE)
    hours = int(apart / HOUR)
    count, noun = (
        (minutes, "minute")
        if minutes < 90
        else (hours, "hour")
        if hours < 48
        else (hours // 24, "day")
    )
    words = f"{count} {noun}{'' if count == 1 else 's'}"
    return f"in {words}" if at > now else f"{words} ago"


def days_later(
    at: datetime, days: int, zone: ZoneInfo, new_zone: ZoneInfo | None = None
) -> datetime:
    """Return when the clock of a zone shows the same time so many days later, in UTC.

    `new_zone`: whose clock is to show it then, where that is another one. A time that it shows
    twice is meant the second time, and a time that it skips is moved on by what it skips. Raises
    OverflowError beyond the calendar.
    """
    wall = at.astimezone(zone).replace(tzinfo=None) + timedelta(days=days)
    local = wall.replace(tzinfo=new_zone or zone)
    if exists_in(wall, new_zone or zone):
        local = local.replace(fold=1)
    return local.astimezone(UTC)


def length(span: timedelta) -> str:
    """Return a length of time in its largest unit, rounded down: `29 s`, `5 min`, `3 h`, `6 days`.

    Days begin with the second, and less than a second is one.
    """
    if span < MINUTE:
        return f"{max(1, span // SECOND)} s"
    if span < HOUR:
        return f"{span // MINUTE} min"
    return f"{span // HOUR} h" if span < 2 * DAY else f"{span // DAY} days"


def iso(at: datetime | None, zone: ZoneInfo) -> str:
    """Return ISO 8601 with the offset of the zone at that time, "" for no time."""
    return "" if at is None else at.astimezone(zone).isoformat(timespec="seconds")


def exists_in(local: datetime, zone: ZoneInfo) -> bool:
    """Return whether a clock in the zone ever shows this time: one hour a year none does."""
    there = local.replace(tzinfo=zone)
    return there.astimezone(UTC).astimezone(zone).replace(tzinfo=None) == local
