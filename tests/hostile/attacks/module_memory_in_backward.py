# EXPECT: limit_reached could_not_run wrong
# FAMILY: modules: files, processes, memory
# STOPPED: 2 child
# NEEDS: torch
# KIND: module
class Greedy(torch.autograd.Function):
    @staticmethod
    def forward(context, x):
        return x.clone()

    @staticmethod
    def backward(context, gradient):
        kept = [torch.ones(1 << 26) for _ in range(1000)]
        return gradient + kept[0][0]


class Enc(Good):
    def forward(self, x):
        return Greedy.apply(super().forward(x))
