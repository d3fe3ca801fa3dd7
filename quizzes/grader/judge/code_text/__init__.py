"""What the text of submitted code shows without running it: odd characters, calls in a circle."""
