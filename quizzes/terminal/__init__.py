"""What commands write to a terminal, whoever wrote the text."""
