#!/usr/bin/env python3
"""Writes the case files and the golden files in this folder.

    python3 spec/generate.py            write them
    python3 spec/generate.py --check    exit 1 when the files differ from what would be written

The bytes are put together here field by field, without the library: a canonical directory, a frame or
a Frozen value is built from small helpers and then damaged in one named place. The verdict of every
case is stated by hand. Before anything is written, `reading.py` judges every case too, and one on
which the two disagree stops the run.
"""

import copy
import json
import pathlib
import re
import sys

sys.dont_write_bytecode = True
import reading  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
TOP = 2**64 - 1


# ---- Bytes that remember their parts ----------------------------------------------------------

class Bytes:
    """A byte string and the borders of its parts, which become the lines of `hex`.

    Every method gives a changed copy.
    """

    def __init__(self, data=b"", borders=()):
        self.data, self.borders = bytes(data), set(borders)

    def __len__(self):
        return len(self.data)

    def __add__(self, more):
        more = more if isinstance(more, Bytes) else Bytes(more)
        size = len(self)
        return Bytes(self.data + more.data, self.borders | {size} | {size + b for b in more.borders})

    def __radd__(self, less):
        return Bytes(less) + self

    def put(self, at, data):
        """Other bytes in place of as many at `at`."""
        assert at + len(data) <= len(self), "put past the end"
        changed = copy.copy(self)
        changed.data = self.data[:at] + bytes(data) + self.data[at + len(data):]
        return changed

    def cut(self, size):
        """The first `size` bytes."""
        assert size < len(self), "cut that keeps everything"
        changed = copy.copy(self)
        changed.data = self.data[:size]
        return changed

    def last(self, count):
        """All but the last `count` bytes."""
        return self.cut(len(self) - count)

    def more(self, data):
        """Bytes after the end, in the same part."""
        changed = copy.copy(self)
        changed.data = self.data + bytes(data)
        return changed

    def lines(self):
        """Pieces of `hex`, one list for each part; a long run of one byte is written `00*48`."""
        borders = sorted(b for b in self.borders | {0, len(self)} if b <= len(self))
        lines = []
        for start, end in zip(borders, borders[1:]):
            pieces = []
            part = self.data[start:end]
            for piece in re.finditer(rb"(?s:(.)\1{11,})|(?s:.)", part):
                run = piece.group()
                if piece.group(1):
                    pieces.append("%02x*%d" % (run[0], len(run)))
                elif pieces and "*" not in pieces[-1] and len(pieces[-1]) < 128:
                    pieces[-1] += run.hex()
                else:
                    pieces.append(run.hex())
            lines.append(pieces)
        return lines


def num(value, size):
    """A little-endian number; a negative one in two's complement."""
    return (value % 2**(8 * size)).to_bytes(size, "little")


def u8(value):
    return num(value, 1)


def u16(value):
    return num(value, 2)


def u32(value):
    return num(value, 4)


def u64(value):
    return num(value, 8)


def run(data):
    """A string, byte run or key: its length, then its bytes."""
    data = data.encode() if isinstance(data, str) else data
    return u32(len(data)) + data


# ---- Directories ------------------------------------------------------------------------------

F64, F32, F16, BF16, I64, I32, I16, I8, U64, U32, U16, U8, BOOL, I4, U4, E4M3, E5M2, E2M1, E8M0 = (
    range(1, 20))
OPAQUE = 4096

# Where each field lies, counted from its header or descriptor, and its size.
HEADER = {
    "magic": (0, 4), "version": (4, 2), "flags": (6, 2), "tensor_count": (8, 8),
    "name_bytes": (16, 8), "directory_bytes": (24, 8), "payload_base": (32, 8),
    "payload_bytes": (40, 8), "reserved": (48, 16),
}
DESCRIPTOR = {
    "dtype": (0, 2), "rank": (2, 1), "scheme": (3, 1), "axis": (4, 1), "reserved_a": (5, 3),
    "name_offset": (8, 4), "name_len": (12, 4), "layout_offset": (16, 4), "layout_len": (20, 4),
    "block_size": (24, 4), "group_size": (28, 4), "scale_index": (32, 4), "outer_index": (36, 4),
    "byte_offset": (40, 8), "byte_len": (48, 8), "reserved_b": (56, 8),
    "shape0": (64, 8), "shape1": (72, 8), "shape2": (80, 8), "shape3": (88, 8),
    "shape4": (96, 8), "shape5": (104, 8), "shape6": (112, 8), "shape7": (120, 8),
}


