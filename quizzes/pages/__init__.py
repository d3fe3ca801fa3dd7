"""Markdown to blocks; lessons, questions and exercises register their block kinds here."""
