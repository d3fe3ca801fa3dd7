"""How much a person, an address, and all newcomers together may ask for: one bucket for each."""
