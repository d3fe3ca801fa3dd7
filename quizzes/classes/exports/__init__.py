"""What a class's staff download: marks, responses, code. Written line by line, as it is read."""
