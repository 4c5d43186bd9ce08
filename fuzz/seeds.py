#!/usr/bin/env python3
"""Writes the inputs that fuzzing begins with: fuzz/seeds.py FOLDER

FOLDER/directory has every directory of the case files with its caps; FOLDER/kernels texts and runs of bytes of the
lengths at which kernels change their ways; FOLDER/frame, FOLDER/type_text and FOLDER/cases_file the frames, the types
and the cases of the case files; FOLDER/safetensors files of that format; FOLDER/json_schema schemas with values; FOLDER/directory_structured, FOLDER/frozen
and FOLDER/types, whose inputs choose what is built, random bytes. The corpora are what a fuzzer made of these.
"""

import hashlib
import json
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


def cases():
    """Every case with its folder."""
    for path in CASES:
        for case in reading.load(path):
            yield case, path.parent


def frames():
    """Each framed case and each small one, and a byte that says what is done to its front (targets/frame.rs)."""
    for case, folder in cases():
        data = reading.case_bytes(case, folder)
        if case.get("framed") and len(data) <= LONGEST:
            yield data + bytes([0])
    value = bytes.fromhex("07000000" "02000000" "6f6b" "01" "01")
    for manner in [1, 3, 0x13, 0x43, 0x63, 0x73, 0x83, 0xF3]:
        yield bytes(16) + value + bytes([manner])
        yield bytes(16) + value[:-1] + bytes([manner])


def types():
    for case, _ in cases():
        yield case["type"].encode()
    for text in ["list{struct{}}", "struct{a:u8}", "struct{a:u8,a:u8,}", "optional{struct{}}", "dict{optional{str}}", "u7"]:
        yield text.encode()


def case_files():
    """Each small case as a file of its own."""
    for case, _ in cases():
        text = json.dumps({"format": "kiln-cases/1", "cases": [case]}, ensure_ascii=False)
        if "file" not in case and len(text) <= LONGEST:
            yield text.encode()


def choices():
    """For targets whose inputs choose."""
    generator = random.Random(2)
    for length in [4, 16, 32, 64, 128, 200, 300, 400] * 40:
        yield generator.randbytes(length)


def safetensors():
    """Files of safetensors, right and wrong."""

    def file(header, payload=b"", length=None):
        text = header if isinstance(header, bytes) else json.dumps(header, ensure_ascii=False).encode()
        return (len(text) if length is None else length).to_bytes(8, "little") + text + payload

    def one(dtype, shape, start, end):
        return {"dtype": dtype, "shape": shape, "data_offsets": [start, end]}

    widths = {"BOOL": 1, "U8": 1, "I8": 1, "F8_E5M2": 1, "F8_E4M3": 1, "F8_E8M0": 1, "I16": 2, "U16": 2, "F16": 2,
              "BF16": 2, "I32": 4, "U32": 4, "F32": 4, "C64": 8, "F64": 8, "I64": 8, "U64": 8}
    for dtype, width in widths.items():
        yield file({"w": one(dtype, [2, 3], 0, 6 * width)}, bytes(range(6 * width)))
    yield file({"w": one("BOOL", [3], 0, 3)}, bytes([1, 0, 1]))
    yield file({"w": one("F4", [2, 2], 0, 2)}, bytes([0x21, 0x43]))
    yield file({"b": one("F32", [0], 0, 0), "a": one("F32", [4, 0], 0, 0), "c": one("U8", [], 0, 1)}, b"x")
    yield file({"__metadata__": {"format": "pt", "é": "\n"}, "é": one("F32", [1], 0, 4)}, bytes(4))
    yield file({"": one("U8", [1], 0, 1)}, b"x")
    yield file(b'{"w":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},"w":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}}', b"x")
    yield file({"a": one("U8", [2], 0, 2), "b": one("U8", [2], 1, 3)}, b"xyz")
    yield file({"a": one("U8", [2**63, 4], 0, 0)})
    yield file({}, length=2**63)
    excerpt = (ROOT / "tests" / "data" / "silero-excerpt.safetensors").read_bytes()
    if len(excerpt) <= LONGEST:
        yield excerpt


def schemas():
    """Documents, a NUL, and a value as JSON or as bytes: of the test suite, of the generator's tests, and the table's rows."""
    suite = json.loads((ROOT / "tests" / "data" / "json-schema-suite" / "draft2020-12.json").read_text())
    for group in suite:
        document = json.dumps(group["schema"], ensure_ascii=False, separators=(",", ":"))
        yield document.encode()
        for test in group.get("tests", []):
            yield document.encode() + b"\0" + json.dumps(test["data"], ensure_ascii=False).encode()
    for path in sorted((ROOT / "cli" / "tests" / "generated").glob("*.json")):
        document = json.dumps(json.loads(path.read_text()), separators=(",", ":")).encode()
        if len(document) <= LONGEST:
            yield document
    integer = {"type": "integer", "format": "uint8"}
    rows = [("true", {"type": "boolean"}), ("-7", {"type": "integer", "format": "int16"}), ("1e2", integer),
            ("0.1", {"type": "number", "format": "float"}), ('"NaN:0x7e01"', {"type": "number", "format": "float16"}),
            ('"-Infinity"', {"type": "number"}), ('"\\ud83d\\ude00"', {"type": "string"}),
            ('"AAE="', {"type": "string", "contentEncoding": "base64"}), ("[1,2]", {"type": "array", "items": integer}),
            ('{"b":1,"a":2}', {"type": "object", "additionalProperties": integer}),
            ('{"b":1,"a":2}', {"type": "object", "properties": {"a": integer, "b": integer, "c": integer}, "required": ["a"]})]
    for text, schema in rows:
        document = json.dumps(schema, separators=(",", ":")).encode()
        yield document + b"\0" + text.encode()
        for value in [b"", b"\1", b"\0\1", b"\1\0\0\0\1\0\0\0a\2", b"\2\0\0\0\1\2", b"\7\1\5\0", b"\xff" * 8]:
            yield document + b"\0" + value
    node = {"$ref": "#/$defs/n", "$defs": {"n": {"type": "object", "properties": {"n": {"$ref": "#/$defs/n"}, "v": {
        "type": "array", "items": {"$ref": "#/$defs/n"}}}}}}
    document = json.dumps(node, separators=(",", ":")).encode()
    yield document + b'\0{"v":[{},{"n":{}}]}'
    yield document + b"\0\1\0\1\1\0\0\0\0\0"


TARGETS = {
    "cases_file": case_files,
    "directory": directories,
    "directory_structured": choices,
    "frame": frames,
    "frozen": choices,
    "types": choices,
    "json_schema": schemas,
    "kernels": kernels,
    "safetensors": safetensors,
    "type_text": types,
}


def main(arguments):
    if len(arguments) != 1:
        sys.exit(__doc__)
    for target, inputs in TARGETS.items():
        folder = pathlib.Path(arguments[0]) / target
        folder.mkdir(parents=True, exist_ok=True)
        for data in inputs():
            (folder / hashlib.sha1(data).hexdigest()).write_bytes(data)
        print("%s: %d inputs" % (target, sum(1 for _ in folder.iterdir())))


main(sys.argv[1:])
