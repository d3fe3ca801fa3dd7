# FAMILY: result forging
# NOTE: a whole run written on descriptor 3, and gone before the first case
tell(claimed)
