"""A learner's own numbers on the figure of a lesson: yours, the reference, and their difference."""
