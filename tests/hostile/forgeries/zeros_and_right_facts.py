# FAMILY: arrays
# NOTE: zeros of the right shape and dtype, and every fact and failure as it should be
tell(right)
