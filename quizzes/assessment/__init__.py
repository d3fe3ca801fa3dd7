"""Questions, quizzes, attempts and responses."""
