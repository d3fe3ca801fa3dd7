"""Questions whose numbers are drawn anew by an author's `generate.py`."""
