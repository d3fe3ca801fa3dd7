"""Classes: the people of a course that is taught at a time, their work with dates, their marks."""
