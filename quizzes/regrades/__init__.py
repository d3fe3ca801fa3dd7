"""Regrades of answers and of code: scope, plan, apply, undo or decline, and what follows."""
