"""Numbers that a reader's own program returned, drawn as the pictures of an encoding are."""
