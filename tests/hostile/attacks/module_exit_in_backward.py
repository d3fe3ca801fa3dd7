# EXPECT: could_not_run
# FAMILY: modules: loops and exits
# STOPPED: 5 frames
# NEEDS: torch
# KIND: module
import os


class Leaving(torch.autograd.Function):
    @staticmethod
    def forward(context, x):
        return x.clone()

    @staticmethod
    def backward(context, gradient):
        os._exit(0)


class Enc(Good):
    def forward(self, x):
        return Leaving.apply(super().forward(x))
