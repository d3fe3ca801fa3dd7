# EXPECT: wrong could_not_run
# FAMILY: modules: state for the next job
# STOPPED: 2 child
# NEEDS: torch
# KIND: module
from torch.nn.modules import module as modules
from torch.overrides import TorchFunctionMode


class Everything(TorchFunctionMode):
    def __torch_function__(self, function, types, args=(), kwargs=None):
        out = function(*args, **(kwargs or {}))
        return out + 1 if isinstance(out, torch.Tensor) and out.is_floating_point() else out


Everything().__enter__()
modules.register_module_forward_hook(lambda module, args, out: out * 0)
modules.register_module_forward_pre_hook(lambda module, args: (args[0] * 7,))
torch.set_default_dtype(torch.float64)
torch.use_deterministic_algorithms(True)
torch.autograd.set_detect_anomaly(True)
torch.set_grad_enabled(False)


class Enc(Good):
    pass
