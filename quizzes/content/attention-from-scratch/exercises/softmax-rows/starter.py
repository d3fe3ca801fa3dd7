import numpy as np


def softmax_rows(
    scores: np.ndarray,
    mask: np.ndarray | None = None,
    axis: int = -1,
) -> np.ndarray:
    """The weights of each row, in the shape of scores."""
    raised = np.exp(scores)
    # Divide by the sum of the row, and mind the mask.
    return raised
