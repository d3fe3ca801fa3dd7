"""Editors' pages on which wrong submissions without a name become a known mistake."""
