"""Means of many dice

Slider dice: 1, 2, 5, 20
"""

import numpy as np


def plot(dice):
    rng = np.random.default_rng(7)
    means = rng.integers(1, 7, size=(300, dice)).mean(axis=1)
    grid = np.linspace(1, 6, 51)
    share = [(means <= x).mean() for x in grid]
    left = curves(grid, {"share up to x": share}, title="As a curve", x="mean x", y="share")
    right = points(means[:60], np.arange(60), title="Sixty means", x="mean x", y="number")
    words = f"Half of the means are at most {np.median(means):.2f}."
    return panels(left, right, title="The mean of dice gathers around 3.5", says=words)
