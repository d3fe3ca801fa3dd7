"""Whether the frames of a run hold the right numbers: read anew, of the judge nothing but numpy.

`wanted`: by kind and index of each told frame (of a case, `again` of a call of a pair) the dtype's
name and the array of each leaf by key, or None where the code must raise. `drawn`: the frames among
them of hidden cases drawn from the generator.
"""

import numpy as np

CARRIED = {"bfloat16": "float32", "float": "float64", "int": "int64", "complex": "complex128"}


def is_right(frames, wanted, drawn, accepted, tolerance, *, by_rows=False):
    """All told cases said once and as they should be, one of the drawn ones with results.

    `by_rows`: results may be off by one number in each row.
    """
    try:
        said = {
            place: [one for one in frames if (one.header["kind"], one.header.get("index")) == place]
            for place in wanted
        }
        results = [place for place in drawn if any(key[:3] == "out" for key in wanted[place] or ())]
        allowed = accepted, tolerance, by_rows
        alike = (_says(*said[place], wanted[place], *allowed) for place in wanted)
        return bool(results) and all(alike)
    except (TypeError, KeyError):  # no frame of a case, two of them, or not what a frame is
        return False


def _says(frame, wanted, accepted, tolerance, by_rows):  # one frame, or a TypeError
    allowed, failure = (accepted, tolerance, by_rows), frame.header.get("failure")
    if wanted is None or failure is not None:
        return wanted is None and failure is not None and failure["rung"] == "returned"
    said = {leaf["key"]: leaf for leaf in frame.header["leaves"]}
    near = (_is_near(said[key], frame.arrays[said[key]["array"]], key, *leaf, *allowed)
            for key, leaf in wanted.items())  # fmt: skip
    return all(leaf["kind"] != "random" for leaf in said.values()) and all(near)


def _is_near(leaf, got, key, dtype, wanted, accepted, tolerance, by_rows):
    name = leaf["dtype"]
    plain = name if name == "bfloat16" else CARRIED.get(name, name)
    fits = key[:3] != "out" or plain in accepted or ("same" in accepted and plain == dtype)
    if not fits or got.shape != wanted.shape or got.dtype != CARRIED.get(name, plain):
        return False
    size = np.abs(np.where(np.isfinite(wanted), wanted, 0)).astype("f8")
    most = tolerance.atol + tolerance.rtol * size + tolerance.relative_to_max * size.max(initial=0)
    with np.errstate(all="ignore"):
        if by_rows and key[:3] == "out":
            off = got.astype("f8") - wanted
            seen = np.isfinite(off)
            total = np.where(seen, off, 0).sum(-1, keepdims=True)
            wanted = wanted + total / np.maximum(seen.sum(-1, keepdims=True), 1)
            largest = np.abs(np.where(seen, got, 0)).max(initial=0)
            most = 2 * most + 8 * np.finfo(got.dtype).eps * largest
        error = np.abs(got.astype("c16") - wanted)
        return bool(np.all((got == wanted) | (error <= (key[:4] != "fact") * most * (1 + 1e-9))))
