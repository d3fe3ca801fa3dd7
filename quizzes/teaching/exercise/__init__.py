"""Exercises written in the browser: their form, their page, their proof."""