def h(field):
    """The offset of a header field."""
    return HEADER[field][0]


def d(index, field):
    """The offset of a descriptor field."""
    return 64 + 128 * index + DESCRIPTOR[field][0]


def up64(offset):
    return -(-offset // 64) * 64


class T:
    """One tensor as a caller hands it over."""

    def __init__(self, dtype, shape, payload=b"", name=b"", layout=b"", block=0,
                 scheme=0, axis=0, group=0, scale=0, outer=0):
        self.name = name.encode() if isinstance(name, str) else name
        self.layout = layout.encode() if isinstance(layout, str) else layout
        self.dtype, self.shape, self.payload, self.block = dtype, shape, bytes(payload), block
        self.scheme, self.axis, self.group, self.scale, self.outer = scheme, axis, group, scale, outer


def header(**fields):
    """A header alone: an empty directory's unless fields say otherwise."""
    values = {"magic": number_of(b"KLNT"), "version": 2, "flags": 1, "payload_base": 64}
    values.update(fields)
    return b"".join(num(values.get(field, 0), size) for field, (_, size) in HEADER.items())


def number_of(data):
    return int.from_bytes(data, "little")


def descriptor(**fields):
    return b"".join(num(fields.get(field, 0), size) for field, (_, size) in DESCRIPTOR.items())


class Block(Bytes):
    """A directory, canonical until it is damaged."""

    def header(self, **fields):
        changed = self
        for field, value in fields.items():
            at, size = HEADER[field]
            changed = changed.put(at, num(value, size))
        return changed

    def descriptor(self, index, **fields):
        changed = self
        for field, value in fields.items():
            changed = changed.put(d(index, field), num(value, DESCRIPTOR[field][1]))
        return changed


def block(*tensors, unused=b""):
    """The canonical directory of these tensors. `unused` bytes end the heap, consistently counted."""
    names = b"".join(t.name for t in tensors)
    layouts = b"".join(t.layout for t in tensors)
    heap = names + layouts + unused
    end = 64 + 128 * len(tensors) + len(heap)
    base = up64(end)
    descriptors, payloads, name_at, layout_at = [], b"", 0, len(names)
    for t in tensors:
        payloads += bytes(up64(len(payloads)) - len(payloads))
        descriptors.append(descriptor(
            dtype=t.dtype, rank=len(t.shape), scheme=t.scheme, axis=t.axis,
            name_offset=name_at if t.name else 0, name_len=len(t.name),
            layout_offset=layout_at if t.layout else 0, layout_len=len(t.layout),
            block_size=t.block, group_size=t.group, scale_index=t.scale, outer_index=t.outer,
            byte_offset=base + len(payloads), byte_len=len(t.payload),
            **{"shape%d" % i: length for i, length in enumerate(t.shape)}))
        payloads += t.payload
        name_at += len(t.name)
        layout_at += len(t.layout)
    head = header(
        flags=3 if names else 1, tensor_count=len(tensors), name_bytes=len(heap),
        directory_bytes=end - 64, payload_base=base, payload_bytes=len(payloads))
    whole = Bytes(head)
    for part in descriptors + [heap, bytes(base - end), payloads]:
        whole = whole + part
    return Block(whole.data, whole.borders)


# ---- Frames -----------------------------------------------------------------------------------

def type_hash(text):
    """FNV-1a over the tokens of a type text, a zero byte after each."""
    mix = 14695981039346656037
    for token in re.findall(r"(?:struct|list|optional|dict)\{|[}:,]|[^{}:,]+", text):
        for byte in token.encode() + b"\0":
            mix = (mix ^ byte) * 1099511628211 % 2**64
    return mix


def frame(text, magic=b"KLN0", profile=0, flags=1, reserved=0, schema=None):
    """Sixteen bytes in front of a value of the type that `text` names."""
    schema = type_hash(text) if schema is None else schema
    return Bytes(magic + u16(profile) + u8(flags) + u8(reserved) + u64(schema), {4, 8, 16})


# ---- Case files -------------------------------------------------------------------------------

class CaseFile:
    def __init__(self, name):
        self.name, self.cases, self.rules, self.golden = name, [], set(), {}

    def add(self, name, text, data, verdict, note, framed, caps, rule=None):
        case = {"name": name, "type": text}
        if framed:
            case["framed"] = True
        if isinstance(data, str):
            case["file"] = "golden/%s.kiln" % data
            data = GOLDEN[data]
        else:
            data = data if isinstance(data, Bytes) else Bytes(data)
            case["hex"] = data.lines()
        case.update(verdict)
        if caps:
            case["caps"] = caps
        case["note"] = note
        self.judge(case, data.data, rule)
        self.cases.append(case)

    def accept(self, name, text, data, note, framed=False, **caps):
        self.add(name, text, data, {"accept": True}, note, framed, caps)

    def reject(self, name, text, data, code, at, note, rule=None, framed=False, **caps):
        """`rule` is the step and letter of a directory's fault; the type `tensors` alone has a step."""
        verdict = {"accept": False, "error": code}
        if text == "tensors" and rule is not None:
            verdict["step"] = int(re.match(r"\d+", rule).group())
        verdict["offset"] = at
        if rule is not None:
            self.rules.add(rule)
        self.add(name, text, data, verdict, note, framed, caps, rule)

    def judge(self, case, data, rule):
        """Stops the run unless the reading comes to the same verdict, rule and bytes."""
        said = reading.disagreement(case, data)
        if said is None and not case["accept"]:
            caps = case.get("caps", {})
            try:
                reading.decode(data, reading.parse(case["type"]), case.get("framed", False),
                               caps.get("count", reading.DEFAULT_COUNT),
                               caps.get("bytes", reading.DEFAULT_BYTES))
            except reading.Fault as fault:
                if fault.rule != rule:
                    said = "rule %s, not %s" % (fault.rule, rule)
        if said is not None:
            sys.exit("%s: %s: the reading says: %s" % (self.name, case["name"], said))

    def text(self):
        """The file: a case on a few lines, each part of its bytes on a line of its own."""
        blocks = []
        for case in self.cases:
            lines = [[]]
            for key, value in case.items():
                if key == "hex":
                    lines += [[hex_text(value)], []]
                elif key == "note":
                    lines += [[member(key, value)]]
                else:
                    lines[-1].append(member(key, value))
            blocks.append("{" + ",\n ".join(", ".join(line) for line in lines if line) + "}")
        return '{"format": "kiln-cases/1", "cases": [\n' + ",\n".join(blocks) + "\n]}\n"


def member(key, value):
    return "%s: %s" % (json.dumps(key), json.dumps(value, ensure_ascii=False))


def hex_text(lines):
    pieces = [piece for line in lines for piece in line]
    if not pieces:
        return '"hex": ""'
    if len(pieces) == 1 and "*" not in pieces[0]:
        return '"hex": "%s"' % pieces[0]
    short = '"hex": [%s]' % ", ".join('"%s"' % piece for piece in pieces)
    if len(short) <= 100:
        return short
    return '"hex": [\n  ' + ",\n  ".join(
        ", ".join('"%s"' % piece for piece in line) for line in lines) + "]"


# ---- Golden files -----------------------------------------------------------------------------

def f32(*values):
    """f32 payloads by their bits."""
    return b"".join(u32(bits) for bits in values)


ONE, TWO, HALF = 0x3F800000, 0x40000000, 0x3F000000    # 1.0, 2.0 and 0.5 as f32

SCALARS = ("struct{a:bool,b:u8,c:u16,d:u32,e:u64,f:i8,g:i16,h:i32,i:i64,j:f16,k:bf16,l:f32,m:f64,}")
BATCH = "list{struct{id:u32,name:str,score:optional{f32},tags:list{str},}}"
FRAMED = "struct{id:i64,batch:tensors,}"
IN_STRUCT = "struct{id:i64,batch:tensors,tail:str,}"


def record(number, name, score, tags):
    return Bytes(u32(number) + run(name) + score + u32(len(tags)) + b"".join(run(tag) for tag in tags))


def small():
    """Two tensors with names: the block inside the golden records. Its length is 460."""
    return block(T(I8, [3], b"\1\2\3", name="ids"),
                 T(F32, [2, 1], f32(ONE, TWO), name="weights"))


GOLDEN = {
    "point": Bytes(bytes.fromhex("09000000fcffffff")),
    # One of every scalar, with bits that a careless conversion loses: a signalling NaN with a
    # payload in f16, a subnormal bf16, a negative zero, a NaN with a payload.
    "scalars": Bytes(
        u8(1) + u8(255) + u16(0x0201) + u32(0x04030201) + u64(0x0807060504030201)
        + u8(0x80) + num(-2, 2) + num(-3, 4) + num(-(2**63), 8)
        + u16(0x7D01) + u16(0x0001) + u32(0x80000000) + u64(0xFFF8000000000123)),
    "batch": Bytes(u32(3)) + record(1, "Ada", u8(1) + f32(ONE), ["x", "y"])
    + record(2, "", u8(0), []) + record(3, "\u65e5\u672c", u8(1) + f32(0x7FC00001), ["\u00e9"]),
    "empty": Bytes(header()),
    # Names, an unnamed tensor, both quantization schemes, an odd packed count, an opaque layout, a
    # scalar and an empty tensor.
    "tensors": block(
        T(I8, [2, 4], num(0x0807060504030201, 8), name="weight", scheme=1, axis=1, group=2, scale=1),
        T(F32, [2, 2], f32(ONE, TWO, HALF, ONE), name="weight.scale"),
        T(U4, [3], bytes([0x21, 0x03]), name="packed", scheme=2, axis=0, group=2, scale=3, outer=4),
        T(E4M3, [2], b"\x38\x40", name="packed.scale"),
        T(F32, [], f32(HALF), name="packed.outer"),
        T(OPAQUE, [2, 32], bytes(range(36)), name="blocks", layout="Q4_K", block=18),
        T(BOOL, [3], b"\1\0\1"),
        T(F64, [0, 3], name="nothing")),
    "framed": frame(FRAMED, schema=0xE58AADC7552F0D82) + num(7, 8) + small(),
    "in-struct": u64(7) + small() + run("tail"),
}


# ---- The forty-six ----------------------------------------------------------------------------

def one():
    """One unnamed f32 tensor of two elements: no heap, no padding, 200 bytes."""
    return block(T(F32, [2], f32(ONE, TWO)))


def two():
    """Names "a" and "bc": heap at 320, 61 bytes of padding from 323, payloads at 384 and 448."""
    return block(T(I8, [3], b"\1\2\3", name="a"), T(U16, [2], b"\4\0\5\0", name="bc"))


def cases_first(f):
    # Frozen values.
    f.accept("kiln-point", "struct{x:i32,y:i32,}", "point",
             "fields in declaration order, little-endian, nothing between them")
    f.accept("kiln-scalars", SCALARS, "scalars",
             "every scalar; the bits of a float survive whatever they mean")
    f.accept("kiln-text", "struct{s:str,b:bytes,e:str,}",
             Bytes(run("h\u00e9\u65e5\U0001f600")) + run(b"\xff\x00") + run(""),
             "a length in bytes, then the bytes; a byte run is not text")
    f.accept("kiln-batch", BATCH, "batch", "a batch is a list of structs: one count, then the records")
    f.reject("kiln-list-struct-hostile", BATCH, u32(16_777_216), "EOF", 0,
             "a count at the cap, and no elements: refused before storage is taken")
    f.reject("kiln-list-count-cap", "list{u8}", u32(16_777_217) + b"\1\2", "LIMIT", 0,
             "a count above the cap is LIMIT before it is asked whether it fits")
    f.accept("kiln-optional", "struct{a:optional{u16},b:optional{u16},}", b"\0" + b"\1" + u16(7),
             "a presence byte, and the value when it is 1")
    f.reject("kiln-optional-presence", "optional{u8}", b"\2\7", "TYPE", 0,
             "a presence byte is 0 or 1")
    f.accept("kiln-dict", "dict{u16}",
             Bytes(u32(3)) + run("") + u16(1) + run("B") + u16(2) + run("a") + u16(3),
             "keys ascend by their bytes")
    f.reject("kiln-dict-order", "dict{u8}", Bytes(u32(2)) + run("b") + u8(1) + run("a") + u8(2),
             "TYPE", 10, "keys out of order: the length word of the later one")
    f.reject("kiln-bool-two", "struct{n:u8,b:bool,}", b"\2\2", "TYPE", 1, "a bool byte of 2")
    f.reject("kiln-str-utf8", "str", run(b"ok\xc3("), "UTF8", 6, "where the valid part ends")
    f.reject("kiln-str-short", "str", u32(5) + b"abcd", "EOF", 4,
             "the bytes of the run could not be read whole")
    f.reject("kiln-value-trailing", "u16", b"\1\2\3", "TRAILING", 2, "a value fills its buffer")
    f.accept("kiln-depth-64", "optional{" * 64 + "u8" + "}" * 64, b"\1" * 64 + b"\7",
             "sixty-four containers")
    f.reject("kiln-depth-65", "optional{" * 65 + "u8" + "}" * 65, b"\1" * 65 + b"\7", "LIMIT", 64,
             "entering the sixty-fifth container")

    # Frames.
    f.accept("kiln-framed", FRAMED, "framed",
             "the worked schema hash 0xe58aadc7552f0d82; directory offsets do not count the frame",
             framed=True)
    f.reject("kiln-frame-schema", "i32", frame("u32") + u32(9), "SCHEMA", 8,
             "another type's hash, before the first field", framed=True)
    f.reject("kiln-frame-magic", "i32", frame("i32", magic=b"KLNT") + u32(9), "FRAME", 0,
             "a frame begins with KLN0", framed=True)
    f.reject("kiln-frame-profile", "i32", frame("i32", profile=4) + u32(9), "FRAME", 4,
             "profile 4 is reserved", framed=True)
    f.reject("kiln-frame-trailing", "i32", frame("i32") + u32(9) + b"\0", "TRAILING", 20,
             "a frame holds one value", framed=True)

    # Directories.
    f.accept("kiln-v2-empty", "tensors", "empty", "no tensors: a header, and the names flag clear")
    f.accept("kiln-v2-tensors", "tensors", "tensors",
             "names, links of both schemes, an odd packed count, an opaque layout, rank 0, no elements")
    f.accept("kiln-v2-in-struct", IN_STRUCT, "in-struct",
             "a directory between two fields: the next one starts at the end of the block")
    f.reject("kiln-v2-short-magic", "tensors", b"KLN", "EOF", 0, "fewer than four bytes", rule="1a")
    f.reject("kiln-v2-magic", "tensors", b"KLN0\2\0", "FRAME", 0,
             "a wrong magic comes before a short header", rule="1b")
    f.reject("kiln-v2-version", "tensors", one().header(version=1), "FRAME", 4,
             "version 2 is the only one", rule="2")
    f.reject("kiln-v2-count-cap", "tensors",
             Bytes(header(tensor_count=16_777_217, directory_bytes=16_777_217 * 128)),
             "LIMIT", 8, "16,777,217 tensors claimed: one above the cap", rule="3")
    f.reject("kiln-v2-size-overflow", "tensors", Bytes(header(tensor_count=2**57)), "LIMIT", 8,
             "tensor_count * 128 leaves u64", rule="4a", count=TOP)
    f.reject("kiln-v2-directory-bytes", "tensors", one().header(directory_bytes=127), "TYPE", 24,
             "directory_bytes is not tensor_count * 128 + name_bytes", rule="4b")
    f.reject("kiln-v2-directory-short", "tensors", one().cut(191), "EOF", 64,
             "the descriptor is one byte short", rule="5")
    f.reject("kiln-v2-block-overflow", "tensors", one().header(payload_bytes=TOP), "LIMIT", 40,
             "payload_base + payload_bytes leaves u64", rule="6a")
    f.reject("kiln-v2-block-short", "tensors", one().cut(199), "EOF", 192,
             "the payload is one byte short", rule="6b")
    f.reject("kiln-v2-padding", "tensors", two().put(383, b"\1"), "TYPE", 383,
             "a nonzero byte between the heap and the payloads", rule="7b")
    f.reject("kiln-v2-descriptor-reserved", "tensors", one().put(64 + 7, b"\1"), "FRAME", 71,
             "a reserved byte of a descriptor", rule="8a")
    f.reject("kiln-v2-name-utf8", "tensors",
             block(T(U8, [0], name=b"\xe2"), T(U8, [0], name=b"\x82\xac")), "UTF8", 320,
             "each name is UTF-8 by itself, whatever the heap spells", rule="8f")
    f.reject("kiln-v2-name-twice", "tensors",
             block(T(U8, [0], name="w"), T(U8, [0], name="v"), T(U8, [0], name="w")), "TYPE", 450,
             "a repeated name: the later one, in the heap", rule="8g")
    f.reject("kiln-v2-dtype-reserved", "tensors", one().descriptor(0, dtype=20), "TYPE", 64,
             "dtypes 20 to 4095 are reserved", rule="9a")
    f.reject("kiln-v2-shape-overflow", "tensors",
             block(T(U8, [2**32, 2**32])), "LIMIT", 128, "the product leaves u64", rule="9a")
    f.reject("kiln-v2-overlap", "tensors",
             two().descriptor(1, byte_offset=384 + 2), "TYPE", d(1, "byte_offset"),
             "two payloads share a byte", rule="9b")
    f.reject("kiln-v2-placement", "tensors",
             two().descriptor(1, byte_offset=448 - 8), "TYPE", d(1, "byte_offset"),
             "a payload starts at the next multiple of 64", rule="10a")
    f.reject("kiln-v2-gap", "tensors", two().put(447, b"\1"), "TYPE", 447,
             "a nonzero byte between payloads", rule="10c")
    f.reject("kiln-v2-bool-byte", "tensors", block(T(BOOL, [3], b"\1\0\2")), "TYPE", 194,
             "a bool byte of a payload is 0 or 1", rule="11a")
    f.reject("kiln-v2-odd-nibble", "tensors", block(T(I4, [3], b"\xff\x1f")), "TYPE", 193,
             "after an odd packed count the last high nibble is 0", rule="11a")
    f.reject("kiln-v2-scale-chain", "tensors",
             block(T(I8, [2], b"\1\2", scheme=1, group=2, scale=1),
                   T(U8, [1], b"\1", scheme=1, group=1, scale=2), T(F32, [], f32(ONE))),
             "TYPE", d(0, "scale_index"), "a scale that is itself quantized", rule="11b")
    f.reject("kiln-v2-trailing", "tensors", one().more(b"\0"), "TRAILING", 200,
             "a block that stands alone fills its buffer", rule="12")


FILES = {
    "kiln-v2-cases": cases_first,
}


# ---- Writing ----------------------------------------------------------------------------------

RULES = ("1a 1b 1c 2 3 4a 4b 5 6a 6b 7a 7b 8a 8b 8c 8d 8e 8f 8g 9a 9b 10a 10b 10c 11a 11b 12"
         .split())


def check_reach(files):
    """What the files promise to reach: a case that is lost is noticed here."""
    first = files["kiln-v2-cases"]
    assert len(first.cases) == 46, len(first.cases)
    assert {case.get("step") for case in first.cases} >= set(range(1, 13))
    assert {case.get("error") for case in first.cases} >= set(reading.CODES)
    assert {case.get("file") for case in first.cases} >= {"golden/%s.kiln" % name for name in GOLDEN}
    for name in ():
        assert files[name].rules == set(RULES), (name, set(RULES) ^ files[name].rules)
    names = [case["name"] for file in files.values() for case in file.cases]
    twice = {name for name in names if names.count(name) > 1}
    assert not twice, twice


def outputs():
    """Every file to write: its path in this folder and its bytes."""
    files = {}
    for name, fill in FILES.items():
        files[name] = CaseFile(name)
        fill(files[name])
    check_reach(files)
    written = {pathlib.Path(name + ".json"): file.text().encode() for name, file in files.items()}
    for name, data in GOLDEN.items():
        written[pathlib.Path("golden") / (name + ".kiln")] = data.data
    return written


def main(arguments):
    if arguments not in ([], ["--check"]):
        print("usage: generate.py [--check]", file=sys.stderr)
        return 2
    written = outputs()
    there = {path.relative_to(HERE) for pattern in ("*.json", "golden/*")
             for path in HERE.glob(pattern)}
    stale = sorted(there - set(written))
    different = sorted(path for path, data in written.items()
                       if path not in there or (HERE / path).read_bytes() != data)
    if arguments:
        for path in stale:
            print("spec/%s is not written by generate.py" % path)
        for path in different:
            print("spec/%s differs from what generate.py writes" % path)
        return 1 if stale or different else 0
    for path in stale:
        print("spec/%s is not written by generate.py: left alone" % path)
    (HERE / "golden").mkdir(exist_ok=True)
    for path in different:
        (HERE / path).write_bytes(written[path])
        print("wrote spec/%s" % path)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
