"""Questions with several right options and with a text for an answer, as files."""

MULTIPLE = """
kind: multiple
scoring: per_option
prompt: Which are even?
step: sums/adding
tags: [sums]
options:
  - text: two
    key: true
    reason: Half of it is one.
  - text: four
    key: true
    reason: Half of it is two.
  - text: six
    key: true
    reason: Half of it is three.
  - text: seven
    reason: It has no half.
  - text: nine
    reason: It has none either.
"""
TEXT = """
kind: text
prompt: What turns pairs of coordinates?
step: sums/adding
tags: [sums]
answer:
  accepts: [RoPE, rotary*, "*rotary  position embedding"]
  reason: It rotates them by the position.
"""
