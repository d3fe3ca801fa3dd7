"""After "Correct": arguments for which a wrong program fails. Nothing of it is counted."""
