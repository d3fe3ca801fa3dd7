"""Coding exercises, submissions and their queue, drafts, and verdict pages."""
