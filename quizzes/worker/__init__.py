"""The process that grades submissions and prepares what learners will need."""
