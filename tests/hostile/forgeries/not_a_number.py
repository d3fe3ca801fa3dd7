# FAMILY: arrays
# NOTE: NaN, which is neither more nor less than any tolerance
tell(
    lambda case: [
        (leaf, np.full(array.shape, np.nan) if array.dtype.kind == "f" else array)
        for leaf, array in right(case)
    ]
)
