"""Pages of the work of a class: assignments, exceptions, marks, exports."""
