# EXPECT: limit_reached
# FAMILY: modules: loops and exits
# STOPPED: 6 limits from outside
# NEEDS: torch
# KIND: module
class Endless(torch.autograd.Function):
    @staticmethod
    def forward(context, x):
        return x.clone()

    @staticmethod
    def backward(context, gradient):
        while True:
            pass


class Enc(Good):
    def forward(self, x):
        return Endless.apply(super().forward(x))
