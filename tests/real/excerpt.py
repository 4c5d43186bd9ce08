"""Writes tests/data/silero-excerpt.safetensors anew: excerpt.py SILERO.safetensors OUT

The excerpt holds whole tensors of the real file under their own names, all but the six large ones, and says
in its metadata where they come from: in one entry, since safetensors writes several in no fixed order.
"""

import sys

from safetensors import safe_open
from safetensors.numpy import save_file

LARGEST = 64 * 1024  # bytes of a tensor that is still taken


def main(source, out):
    with safe_open(source, framework="np") as file:
        tensors = {name: file.get_tensor(name) for name in file.offset_keys()}
    small = {name: tensor for name, tensor in tensors.items() if tensor.nbytes <= LARGEST}
    save_file(small, out, metadata={"source": "silero_vad_16k.safetensors of silero-vad 6.2.3 (MIT)"})


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
