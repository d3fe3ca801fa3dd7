# FAMILY: result forging
# NOTE: ends with the status by which a child says that it could not be confined
tell(claimed, status=97)
