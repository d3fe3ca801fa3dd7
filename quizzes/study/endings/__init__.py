"""What the end of a lesson, a quiz or an exercise says: facts are read, and rules decide."""
