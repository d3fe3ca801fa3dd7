"""How a wrong result is related to the expected one: half of it, moved by a row, transposed."""
