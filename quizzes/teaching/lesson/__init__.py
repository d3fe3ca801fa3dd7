"""Lessons that are written in the browser: their form, their pages, their preview."""
