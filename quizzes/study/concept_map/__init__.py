"""The concept map of a course: the page, its list, and the map drawn small."""
