"""The concept map of a course: what there is to understand, and what needs what."""
