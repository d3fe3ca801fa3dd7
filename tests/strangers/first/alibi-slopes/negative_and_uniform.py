"""One line: the exponent formula for any number of heads, with the sign of a penalty.

Truth: wrong
Slips: the slopes are negative; the formula for powers of two is used for every number of heads
Names: negative, geometric_any_n
Silent: yes
Says: A fair person would say: slopes are positive, the minus comes where they are used. And with a number of heads that is no power of two, the slopes of P heads come first and every second slope of 2P heads after them.
"""

import numpy as np

alibi_slopes = lambda n_heads: -np.exp2(-8 * (1 + np.arange(n_heads)) / n_heads)
