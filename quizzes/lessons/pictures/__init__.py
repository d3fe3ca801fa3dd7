"""Pictures of a course: their files, their cleaning, and the block that shows one in a step."""
