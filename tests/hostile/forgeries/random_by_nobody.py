# FAMILY: claims
# NOTE: a leaf without a name
tell(lambda case: [*facts(case), random_leaf("")])
