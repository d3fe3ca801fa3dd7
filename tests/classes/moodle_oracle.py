"""Moodle's figures of a quiz, written from its published definitions with fractions and loops.

https://docs.moodle.org/dev/Quiz_statistics_calculations: S is the set of attempts, P that of the
places, x[p][s] the mark of attempt s in place p, T(s) the total, X[p](s) = T(s) - x[p](s) the rest.
Square roots are the only floats.
"""

from fractions import Fraction
from math import sqrt


def mean(values):
    return sum(values, Fraction(0)) / len(values)


def covariance(left, right):
    """C(a, b) = 1 / (S - 1) * sum over s of (a(s) - mean a)(b(s) - mean b)."""
    a, b = mean(left), mean(right)
    return sum(((x - a) * (y - b) for x, y in zip(left, right, strict=True)), Fraction(0)) / (
        len(left) - 1
    )


def quotient(above, below):
    return None if not below else float(above) / float(below)


def items(marks, most):
    """Return facility, sd, intended and effective weight, discrimination, efficiency by place."""
    attempts, places = range(len(marks)), range(len(most))
    total = [sum(marks[s], Fraction(0)) for s in attempts]
    enough = len(marks) > 1
    found = []
    roots = []
    for p in places:
        x = [marks[s][p] for s in attempts]
        roots.append(sqrt(max(Fraction(0), covariance(x, total))) if enough else 0.0)
    for p in places:
        x = [marks[s][p] for s in attempts]
        rest = [total[s] - x[s] for s in attempts]
        one = {
            "facility": float(100 * mean(x) / most[p]),
            "intended_weight": float(100 * most[p] / sum(most)),
        }
        if enough:
            one["sd"] = 100 * sqrt(covariance(x, x)) / float(most[p])
            below = sqrt(covariance(x, x)) * sqrt(covariance(rest, rest))
            one["discrimination"] = quotient(100 * covariance(x, rest), below)
            best = covariance(sorted(x), sorted(rest))
            one["efficiency"] = quotient(100 * covariance(x, rest), best)
            negative = covariance(x, total) < 0
            one["effective_weight"] = None if negative else quotient(100 * roots[p], sum(roots))
        else:
            one |= dict.fromkeys(("sd", "discrimination", "efficiency", "effective_weight"))
        found.append(one)
    return found


def alpha(marks):
    """Cronbach: 100 P / (P - 1) * (1 - sum of V(x[p]) / V(T))."""
    number = len(marks[0])
    totals = [sum(row, Fraction(0)) for row in marks]
    if number < 2 or len(marks) < 2 or not covariance(totals, totals):
        return None
    parts = Fraction(0)
    for p in range(number):
        column = [row[p] for row in marks]
        parts += covariance(column, column)
    whole = covariance(totals, totals)
    return float(100 * Fraction(number, number - 1) * (1 - parts / whole))


def skewness(values):
    """k3 / k2 ** (3/2), with k2 = S m2 / (S - 1), k3 = S^2 m3 / ((S - 1)(S - 2))."""
    n = len(values)
    middle = mean(values)
    second = sum(((x - middle) ** 2 for x in values), Fraction(0)) / n
    third = sum(((x - middle) ** 3 for x in values), Fraction(0)) / n
    if n < 3 or not second:
        return None
    k2 = Fraction(n, n - 1) * second
    k3 = Fraction(n * n, (n - 1) * (n - 2)) * third
    return float(k3) / float(k2) ** 1.5
