"""What a course has, in the browser: its contents and their order, a new course, zips."""
