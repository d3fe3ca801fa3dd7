"""Loops over batch, heads and queries and writes the formula out.

Truth: right
Slips: none
Names: none
Says: A fair person would say: Correct. Slow, but it is the formula line by line.
"""
import math

import numpy as np


def softmax(values):
    top = max(values)
    exps = [math.exp(v - top) for v in values]
    total = sum(exps)
    return [e / total for e in exps]


def shaw_attention(q, k, v, key_table, value_table):
    B, H, Lq, D = q.shape
    Lk = k.shape[2]
    c = (len(key_table) - 1) // 2
    out = np.zeros((B, H, Lq, D))
    for b in range(B):
        for h in range(H):
            for i in range(Lq):
                rows = [min(max(j - i, -c), c) + c for j in range(Lk)]
                scores = [
                    float(q[b, h, i] @ (k[b, h, j] + key_table[rows[j]])) / math.sqrt(D)
                    for j in range(Lk)
                ]
                for j, w in enumerate(softmax(scores)):
                    out[b, h, i] += w * (v[b, h, j] + value_table[rows[j]])
    return out
