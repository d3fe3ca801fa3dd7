"""Figures with sliders: their addresses, pictures, files and the block in a lesson."""
