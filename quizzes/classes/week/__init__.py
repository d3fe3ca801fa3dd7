"""What a class did this week: its known mistakes, what was done about them, who needs help."""
