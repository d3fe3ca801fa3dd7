"""The concept map of a course: its concepts, and which concept requires which."""
