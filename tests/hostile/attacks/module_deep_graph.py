# EXPECT: any
# NEEDS: torch
# KIND: module
class Enc(Good):
    def forward(self, x):
        y = super().forward(x)
        for _ in range(30_000):
            y = y + 0
        return y
