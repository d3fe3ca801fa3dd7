"""Ordinal, the site: a Django project whose applications are the rooms of docs/architecture.md."""
