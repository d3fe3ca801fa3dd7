"""Accounts, learners (with or without an account) and the progress ledger."""
