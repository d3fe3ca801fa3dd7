# EXPECT: limit_reached
# FAMILY: modules: loops and exits
# STOPPED: 6 limits from outside
# NEEDS: torch
# KIND: module
class Enc(Good):
    def parameters(self, recurse=True):
        while True:
            yield torch.ones(1)
