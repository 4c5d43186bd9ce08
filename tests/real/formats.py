"""Reads both file formats with nothing but struct and json, sharing no code with the program under test."""

import json
import math
import struct
from dataclasses import dataclass

# safetensors' name of a dtype: (Kiln's code, bits of an element)
DTYPES = {
    "F64": (1, 64),
    "F32": (2, 32),
    "F16": (3, 16),
    "BF16": (4, 16),
    "I64": (5, 64),
    "I32": (6, 32),
    "I16": (7, 16),
    "I8": (8, 8),
    "U64": (9, 64),
    "U32": (10, 32),
    "U16": (11, 16),
    "U8": (12, 8),
    "BOOL": (13, 8),
    "F8_E4M3": (16, 8),
    "F8_E5M2": (17, 8),
    "F4": (18, 4),
    "F8_E8M0": (19, 8),
}
# The other name of those that Kiln does not merely write in small letters.
KILN_NAMES = {"F8_E4M3": "e4m3", "F8_E5M2": "e5m2", "F4": "e2m1", "F8_E8M0": "e8m0"}
NAMES = {code: name for name, (code, _) in DTYPES.items()}


@dataclass
class Tensor:
    name: str
    dtype: str
    shape: list
    data: memoryview
    offset: int  # of its first byte in the file


class Fault(Exception):
    """The file is not what its format says."""


def require(condition, message):
    if not condition:
        raise Fault(message)


def read_safetensors(path):
    """Gives the metadata map (empty where there is none) and the tensors in the order of their bytes."""
    content = memoryview(path.read_bytes())
    (length,) = struct.unpack_from("<Q", content)
    entries = json.loads(bytes(content[8 : 8 + length]))
    metadata = entries.pop("__metadata__", {})
    payload = content[8 + length :]
    tensors = []
    position = 0
    # Two empty tensors may start at the same byte: sorted() is stable and keeps their written order.
    for name, entry in sorted(entries.items(), key=lambda item: item[1]["data_offsets"]):
        begin, end = entry["data_offsets"]
        require(begin == position, f"{path}: {name} does not start where the one before it ends")
        tensors.append(Tensor(name, entry["dtype"], entry["shape"], payload[begin:end], 8 + length + begin))
        position = end
    require(position == len(payload), f"{path}: the tensors do not cover the file")
    return metadata, tensors


def read_kiln(path):
    """Gives the tensors of a tensor file in directory order, testing what places them in the file."""
    content = memoryview(path.read_bytes())
    magic, version, flags = struct.unpack_from("<4sHH", content)
    count, name_bytes, directory_bytes, payload_base, payload_bytes = struct.unpack_from("<5Q", content, 8)
    require((magic, version) == (b"KLNT", 2), f"{path}: magic {magic}, version {version}")
    require(flags == (3 if name_bytes else 1), f"{path}: flags {flags}")
    require(not any(content[48:64]), f"{path}: reserved bytes are set")
    require(directory_bytes == count * 128 + name_bytes, f"{path}: directory_bytes is {directory_bytes}")
    require(payload_base == -(-(64 + directory_bytes) // 64) * 64, f"{path}: payload_base is {payload_base}")
    require(payload_base + payload_bytes == len(content), f"{path}: {len(content)} bytes long")
    heap = content[64 + count * 128 : 64 + directory_bytes]
    tensors = []
    cursor, name_cursor = payload_base, 0
    for index in range(count):
        at = 64 + index * 128
        code, rank = struct.unpack_from("<HB", content, at)
        name_offset, name_len = struct.unpack_from("<2I", content, at + 8)
        byte_offset, byte_len = struct.unpack_from("<2Q", content, at + 40)
        shape = list(struct.unpack_from("<8Q", content, at + 64))
        cursor = -(-cursor // 64) * 64
        require(name_offset == (name_cursor if name_len else 0), f"{path}: the name of tensor {index} is misplaced")
        require(byte_offset == cursor, f"{path}: tensor {index} is at {byte_offset}, not at {cursor}")
        require(not any(content[at + 3 : at + 8]), f"{path}: tensor {index} is quantized")
        require(not any(content[at + 16 : at + 40]), f"{path}: tensor {index} is linked or opaque")
        require(not any(shape[rank:]), f"{path}: tensor {index} has numbers past its rank")
        bits = DTYPES[NAMES[code]][1]
        require(byte_len == -(-math.prod(shape[:rank]) * bits // 8), f"{path}: tensor {index} is {byte_len} bytes long")
        name = bytes(heap[name_offset : name_offset + name_len]).decode()
        data = content[byte_offset : byte_offset + byte_len]
        tensors.append(Tensor(name, NAMES[code], shape[:rank], data, byte_offset))
        cursor += byte_len
        name_cursor += name_len
    require(name_cursor == name_bytes, f"{path}: {name_bytes} bytes of names, {name_cursor} used")
    require(cursor == len(content), f"{path}: bytes after the last tensor")
    return tensors
