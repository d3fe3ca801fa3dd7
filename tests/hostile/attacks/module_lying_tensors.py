# EXPECT: wrong could_not_run
# FAMILY: modules: lies about themselves
# STOPPED: 5 frames
# NEEDS: torch
# KIND: module
class Liar(torch.Tensor):
    @classmethod
    def __torch_function__(cls, function, types, args=(), kwargs=None):
        if function in (torch.Tensor.numpy, torch.Tensor.detach, torch.Tensor.cpu):
            return np.zeros((1 << 20,))
        return super().__torch_function__(function, types, args, kwargs or {})

    dtype = property(lambda self: "float32\x1b[2J")
    shape = property(lambda self: (1 << 60,) * 40)
    requires_grad = property(lambda self: True)

    def backward(self, *a, **k):
        print("nothing to do")


class Enc(Good):
    def forward(self, x):
        return (2 * super().forward(x)).as_subclass(Liar)
