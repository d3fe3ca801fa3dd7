# EXPECT: limit_reached
# NEEDS: torch
# KIND: module
class Enc(Good):
    def parameters(self, recurse=True):
        while True:
            yield torch.ones(1)
