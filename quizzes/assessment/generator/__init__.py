"""Questions whose numbers are drawn by an author's `generate.py`."""
