"""Compares a round trip: compare.py ORIGINAL.safetensors BLOCK.kiln BACK.safetensors METADATA.json INSPECT.json

The order, names, dtypes, shapes and bytes of all tensors must be the same in the three files, and the
metadata map in the original, in what comes back and in the JSON file. The three are read here by struct
and json alone; that these readings are right is shown by Python's safetensors, which must find the same in
the original and in what comes back. INSPECT.json is what `kiln inspect --json` says of the block.
"""

import json
import pathlib
import sys

import safetensors

from formats import KILN_NAMES, Fault, read_kiln, read_safetensors, require


def as_peer_reads(path):
    """Gives what Python's safetensors finds: the metadata map, the names in order, the content by name."""
    with safetensors.safe_open(path, framework="np") as file:
        metadata, order = file.metadata() or {}, file.offset_keys()
    entries = safetensors.deserialize(path.read_bytes())
    content = {name: (entry["dtype"], entry["shape"], entry["data"]) for name, entry in entries}
    return metadata, order, content


def confirm_reading(path, metadata, tensors):
    peer_metadata, peer_order, peer_content = as_peer_reads(path)
    require(peer_metadata == metadata, f"{path}: safetensors reads other metadata")
    # Of empty tensors at one place safetensors knows no order: it comes out differently each time.
    placed = [tensor.name for tensor in tensors if len(tensor.data)]
    names = set(placed)
    require([name for name in peer_order if name in names] == placed, f"{path}: safetensors reads another order")
    for tensor in tensors:
        mine = (tensor.dtype, tensor.shape, tensor.data)
        require(peer_content[tensor.name] == mine, f"{path}: safetensors reads {tensor.name!r} differently")


def compare_tensors(path, expected, found):
    require(len(found) == len(expected), f"{path}: {len(found)} tensors instead of {len(expected)}")
    for index, (a, b) in enumerate(zip(expected, found)):
        where = f"{path}: tensor {index} ({a.name!r})"
        require(a.name == b.name, f"{where} is named {b.name!r}")
        require(a.dtype == b.dtype, f"{where} is {b.dtype}, not {a.dtype}")
        require(a.shape == b.shape, f"{where} has shape {b.shape}, not {a.shape}")
        require(a.data == b.data, f"{where} has other bytes")


def compare_inspection(path, tensors):
    facts = json.loads(path.read_text())
    expected = [
        {
            "index": index,
            "name": tensor.name,
            "dtype": KILN_NAMES.get(tensor.dtype, tensor.dtype.lower()),
            "shape": tensor.shape,
            "bytes": len(tensor.data),
            "offset": tensor.offset,
        }
        for index, tensor in enumerate(tensors)
    ]
    found = [{key: row.get(key) for key in expected[0]} for row in facts["tensors"]]
    for a, b in zip(expected, found):
        require(a == b, f"{path}: {b} instead of {a}")
    require(len(found) == len(expected), f"{path}: {len(found)} tensors instead of {len(expected)}")


def main(original, block, back, metadata_file, inspection):
    metadata, tensors = read_safetensors(original)
    confirm_reading(original, metadata, tensors)
    block_tensors = read_kiln(block)
    compare_tensors(block, tensors, block_tensors)
    compare_inspection(inspection, block_tensors)
    back_metadata, back_tensors = read_safetensors(back)
    confirm_reading(back, back_metadata, back_tensors)
    compare_tensors(back, tensors, back_tensors)
    require(back_metadata == metadata, f"{back}: the metadata is {back_metadata}, not {metadata}")
    kept = json.loads(metadata_file.read_text())
    require(kept == metadata, f"{metadata_file}: the metadata is {kept}, not {metadata}")
    size = sum(len(tensor.data) for tensor in tensors)
    print(f"{original.name}: {len(tensors)} tensors, {size} bytes and {len(metadata)} metadata entries are the same")


if __name__ == "__main__":
    if len(sys.argv) != 6:
        sys.exit(__doc__)
    try:
        main(*map(pathlib.Path, sys.argv[1:]))
    except Fault as fault:
        sys.exit(f"compare.py: {fault}")
