# FAMILY: claims
# NOTE: zeros of the right shape, and beside them one leaf that chance has made
tell(lambda case: [*right(case), random_leaf("spare")])
