"""Plots of any subject: an author's program, its sliders, and the frames that a worker computes."""
