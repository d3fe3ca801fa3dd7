"""The questions of a class's quiz: statistics by Moodle's definitions, options, flags."""
