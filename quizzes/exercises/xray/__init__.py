"""X-rays: what the expressions of a learner's code were, on one case. Nothing of it is counted."""
