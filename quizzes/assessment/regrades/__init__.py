"""Answers marked anew after a wrong key: the rules, the deed, what follows, what is told."""
