# FAMILY: result forging
# NOTE: everything but the last frame
tell(claimed, after=())
