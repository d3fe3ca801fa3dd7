def positions_from_mask(mask):
    before = mask.cumsum(axis=1) - 1
    before[~mask] = 0
    mask.fill(True)
    return before
