"""Encodings as torch modules: what an encoding learns are parameters, its hooks are methods.

Computing happens in the encoding itself, so a module gives what the library gives, in every dtype
and on every device.
"""

from posenc.torch_modules.hooks import EncodingModule
from posenc.torch_modules.kept_tables import RopeModule, SinusoidalModule, module_for
from posenc.torch_modules.layer import SelfAttention

__all__ = ["EncodingModule", "RopeModule", "SelfAttention", "SinusoidalModule", "module_for"]
