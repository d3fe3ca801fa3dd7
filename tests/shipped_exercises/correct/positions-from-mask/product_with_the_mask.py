def positions_from_mask(*, mask):
    return (mask.cumsum(1) - 1) * mask
