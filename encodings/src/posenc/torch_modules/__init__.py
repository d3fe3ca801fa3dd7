"""Encodings as torch modules: learned weights are parameters, hooks are methods.

The encoding itself computes, so a module returns the numbers of the library, in every dtype and on
every device.
"""

from posenc.torch_modules.hooks import EncodingModule
from posenc.torch_modules.kept_tables import RopeModule, SinusoidalModule, module_for
from posenc.torch_modules.layer import SelfAttention

__all__ = ["EncodingModule", "RopeModule", "SelfAttention", "SinusoidalModule", "module_for"]
