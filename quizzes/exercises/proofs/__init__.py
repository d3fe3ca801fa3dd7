"""Proofs of what is written in the browser: asked for, leased by a worker, told to its page."""
