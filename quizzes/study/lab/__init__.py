"""The lab: any `f(n, d)` of a learner, its pictures, and a link that shares its numbers."""
