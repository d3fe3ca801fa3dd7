# EXPECT: any
# FAMILY: modules: lies about themselves
# STOPPED: 5 frames
# NEEDS: torch
# KIND: module
# NOTE: lies about its own properties; the numbers it returns must be right all the same
nn.Module.parameters = lambda self, recurse=True: iter([])
nn.Module.named_buffers = lambda self, *a, **k: iter([("pe", torch.ones(1))])
nn.Module.half = lambda self: self
torch.Tensor.requires_grad = property(lambda self: True)


class Enc(Good):
    pass
