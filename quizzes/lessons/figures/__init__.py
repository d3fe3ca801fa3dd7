"""Figures that answer to sliders: their addresses, pictures, files and the block in a lesson."""
