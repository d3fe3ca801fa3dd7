# WALL: 2
# EXPECT: correct
# FAMILY: modules: loops and exits
# STOPPED: 5 frames
# NEEDS: torch
# KIND: module
# NOTE: time is told and never judged
import time


class Enc(Good):
    def forward(self, x):
        if x.shape[1] == 64:
            time.sleep(60)
        return super().forward(x)
