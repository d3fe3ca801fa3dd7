"""A rotation as a matrix

Slider degrees: 0 to 90 step 15
"""

import numpy as np


def plot(degrees):
    turn = np.radians(degrees)
    matrix = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    return heatmap(
        matrix,
        title="The matrix of a rotation",
        subtitle=f"By {degrees} degrees",
        x="column",
        y="row",
        says=f"The diagonal is {np.cos(turn):.3f}, the other corner {np.sin(turn):.3f}.",
        low=-1,
        high=1,
    )
