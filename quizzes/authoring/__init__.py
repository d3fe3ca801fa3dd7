"""Loading, checking and exporting the course; the publishing gate."""
