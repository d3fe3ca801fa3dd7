"""Coding exercises, submissions, the worker that grades them, and verdict pages."""
