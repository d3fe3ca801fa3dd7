"""Tools of an operator: health, backups, preparing a site."""
