"""What crosses the wall between the site and submitted code, and how it is read."""
