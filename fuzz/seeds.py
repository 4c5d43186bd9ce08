#!/usr/bin/env python3
"""Writes the inputs that fuzzing begins with: fuzz/seeds.py FOLDER

FOLDER/directory has every directory of the case files with its caps, FOLDER/kernels texts and runs of bytes of the
lengths at which kernels change their ways. The corpora are what a fuzzer made of these.
"""

import hashlib
import pathlib
import random
import sys

FUZZ = pathlib.Path(__file__).resolve().parent
ROOT = FUZZ.parent
sys.path.insert(0, str(ROOT / "spec"))

import reading  # noqa: E402 (it lies in spec/)

CASES = sorted((ROOT / "spec").glob("*.json")) + [ROOT / "tests" / "data" / "vectors.json"]
LONGEST = 16 * 1024

TEXTS = ["model.layers.12.self_attn.q_proj.weight", "größe.模型.层", "\x7f\x80\u07ff\u0800\uffff\U00010000\U0010ffff"]


def directories():
    """Each directory, and the four bytes that say how it is read (targets/directory.rs)."""
    for path in CASES:
        for case in reading.load(path):
            if case["type"] != "tensors":
                continue
            data = reading.case_bytes(case, path.parent)
            if case.get("framed"):
                data = data[16:]
            if len(data) > LONGEST:
                continue
            caps = case.get("caps", {})
            count, run = caps.get("count", 256), caps.get("bytes", 256)
            kind = (count < 256) | (run < 256) << 1
            yield data + bytes([kind, count % 256, run % 256, 0])


def kernels():
    """Bytes, and the four that say where they lie (targets/kernels.rs)."""
    generator = random.Random(1)
    for length in [0, 1, 2, 7, 15, 16, 31, 32, 33, 63, 64, 65, 127, 128, 129, 255, 257, 400, 1000]:
        places = [generator.randrange(256) for _ in range(2)]
        yield generator.randbytes(length) + bytes(places + [0xF0, 0xA5])
        yield bytes(generator.choice([0, 1]) for _ in range(length)) + bytes(places + [0xFE, 0x80])
        yield bytes(generator.randrange(16) for _ in range(length)) + bytes(places + [0xF0, 0xFF])
    for text in TEXTS:
        for length in [len(text.encode()), 63, 64, 100, 300]:
            for step in [0, 9, 80]:
                yield (text.encode() * 30)[:length] + bytes([generator.randrange(256), 3, step, 7])
    for count in [1, 2, 5, 9]:
        mask = bytes(generator.choice([0, 0, 0xFF]) for _ in range(128))
        clear = bytes(255 - byte for byte in mask)
        yield mask + clear * count + bytes([0, 1, 1, 1])
        yield mask + clear * (count - 1) + bytes(127) + b"\xff" + bytes([7, 1, 1, 1])


def main(arguments):
    if len(arguments) != 1:
        sys.exit(__doc__)
    for target, inputs in [("directory", directories()), ("kernels", kernels())]:
        folder = pathlib.Path(arguments[0]) / target
        folder.mkdir(parents=True, exist_ok=True)
        written = 0
        for data in inputs:
            (folder / hashlib.sha1(data).hexdigest()).write_bytes(data)
            written += 1
        print("%s: %d inputs" % (target, written))


main(sys.argv[1:])
