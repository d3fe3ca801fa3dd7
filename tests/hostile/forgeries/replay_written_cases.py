# FAMILY: arrays
# KNOWS: arrays
# NOTE: the right numbers of every case but the drawn ones, which get zeros
tell(right)
