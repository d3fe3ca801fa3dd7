"""What is right since a regrade: answers compared between versions, the key in force, notices."""
