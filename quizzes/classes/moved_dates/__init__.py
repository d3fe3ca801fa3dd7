"""Dates that move together: those of an earlier class for the next term, and one member's."""
