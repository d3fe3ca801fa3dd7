"""Properties of arrays, the same for numpy's arrays and torch's tensors.

An encoding asks for these a dozen times in one call, so that the array itself answers; everything
else is array_api_compat's own.
"""

from typing import Any, TypeAlias

import array_api_compat
import numpy as np
from array_api_compat import is_numpy_array, is_torch_array

from posenc.errors import ParameterError

__all__ = [
    "Array",
    "array_namespace",
    "device",
    "is_array",
    "is_real_floating",
    "is_torch_array",
    "library",
    "move_axis",
    "outlives_the_call",
    "require_array",
    "size",
    "to_device",
]

Array: TypeAlias = Any  # numpy.ndarray or torch.Tensor; array_api_compat speaks to both

_OF_TYPE: dict[type, Any] = {}
_OF_MODULE: dict[Any, Any] = {}
_REAL_FLOATING: dict[Any, bool] = {}


def is_array(value: object) -> bool:
    """Return whether this is an array or a number of numpy, or a tensor of torch.

    The type of the value decides. numpy's matrix is none: its products are not those of arrays.
    """
    kind = type(value)
    if kind in _OF_TYPE:  # it was asked for its library before, as all arrays are
        return True
    return not issubclass(kind, np.matrix) and (is_numpy_array(value) or is_torch_array(value))


def require_array(name: str, value: object, expected: str) -> Any:
    """Return an array of numpy or torch unchanged. Raises ParameterError, `expected` of it.

    The arrays of other libraries (JAX, CuPy, Dask, MLX and any that speaks the array API) would
    get through some functions and fail in others with errors of their own, or come back as arrays
    of numpy. They are refused here, and the error names their type with its module: several
    libraries call theirs Array.
    """
    if is_array(value):
        return value
    kind = type(value)  # a class of arrays, such as numpy.float32, is no array: its type is `type`
    if hasattr(kind, "__array_namespace__") or hasattr(kind, "shape"):
        expected = f"{expected}, not {kind.__module__}.{kind.__qualname__}"
    raise ParameterError(name, value, expected)


def array_namespace(array: Any) -> Any:
    """Return the library of an array, with the functions of the array API standard.

    The type of the array decides. Raises TypeError for anything but an array of numpy or torch.
    """
    kind = type(array)
    if kind not in _OF_TYPE:
        if not is_array(array):
            raise TypeError(
                f"{kind.__module__}.{kind.__qualname__} is not an array of numpy or torch"
            )
        _OF_TYPE[kind] = array_api_compat.array_namespace(array)
    return _OF_TYPE[kind]


def library(module: Any) -> Any:
    """Return the module, numpy or torch, with the functions of the array API standard.

    Raises AttributeError or TypeError for anything but a library of arrays.
    """
    if module not in _OF_MODULE:
        _OF_MODULE[module] = array_namespace(module.empty(0))
    return _OF_MODULE[module]


def is_real_floating(array: Any) -> bool:
    """Return whether an array holds real floating-point numbers; asking each time takes 0.5 us."""
    dtype = array.dtype
    if dtype not in _REAL_FLOATING:
        _REAL_FLOATING[dtype] = array_namespace(array).isdtype(dtype, "real floating")
    return _REAL_FLOATING[dtype]


def size(array: Any) -> int:
    """Return the number of elements of an array; torch.compile may not know it yet."""
    numbers: int = array.numel() if is_torch_array(array) else array.size
    return numbers


def move_axis(array: Any, source: int, to: int) -> Any:
    """Return a view with one axis moved; in torch by movedim, since vmap has no moveaxis."""
    return array.movedim(source, to) if is_torch_array(array) else np.moveaxis(array, source, to)


def device(array: Any) -> Any:
    """Return the device of an array: numpy's "cpu" or torch's device."""
    return array.device


def to_device(array: Any, home: Any) -> Any:
    """Return the array itself if it is on the device `home`, else a copy there."""
    return array if array.device == home else array_api_compat.to_device(array, home)


def outlives_the_call(array: Any) -> bool:
    """Return whether arrays made like this one may be kept, or be written to in parts.

    False where torch only traces, and for the tensors that its transforms put in place of others.
    """
    if not is_torch_array(array):
        return True
    import torch  # already loaded: the array is its tensor

    if type(array) is not torch.Tensor or torch.compiler.is_compiling():
        return False
    try:
        return array.data_ptr() > 0 or not array.numel()
    except RuntimeError:  # the tensors of torch.func have no memory of their own
        return False
