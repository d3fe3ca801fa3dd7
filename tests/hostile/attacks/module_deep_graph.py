# EXPECT: any
# FAMILY: modules: loops and exits
# STOPPED: 2 child, 5 frames
# NEEDS: torch
# KIND: module
class Enc(Good):
    def forward(self, x):
        y = super().forward(x)
        for _ in range(30_000):
            y = y + 0
        return y
