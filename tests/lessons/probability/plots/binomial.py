"""How often a coin shows heads

Slider n: 2 to 40 step 2
Slider p: 0.1 to 0.9 step 0.2
"""

import math


def plot(n, p):
    counts = list(range(n + 1))
    chances = [math.comb(n, k) * p**k * (1 - p) ** (n - k) for k in counts]
    likely = max(counts, key=lambda k: chances[k])
    return bars(
        counts,
        chances,
        title="How many heads are likely",
        subtitle=f"{n} tosses of a coin that shows heads with probability {p:g}",
        x="heads k",
        y="probability",
        says=f"{likely} heads are the most likely, with probability {chances[likely]:.3f}.",
    )
