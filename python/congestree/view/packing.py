"""The data in the page: a header in JSON and arrays, packed, compressed, and written as text.

    u32   length of the header in B, little-endian
    ...   the header: UTF-8, JSON; "arrays" gives for each array its type, shape, offset (from the end of the header,

          itself at a multiple of 8) and, of rounded ones, its scale
    ...   the arrays, each at a multiple of 8

All of it is compressed with gzip and written in base64, 4 characters for 3 B.

Rounded arrays (type "half") are numbers of 16 bits with a mantissa of 11 (IEEE 754 binary16), times a scale: they are
right to one part in 2048, whatever their size; NaN is no value. Their upper bytes come first, then
their lower ones, which compresses better. All other arrays are exact.
"""

import base64
import gzip
import json

import numpy as np

VERSION = 1
LARGEST = 60_000.0
"""What the largest value of a rounded array becomes; binary16 ends at 65,504."""


class Packer:
    """Collects arrays under names; `pack` makes one piece of them."""

    def __init__(self):
        self.listed = {}
        self.pieces = []
        self.length = 0

    def _add(self, name, kind, shape, data, **more):
        self.listed[name] = {"type": kind, "shape": list(shape), "offset": self.length, **more}
        data += bytes(-len(data) % 8)
        self.pieces.append(data)
        self.length += len(data)
        return name

    def exact(self, name, values, kind):
        """An array without rounding: "u8", "u16", "u32", "i32", "f32" or "f64"; returns its name."""
        dtype = {"u": "<u", "i": "<i", "f": "<f"}[kind[0]] + str(int(kind[1:]) // 8)
        array = np.ascontiguousarray(values, dtype=dtype)
        return self._add(name, kind, array.shape, array.tobytes())

    def rounded(self, name, values):
        """An array of numbers to one part in 2048, or NaN; answers its name."""
        largest = float(np.nanmax(np.abs(values), initial=0.0)) or 1.0
        halves = np.ascontiguousarray(values * (LARGEST / largest), dtype="<f2")
        data = halves.view(np.uint8).reshape(-1, 2)
        return self._add(
            name, "half", values.shape, data[:, 1].tobytes() + data[:, 0].tobytes(), scale=largest / LARGEST
        )

    def pack(self, header):
        """All of it, as text."""
        said = {"format": VERSION, **header, "arrays": self.listed}
        text = json.dumps(said, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode()
        text += b" " * (-(len(text) + 4) % 8)
        whole = b"".join([len(text).to_bytes(4, "little"), text, *self.pieces])
        return base64.b64encode(gzip.compress(whole, compresslevel=6, mtime=0)).decode("ascii")


def unpack(text):
    """The header and the arrays of a packed piece: what the page does, for tests and scripts."""
    whole = gzip.decompress(base64.b64decode(text))
    length = int.from_bytes(whole[:4], "little")
    header = json.loads(whole[4 : 4 + length])
    arrays = {}
    for name, said in header["arrays"].items():
        kind, count = said["type"], int(np.prod(said["shape"], dtype=np.int64))
        start = 4 + length + said["offset"]
        if kind == "half":
            planes = np.frombuffer(whole, np.uint8, 2 * count, start)
            halves = np.ascontiguousarray(np.column_stack([planes[count:], planes[:count]])).view("<f2")
            values = halves.astype(np.float64).ravel() * said["scale"]
        else:
            dtype = {"u": "<u", "i": "<i", "f": "<f"}[kind[0]] + str(int(kind[1:]) // 8)
            values = np.frombuffer(whole, dtype, count, start)
        arrays[name] = values.reshape(said["shape"])
    return header, arrays
