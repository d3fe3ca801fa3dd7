"""The table "What counts" once more, written apart from `quizzes.classes.marks`: an oracle.

Numbers are fractions, times are whole seconds, rules are plain dictionaries; no line of the code
under test is imported.
"""

from datetime import UTC, timedelta
from fractions import Fraction
from math import floor, inf

DAY = 24 * 60 * 60


def half_up(value, digits):
    """Round to so many digits after the point, halves away from zero (values are not negative)."""
    scale = 10**digits
    return Fraction(floor(value * scale + Fraction(1, 2)), scale)


def own_rules(assignment, exception):
    """Line 7: the later date and the greater number count, or the exception's if on purpose.

    No date is later than all dates, no limit more than all numbers.
    """
    if exception is None:
        return dict(assignment, excused=False)
    rules = dict(assignment, excused=exception["excused"])
    for name in ("opens", "due", "closes", "attempts", "minutes"):
        own, common = exception[name], assignment[name]
        if own is None:
            continue
        most = max(own, inf if common is None else common)
        counts = own if exception["on_purpose"] else most
        rules[name] = None if counts == inf else counts
    return rules


def minutes_allowed(minutes, extra_percent):
    """Line 8: ceil(minutes * (1 + extra/100))."""
    exact = minutes * (1 + Fraction(extra_percent, 100))
    return int(exact) if exact == int(exact) else int(exact) + 1


def share_left(rules, at):
    """Line 1: a percentage of what was earned for each day begun after the due second."""
    days = late_days(rules, at, elapsed=was_over(rules, rules["days_upgraded"]))
    return max(Fraction(0), 1 - Fraction(rules["late"] * days, 100))


def late_days(rules, at, *, elapsed):
    """A day ends at the due time on the class's clock, before an upgrade after 24 hours."""
    days = 0
    if rules["due"] is not None:
        ends = rules["due"]
        while ends + rules["grace"] * 60 < at:
            days += 1
            ends = rules["due"] + days * DAY if elapsed else on_the_clock(rules, days)
    return days


def on_the_clock(rules, days):
    """Return when the clock shows the due time so many dates later, for the last time.

    No clock of these tests skips a time on these dates.
    """
    start, zone = rules["start"], rules["zone"]
    shown = (start + timedelta(seconds=rules["due"])).astimezone(zone).replace(tzinfo=None)
    target = (shown + timedelta(days=days)).replace(tzinfo=UTC)
    offsets = [(target + timedelta(days=apart)).astimezone(zone).utcoffset() for apart in (-2, 2)]
    shows = [
        one
        for one in (target - offset for offset in offsets)
        if one.astimezone(zone).replace(tzinfo=UTC) == target
    ]
    return (max(shows) - start).total_seconds()


def was_over(rules, upgraded):
    """Whether work was over by an upgrade: the next second earns nothing by the rules of before.

    Since it is closed, or the late days of 24 hours have taken all.
    """
    if upgraded is None:
        return False
    after = upgraded + 1
    if rules["closes"] is not None and after > rules["closes"]:
        return True
    return rules["late"] * late_days(rules, after, elapsed=True) >= 100


def ends_of(rules):
    """Return when the time for work in time ends, None for never."""
    due, closes = rules["due"], rules["closes"]
    if due is not None:
        due += rules["grace"] * 60
    return min((one for one in (due, closes) if one is not None), default=None)


def solves(rules, verdict):
    """Line 3: `correct`, and the other convention if the assignment says so."""
    return verdict == "correct" or (verdict == "correct_other_convention" and rules["other"])


def submits_that_count(rules, submits):
    """Line 3 and II 9: those in the window, as many as allowed; solved before counts as opening."""
    used, found = 0, []
    before = [
        one for one in submits if one["at"] < rules["opens"] and solves(rules, one["verdict"])
    ]
    if before:
        found.append(dict(before[0], at=rules["opens"], verdict="correct"))
    for one in submits:
        inside = one["at"] >= rules["opens"] and (
            rules["closes"] is None or one["at"] <= rules["closes"]
        )
        if not inside or (rules["attempts"] is not None and used == rules["attempts"]):
            continue
        is_old = was_over(rules, rules["upgraded"])  # unparsed code used up an attempt then
        free = {"not_graded"} if is_old else {"not_graded", "unparsed"}
        used += one["verdict"] not in free
        found.append(one)
    return found


def earned_share(rules, one):
    """Return the share of the points that one graded piece of work earned."""
    if "earned" in one:
        return (
            Fraction(one["earned"]) / Fraction(one["possible"]) if one["possible"] else Fraction(1)
        )
    if solves(rules, one["verdict"]):
        return Fraction(1)
    if rules["cases"] and one["verdict"] not in ("correct", "correct_other_convention"):
        return Fraction(one["passed"], one["total"])
    return Fraction(0)


def mark(rules, work, now, is_open):
    """Return (state, points, belongs to the total)."""
    if rules["excused"]:
        return "excused", None, False
    if rules["kind"] == "exercise":
        work = submits_that_count(rules, work)
    worth = [
        (half_up(rules["points"] * earned_share(rules, one) * share_left(rules, one["at"]), 5), one)
        for one in work
        if one.get("verdict", "graded") not in ("", "not_graded")
    ]
    points = None
    if worth and rules["kind"] == "quiz" and rules["counts"] == "last":
        points = max(worth, key=lambda pair: pair[1]["at"])[0]
    elif worth:
        points = max(pair[0] for pair in worth)
    for verdict, state in (("", "waiting"), ("not_graded", "our failure")):
        for one in work:
            could_be = half_up(rules["points"] * share_left(rules, one["at"]), 5)
            if one.get("verdict") == verdict and (points is None or could_be > points):
                return state, None, False
    is_due = ends_of(rules) is not None and now > ends_of(rules)
    if points is not None:
        return "marked", points, True
    if is_open:
        return "open", None, is_due
    nothing_from = rules["closes"]  # line 4
    if nothing_from is None and rules["late"] == 100:
        nothing_from = ends_of(rules)
    if nothing_from is not None and now > nothing_from:
        return "missed", Fraction(0), True
    return "none", None, is_due


def lesson(rules, done, now):
    """II 11: points x (steps done in time) / (steps); late steps do not count."""
    if rules["excused"]:
        return "excused", None, False
    end = ends_of(rules)
    count = sum(1 for at in done if at is not None and (end is None or at <= end))
    is_due = end is not None and now > end
    if count:
        return "marked", half_up(rules["points"] * Fraction(count, len(done)), 5), True
    last = rules["closes"] if rules["closes"] is not None else end
    if last is not None and now > last:
        return "missed", Fraction(0), True
    return "none", None, is_due


def totals(rows):
    """Lines 5 and 10, over (points of the assignment, state, points, belongs to the total)."""
    counted = [(possible, points or 0) for possible, _, points, belongs in rows if belongs]
    possible = sum((one[0] for one in counted), Fraction(0))
    earned = sum((one[1] for one in counted), Fraction(0))
    percent = half_up(100 * earned / possible, 1) if possible else None
    so_far = any(state in ("waiting", "our failure") for _, state, _, _ in rows)
    return earned, possible, len(counted), percent, so_far
