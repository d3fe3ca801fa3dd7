"""Rosters as files: read, compared with a class and applied, and written."""
