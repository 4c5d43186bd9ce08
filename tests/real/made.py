"""Writes a safetensors file of what real files rarely hold: made.py OUT.safetensors

Every dtype that both formats have, among them those that numpy lacks; an order that is not sorted; lengths
that leave gaps to the next multiple of 64; a scalar; empty tensors, two of them at the same place; names
that need escaping in JSON (the empty one cannot cross: to Kiln it is no name); a metadata map of several
entries. It is written by hand because safetensors' own writer sorts.
"""

import json
import math
import pathlib
import struct
import sys

from formats import DTYPES

SHAPES = [[3, 5, 2], [], [1], [0], [4, 0, 2], [130], [2, 1, 1, 2, 1, 1, 1, 2]]
ODD_NAMES = [" ", "é", "e\u0301", '"quoted"\\', "a/b.c:d{e}", "line\nbreak", "\u202eright to left", "名", "x" * 300]


def payload(dtype, length, seed):
    if dtype == "BOOL":
        return bytes((seed + i) % 3 % 2 for i in range(length))
    return bytes((seed * 89 + i * 37) % 256 for i in range(length))


def tensors():
    for number, dtype in enumerate(reversed(DTYPES)):
        for shape in SHAPES:
            bits = math.prod(shape) * DTYPES[dtype][1]
            if bits % 8 == 0:  # safetensors has no tensor that ends inside a byte
                yield f"{dtype.lower()}.{'x'.join(map(str, shape)) or 'scalar'}", dtype, shape, bits // 8, number
    for number, name in enumerate(ODD_NAMES):
        yield name, "U8", [number + 1], number + 1, number


def main(path):
    header = {"__metadata__": {"format": "pt", "empty": "", "note": "é \"q\" \\ \n \u202e 名"}}
    body = bytearray()
    for name, dtype, shape, length, seed in tensors():
        header[name] = {"dtype": dtype, "shape": shape, "data_offsets": [len(body), len(body) + length]}
        body += payload(dtype, length, seed)
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    path.write_bytes(struct.pack("<Q", len(text)) + text + body)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(pathlib.Path(sys.argv[1]))
