"""Known mistakes made from submissions that nobody had a name for: drafts, proofs, publishing."""
