"""Classes: people, assignments, marks."""
