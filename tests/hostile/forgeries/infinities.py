# FAMILY: arrays
# NOTE: infinities, from which every error is NaN or infinite
tell(
    lambda case: [
        (leaf, np.full(array.shape, np.inf, array.dtype) if array.dtype.kind == "f" else array)
        for leaf, array in right(case)
    ]
)
