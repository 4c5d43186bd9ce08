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
        """Pieces of `hex`, one list for each part.

        Words of eight bytes stay whole, and two or more of one byte are written `00*48`.
        """
        borders = sorted(b for b in self.borders | {0, len(self)} if b <= len(self))
        return [pieces(self.data[start:end]) for start, end in zip(borders, borders[1:])]


def pieces(part):
    written = []                                      # [bytes, is a run of one byte]
    for at in range(0, len(part), 8):
        word = part[at:at + 8]
        uniform = word == word[:1] * len(word)
        if written:
            last, last_uniform = written[-1]
            if uniform and last_uniform and last[0] == word[0]:
                written[-1][0] = last + word
                continue
        written.append([word, uniform])
    texts, raw = [], ""
    for data, uniform in written:
        if uniform and len(data) >= 12:
            texts += [raw] if raw else []
            texts.append("%02x*%d" % (data[0], len(data)))
            raw = ""
        else:
            raw += data.hex()
            if len(raw) >= 64:
                texts.append(raw)
                raw = ""
    return texts + ([raw] if raw else [])


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


# ---- Every rule of the check order ------------------------------------------------------------

def three():
    """Three unnamed payloads of 64 bytes, at 448, 512 and 576, without a gap."""
    return block(T(U8, [64], b"\1" * 64), T(U8, [64], b"\2" * 64), T(U8, [64], b"\3" * 64))


def opaque():
    """One opaque tensor: two blocks of two bytes, layout "L" at 192, payload at 256."""
    return block(T(OPAQUE, [2], b"\1\2\3\4", layout="L", block=2))


def mixed():
    """A layout before a name: "a" and "bc" are names at 448 and 449, "L" and "MN" layouts after them."""
    return block(T(OPAQUE, [1], b"\1", layout="L", block=1), T(U8, [1], b"\2", name="a"),
                 T(OPAQUE, [1], b"\3", name="bc", layout="MN", block=1))


def scheme1():
    """Data of 4 by 6 in groups of 4 along axis 1: 8 scales."""
    return block(T(I8, [4, 6], bytes(range(24)), scheme=1, axis=1, group=4, scale=1),
                 T(F32, [4, 2], f32(ONE) * 8))


def scheme2():
    """Four elements in two groups, their scales, one outer scale."""
    return block(T(I8, [4], b"\1\2\3\4", scheme=2, axis=0, group=2, scale=1, outer=2),
                 T(E4M3, [2], b"\x38\x40"), T(F32, [], f32(TWO)))


def cases_steps(f):
    def reject(name, data, code, at, note, rule, **caps):
        f.reject("step-%s-%s" % (rule, name), "tensors", data, code, at, note, rule=rule, **caps)

    def accept(name, data, note, **caps):
        f.accept("step-ok-" + name, "tensors", data, note, **caps)

    # 1. Magic and size of the header.
    for size in range(4):
        reject("%d-bytes" % size, b"KLN"[:size], "EOF", 0, "fewer than four bytes", "1a")
    reject("wrong-bytes", b"\xff\xff\xff", "EOF", 0, "fewer than four bytes, whatever they are", "1a")
    for at in range(4):
        reject("byte-%d" % at, Bytes(header()).put(at, b"\0"), "FRAME", 0,
               "a wrong magic points at its first byte", "1b")
    reject("frame", b"KLN0", "FRAME", 0, "the magic of a frame", "1b")
    reject("reversed", Bytes(header()).put(0, b"TNLK"), "FRAME", 0, "the magic is a byte string", "1b")
    reject("lower", Bytes(header()).put(0, b"klnt"), "FRAME", 0, "the magic has one spelling", "1b")
    for size in (4, 5, 48, 63):
        reject("%d-bytes" % size, Bytes(header()).cut(size), "EOF", 0, "no room for the header", "1c")

    # 2. The rest of the envelope.
    for version in (0, 1, 3, 0x0200, 0xFFFF):
        reject("version-%d" % version, one().header(version=version), "FRAME", 4,
               "version 2 is the only one", "2")
    for bit in (2, 3, 7, 8, 15):
        reject("flag-%d" % bit, one().header(flags=1 | 1 << bit), "FRAME", 6, "an unknown flag", "2")
    reject("big-endian", one().header(flags=0), "FRAME", 6, "the little-endian bit is set", "2")
    reject("names-only", two().header(flags=2), "FRAME", 6, "the little-endian bit is set", "2")
    for at in (48, 49, 55, 56, 63):
        reject("reserved-%d" % at, one().put(at, b"\1"), "FRAME", at, "a reserved header byte", "2")
    reject("reserved-first", one().put(50, b"\2\3"), "FRAME", 50, "the first nonzero reserved byte", "2")

    # 3. Caps.
    reject("count", Bytes(header(tensor_count=16_777_217, directory_bytes=16_777_217 * 128)),
           "LIMIT", 8, "one above the default cap", "3")
    reject("count-top", Bytes(header(tensor_count=TOP)), "LIMIT", 8, "the largest claim", "3")
    reject("count-one-past-a-product-of-64-bits", Bytes(header(tensor_count=2**57)), "LIMIT", 8,
           "the cap comes before the product", "3")
    reject("names", Bytes(header(name_bytes=16_777_217, directory_bytes=16_777_217)), "LIMIT", 16,
           "one above the default cap", "3")
    reject("names-top", Bytes(header(name_bytes=TOP)), "LIMIT", 16, "the largest claim", "3")
    reject("low-count", two(), "LIMIT", 8, "two tensors under a cap of one", "3", count=1)
    reject("zero-count", one(), "LIMIT", 8, "one tensor under a cap of none", "3", count=0)
    reject("low-bytes", two(), "LIMIT", 16, "a heap of three under a cap of two", "3", bytes=2)
    accept("low-count", two(), "a count at the cap", count=2)
    accept("low-bytes", two(), "a heap at the cap", bytes=3)
    accept("zero-caps", "empty", "nothing claimed under caps of nothing", count=0, bytes=0)
    accept("payload-under-no-cap", three(), "payloads are under neither cap", count=3, bytes=0)

    # 4. The size of the directory.
    reject("product", Bytes(header(tensor_count=2**57)), "LIMIT", 8,
           "2^57 descriptors are 2^64 bytes", "4a", count=TOP)
    reject("product-wrapped", Bytes(header(tensor_count=2**57 + 1, directory_bytes=128)), "LIMIT", 8,
           "directory_bytes agrees with the wrapped product", "4a", count=TOP)
    reject("sum", Bytes(header(tensor_count=1, name_bytes=TOP - 126, directory_bytes=1)), "LIMIT", 8,
           "the sum leaves u64 though both parts fit", "4a", bytes=TOP)
    reject("sum-by-one", Bytes(header(tensor_count=2**57 - 1, name_bytes=128)), "LIMIT", 8,
           "the sum is exactly 2^64", "4a", count=TOP)
    for name, value in (("more", 129), ("less", 127), ("none", 0), ("header-too", 192), ("top", TOP)):
        reject(name, one().header(directory_bytes=value), "TYPE", 24,
               "directory_bytes is not tensor_count * 128 + name_bytes", "4b")
    reject("without-names", two().header(directory_bytes=256), "TYPE", 24,
           "directory_bytes counts the heap", "4b")
    reject("empty", Bytes(header(directory_bytes=64)), "TYPE", 24, "no tensors, no directory", "4b")
    reject("count", one().header(tensor_count=2), "TYPE", 24, "a wrong count shows in the sum", "4b")

    # 5. The directory fits.
    reject("one-claimed", Bytes(header(tensor_count=1, directory_bytes=128)), "EOF", 64,
           "a descriptor claimed and none there", "5")
    reject("cap-claimed", Bytes(header(tensor_count=16_777_216, directory_bytes=2**31)),
           "EOF", 64, "a count at the cap is believed no further than the buffer", "5")
    reject("names-claimed", Bytes(header(name_bytes=16_777_216, directory_bytes=16_777_216)),
           "EOF", 64, "a heap at the cap is believed no further than the buffer", "5")
    reject("short-descriptor", one().cut(191), "EOF", 64, "one byte short", "5")
    reject("short-heap", two().cut(322), "EOF", 64, "one byte of the heap short", "5")
    reject("sum-overflows", Bytes(header(
        tensor_count=2**57 - 1, name_bytes=127, directory_bytes=TOP)), "EOF", 64,
        "64 + directory_bytes leaves u64: it lies outside the buffer", "5", count=TOP)

    # 6. The block fits.
    reject("bytes-top", one().header(payload_bytes=TOP), "LIMIT", 40, "the end leaves u64", "6a")
    reject("base-top", one().header(payload_base=TOP), "LIMIT", 40, "the end leaves u64", "6a")
    reject("by-one", one().header(payload_base=TOP - 63, payload_bytes=64), "LIMIT", 40,
           "the end is exactly 2^64", "6a")
    reject("below-by-one", one().header(payload_base=TOP - 63, payload_bytes=63), "EOF", 192,
           "the end is 2^64 - 1: outside, without overflow", "6b")
    reject("one-short", one().cut(199), "EOF", 192, "one byte of the payload short", "6b")
    reject("no-payload", one().cut(192), "EOF", 192, "the directory and nothing more", "6b")
    reject("in-padding", two().cut(383), "EOF", 323, "the padding is short", "6b")
    reject("no-padding", two().cut(323), "EOF", 323, "the heap and nothing more", "6b")
    reject("one-more", one().header(payload_bytes=9), "EOF", 192, "one byte more than there is", "6b")
    reject("far-base", one().header(payload_base=2**40), "EOF", 192,
           "the fit comes before the right place", "6b")
    reject("empty", Bytes(header(payload_bytes=1)), "EOF", 64, "no tensors, one byte claimed", "6b")

    # 7. Padding before the payloads.
    for name, base in (("lower", 320), ("unrounded", 323), ("zero", 0), ("by-one", 383)):
        reject(name, two().header(payload_base=base), "TYPE", 32,
               "payload_base is the end of the directory, rounded up to 64", "7a")
    reject("higher", two().header(payload_base=448).more(bytes(64)), "TYPE", 32,
           "one 64 too many", "7a")
    reject("rounded-again", one().header(payload_base=256).more(bytes(64)), "TYPE", 32,
           "an end that is a multiple of 64 is not rounded further", "7a")
    reject("empty", Bytes(header(payload_base=128)) + bytes(64), "TYPE", 32,
           "an empty directory's payloads begin at 64", "7a")
    for at in (323, 324, 351, 352, 382, 383):
        reject("pad-%d" % at, two().put(at, b"\x80"), "TYPE", at, "a nonzero padding byte", "7b")
    reject("pad-first", two().put(330, b"\1").put(340, b"\1"), "TYPE", 330,
           "the first nonzero padding byte", "7b")

    # 8. Reserved bytes.
    for field, size in (("reserved_a", 3), ("reserved_b", 8)):
        for i in range(size):
            at = d(1, field) + i
            reject("byte-%d" % (at - 192), two().put(at, b"\1"), "FRAME", at,
                   "a reserved byte of the second descriptor", "8a")
    reject("first-byte", one().put(69, b"\xff"), "FRAME", 69, "a reserved byte of the first", "8a")
    reject("first-of-two", two().put(126, b"\1").put(192 + 5, b"\1"), "FRAME", 126,
           "descriptor by descriptor", "8a")

    # Names.
    reject("offset", two().descriptor(1, name_offset=2), "TYPE", d(1, "name_offset"),
           "an offset is the sum of the lengths before it", "8b")
    reject("offset-shared", two().descriptor(1, name_offset=0), "TYPE", d(1, "name_offset"),
           "two names do not share bytes", "8b")
    reject("offset-first", two().descriptor(0, name_offset=1), "TYPE", d(0, "name_offset"),
           "the first name starts the heap", "8b")
    reject("offset-of-no-name", one().descriptor(0, name_offset=1), "TYPE", d(0, "name_offset"),
           "an offset whose length is 0 is 0", "8b")
    reject("offset-of-no-name-canonical-sum",
           block(T(U8, [0], name="ab"), T(U8, [0])).descriptor(1, name_offset=2),
           "TYPE", d(1, "name_offset"), "an offset whose length is 0 is 0, not the sum so far", "8b")
    reject("swapped", two().descriptor(0, name_offset=2).descriptor(1, name_offset=0),
           "TYPE", d(0, "name_offset"), "names lie in the order of their descriptors", "8b")
    reject("length", two().descriptor(1, name_len=3), "TYPE", d(1, "name_len"),
           "the name leaves the heap by one", "8b")
    reject("length-top", two().descriptor(1, name_len=2**32 - 1), "TYPE", d(1, "name_len"),
           "the largest length, and no wrap", "8b")
    reject("length-without-heap", one().descriptor(0, name_len=1), "TYPE", d(0, "name_len"),
           "a name and no heap", "8b")
    reject("longer-first", two().descriptor(0, name_len=2), "TYPE", d(1, "name_offset"),
           "a longer first name moves the offset of the second", "8b")
    reject("into-layouts", mixed().descriptor(1, name_len=3), "TYPE", d(2, "name_offset"),
           "a name may not take what is another's", "8b")

    # Layouts and blocks.
    reject("closed-layout", one().descriptor(0, layout_len=1), "TYPE", d(0, "layout_len"),
           "a closed dtype has no layout", "8c")
    reject("closed-block", one().descriptor(0, block_size=1), "TYPE", d(0, "block_size"),
           "a closed dtype has no block size", "8c")
    reject("opaque-no-layout", opaque().descriptor(0, layout_len=0), "TYPE", d(0, "layout_len"),
           "an opaque dtype has a layout", "8c")
    reject("opaque-no-block", opaque().descriptor(0, block_size=0), "TYPE", d(0, "block_size"),
           "an opaque dtype has a block size", "8c")
    for dtype in (0, 20, 4095, 32768, 65535):
        reject("illegal-%d-layout" % dtype, opaque().descriptor(0, dtype=dtype),
               "TYPE", d(0, "layout_len"), "a dtype that is not opaque, legal or not, has no layout", "8c")
    reject("illegal-block", one().descriptor(0, dtype=20, block_size=1), "TYPE", d(0, "block_size"),
           "a dtype that is not opaque, legal or not, has no block size", "8c")
    reject("offset", opaque().descriptor(0, layout_offset=1), "TYPE", d(0, "layout_offset"),
           "the first layout starts where the names end", "8c")
    reject("offset-in-names", mixed().descriptor(0, layout_offset=0), "TYPE", d(0, "layout_offset"),
           "layouts lie after all names, those of later tensors too", "8c")
    reject("offset-second", mixed().descriptor(2, layout_offset=5), "TYPE", d(2, "layout_offset"),
           "an offset is the sum of the lengths before it", "8c")
    reject("offset-shared", mixed().descriptor(2, layout_offset=3), "TYPE", d(2, "layout_offset"),
           "two layouts do not share bytes", "8c")
    reject("offset-of-no-layout", two().descriptor(0, layout_offset=3), "TYPE", d(0, "layout_offset"),
           "an offset whose length is 0 is 0", "8c")
    reject("length", opaque().descriptor(0, layout_len=2), "TYPE", d(0, "layout_len"),
           "the layout leaves the heap by one", "8c")
    reject("length-top", opaque().descriptor(0, layout_len=2**32 - 1), "TYPE", d(0, "layout_len"),
           "the largest length, and no wrap", "8c")
    reject("presence-then-block", one().descriptor(0, layout_len=1, block_size=1, layout_offset=9),
           "TYPE", d(0, "layout_len"), "presence comes first", "8c")
    reject("block-then-offset", opaque().descriptor(0, block_size=0, layout_offset=9),
           "TYPE", d(0, "block_size"), "the block size comes before the offset", "8c")
    reject("offset-then-length", opaque().descriptor(0, layout_offset=9, layout_len=9),
           "TYPE", d(0, "layout_offset"), "the offset comes before the end", "8c")
    reject("descriptor-by-descriptor",
           mixed().descriptor(0, layout_offset=9).descriptor(1, layout_len=1),
           "TYPE", d(0, "layout_offset"), "one descriptor wholly before the next", "8c")
    accept("mixed", mixed(), "all names, then all layouts")

    # The heap, its flag, its text.
    reject("byte", block(T(U8, [0], name="ab"), unused=b"c"), "TYPE", 194,
           "the first heap byte that nothing uses", "8d")
    reject("zero-byte", block(T(U8, [0], name="ab"), unused=b"\0"), "TYPE", 194,
           "an unused byte may not be zero either", "8d")
    reject("after-layouts", block(T(OPAQUE, [0], layout="L", block=1), unused=b"xyz"), "TYPE", 193,
           "unused after the layouts", "8d")
    reject("no-names", block(T(U8, [0]), unused=b"x"), "TYPE", 192, "a heap and no names", "8d")
    reject("no-tensors", block(unused=b"x"), "TYPE", 64, "a heap and no tensors", "8d")
    reject("shorter-name", two().descriptor(1, name_len=1), "TYPE", 322,
           "a shorter name leaves a byte unused", "8d")
    reject("set-without-names", one().header(flags=3), "TYPE", 6, "set, and no name", "8e")
    reject("set-for-a-layout", opaque().header(flags=3), "TYPE", 6, "a layout is not a name", "8e")
    reject("set-without-tensors", Bytes(header(flags=3)), "TYPE", 6, "set, and no tensors", "8e")
    reject("clear-with-names", two().header(flags=1), "TYPE", 6, "clear, and names", "8e")
    reject("clear-with-one-name", mixed().header(flags=1), "TYPE", 6, "one name is enough", "8e")

    for name, text, at, note in (
            ("lone-continuation", b"\x80", 192, "a continuation byte without a lead"),
            ("ff", b"ab\xff", 194, "no sequence begins with FF"),
            ("overlong-two", b"\xc0\x80", 192, "NUL in two bytes"),
            ("overlong-two-c1", b"\xc1\xbf", 192, "ASCII in two bytes"),
            ("overlong-three", b"\xe0\x9f\xbf", 192, "two bytes' worth in three"),
            ("overlong-four", b"\xf0\x8f\xbf\xbf", 192, "three bytes' worth in four"),
            ("surrogate-first", b"x\xed\xa0\x80", 193, "a surrogate"),
            ("surrogate-last", b"\xed\xbf\xbf", 192, "a surrogate"),
            ("past-the-end", b"\xf4\x90\x80\x80", 192, "beyond U+10FFFF"),
            ("f5", b"\xf5\x80\x80\x80", 192, "no sequence begins with F5"),
            ("cut-two", b"a\xc3", 193, "a sequence that does not end: its lead byte"),
            ("cut-three", b"a\xe2\x82", 193, "a sequence that does not end: its lead byte"),
            ("cut-four", b"\xf0\x9f\x98", 192, "a sequence that does not end: its lead byte"),
            ("broken-inside", b"\xc3\xa9\xe2\x28\xa1", 194, "the lead byte of the broken sequence")):
        reject(name, block(T(U8, [0], name=text)), "UTF8", at, note, "8f")
    reject("split-over-three",
           block(T(U8, [0], name=b"x\xf0"), T(U8, [0], name=b"\x9f\x98"), T(U8, [0], name=b"\x80")),
           "UTF8", 449, "together the names spell a character; each is broken", "8f")
    reject("split-name-layout", block(T(OPAQUE, [0], name=b"\xc3", layout=b"\xa9", block=1)),
           "UTF8", 192, "a character over the border from names to layouts", "8f")
    reject("second-half-only", block(T(U8, [0], name="a"), T(U8, [0], name=b"\xa9b")), "UTF8", 321,
           "a name that begins with a continuation byte", "8f")
    reject("layout", block(T(OPAQUE, [0], name="n", layout=b"Q\xff", block=1)), "UTF8", 194,
           "a layout is UTF-8 too", "8f")
    reject("layout-second", block(T(OPAQUE, [0], layout="Q", block=1),
                                  T(OPAQUE, [0], layout=b"\xe9", block=1)), "UTF8", 321,
           "layout by layout", "8f")
    reject("layouts-split", block(T(OPAQUE, [0], layout=b"\xc3", block=1),
                                  T(OPAQUE, [0], layout=b"\xa9", block=1)), "UTF8", 320,
           "a character over the border of two layouts", "8f")
    reject("names-before-layouts",
           block(T(OPAQUE, [0], layout=b"\xff", block=1), T(U8, [0], name=b"\xfe")), "UTF8", 320,
           "all names before any layout", "8f")
    for name, text in (("nul", b"\0"), ("newline", b"a\nb"), ("bom", b"\xef\xbb\xbf"),
                       ("last-code-point", b"\xf4\x8f\xbf\xbf"), ("noncharacter", b"\xef\xbf\xbf"),
                       ("around-surrogates", b"\xed\x9f\xbf\xee\x80\x80"), ("long", b"n" * 300)):
        accept("name-" + name, block(T(U8, [0], name=text)), "any UTF-8 is a name")

    def named(*names):
        return block(*(T(U8, [0], name=name) for name in names))

    reject("next", named("w", "w"), "TYPE", 321, "a repeated name: the later one, in the heap", "8g")
    reject("apart", named("ab", "c", "d", "ab"), "TYPE", 64 + 4 * 128 + 4,
           "a repeat far from the first", "8g")
    reject("first-repeat", named("a", "b", "b", "a"), "TYPE", 64 + 4 * 128 + 2,
           "in order: the earliest tensor that repeats one before it", "8g")
    reject("around-unnamed", named("w", "", "w"), "TYPE", 449, "between them a tensor without a name", "8g")
    reject("not-utf16", named("\U00010000", "\uffff", "\U00010000"), "TYPE", 64 + 3 * 128 + 7,
           "equal bytes", "8g")
    accept("unnamed-twice", named("", ""), "no name is no repeated name")
    accept("composed-decomposed", named("\u00e9", "e\u0301"), "names are compared as raw bytes")
    accept("case-and-space", named("w", "W", "w "), "names are compared as raw bytes")
    accept("prefixes", named("a", "aa", "aaa"), "a prefix is another name")
    accept("layout-twice", block(T(OPAQUE, [0], name="L", layout="L", block=1),
                                 T(OPAQUE, [0], layout="L", block=1)),
           "layouts repeat, and may equal a name")

    # 9. Dtypes and shapes.
    for dtype in (0, 20, 21, 255, 256, 4095, 32768, 65535):
        reject("dtype-%d" % dtype, one().descriptor(0, dtype=dtype), "TYPE", d(0, "dtype"),
               "not a legal dtype", "9a")
    for dtype, size in ((F64, 24), (F32, 12), (F16, 6), (BF16, 6), (I64, 24), (I32, 12), (I16, 6),
                        (I8, 3), (U64, 24), (U32, 12), (U16, 6), (U8, 3), (BOOL, 3), (I4, 2), (U4, 2),
                        (E4M3, 3), (E5M2, 3), (E2M1, 2), (E8M0, 3)):
        accept("dtype-%d" % dtype, block(T(dtype, [3], b"\1" * size)), "three elements of each dtype")
    for dtype in (4096, 4097, 32767):
        accept("dtype-%d" % dtype, block(T(dtype, [3], b"\1\2", layout="L", block=2)), "an opaque dtype")
    for rank in (9, 255):
        reject("rank-%d" % rank, one().descriptor(0, rank=rank), "TYPE", d(0, "rank"),
               "eight dimensions at most", "9a")
    reject("slot-at-rank", one().descriptor(0, shape1=1), "TYPE", d(0, "shape1"),
           "a slot at the rank is 0", "9a")
    reject("slot-last", one().descriptor(0, shape7=1), "TYPE", d(0, "shape7"),
           "a slot past the rank is 0", "9a")
    reject("slot-high-byte", one().put(d(0, "shape3") + 7, b"\x80"), "TYPE", d(0, "shape3"),
           "a slot is eight bytes", "9a")
    reject("slot-first", one().descriptor(0, shape6=1, shape4=1), "TYPE", d(0, "shape4"),
           "the first slot that is not 0", "9a")
    reject("slot-of-scalar", block(T(F32, [], f32(ONE))).descriptor(0, shape0=1), "TYPE",
           d(0, "shape0"), "rank 0 has no slot in use", "9a")
    reject("rank-lowered", block(T(U8, [2, 3], bytes(6))).descriptor(0, rank=1), "TYPE",
           d(0, "shape1"), "a lower rank leaves a slot behind", "9a")
    accept("scalar", block(T(F64, [], u64(1))), "rank 0 counts one element")
    accept("rank-8", block(T(U8, [1, 2, 1, 3, 1, 1, 2, 1], bytes(12))), "eight dimensions")
    accept("ones", block(T(U8, [1] * 8, b"\7")), "eight dimensions of one")

    reject("product", block(T(F32, [2**63, 4])), "LIMIT", d(0, "shape0"), "the product leaves u64", "9a")
    reject("product-exact", block(T(U8, [2**32, 2**32])), "LIMIT", d(0, "shape0"),
           "the product is exactly 2^64", "9a")
    reject("product-late", block(T(U8, [2, 3, 2**62])), "LIMIT", d(0, "shape0"),
           "an overflow points at the first dimension", "9a")
    reject("product-of-eight", block(T(U8, [2**8] * 8)), "LIMIT", d(0, "shape0"),
           "eight dimensions make 2^64", "9a")
    reject("product-packed", block(T(I4, [2**33, 2**31])), "LIMIT", d(0, "shape0"),
           "the count leaves u64 though half of it would not", "9a")
    reject("product-opaque", block(T(OPAQUE, [2**32, 2**32], layout="L", block=1)), "LIMIT",
           d(0, "shape0"), "an opaque shape's product fits u64 too", "9a")
    for dtype, count in ((F64, 2**61), (F32, 2**62), (BF16, 2**63), (U16, 2**63)):
        reject("bytes-%d" % dtype, block(T(dtype, [count])), "LIMIT", d(0, "shape0"),
               "the count fits and the bytes do not", "9a")
        reject("bytes-%d-below" % dtype, block(T(dtype, [count - 1])), "TYPE", d(0, "byte_len"),
               "one element fewer fits u64: the length is wrong instead", "9a")
    reject("count-top", block(T(U8, [TOP])), "TYPE", d(0, "byte_len"), "2^64 - 1 bytes fit u64", "9a")
    reject("count-top-packed", block(T(I4, [TOP])), "TYPE", d(0, "byte_len"),
           "the bits of a packed count may leave u64, its bytes do not", "9a")
    reject("count-top-range", block(T(U8, [TOP])).descriptor(0, byte_len=TOP), "TYPE",
           d(0, "byte_offset"), "the length is right, and the end leaves u64", "9a")
    reject("count-top-packed-range", block(T(E2M1, [TOP])).descriptor(0, byte_len=2**63), "TYPE",
           d(0, "byte_offset"), "the length is right: half of 2^64 - 1, rounded up", "9a")
    for shape in ([0], [4, 0], [0, 4], [2**63, 4, 0], [2**63, 0, 4], [0, 2**63, 4], [4, 2**63, 0],
                  [TOP, TOP, 0, TOP], [0] * 8):
        accept("zero-" + "-".join("top" if n == TOP else "2e63" if n == 2**63 else str(n) for n in shape),
               block(T(F64, shape)), "one zero makes the count 0, in any order")
    accept("zero-packed", block(T(U4, [3, 0])), "no elements, no last nibble")
    accept("zero-bool", block(T(BOOL, [0])), "no elements, no bytes")

    reject("length-more", one().descriptor(0, byte_len=9), "TYPE", d(0, "byte_len"),
           "a byte too many", "9a")
    reject("length-less", one().descriptor(0, byte_len=7), "TYPE", d(0, "byte_len"),
           "a byte too few", "9a")
    reject("length-elements", one().descriptor(0, byte_len=2), "TYPE", d(0, "byte_len"),
           "bytes, not elements", "9a")
    reject("length-scalar", block(T(F32, [], f32(ONE))).descriptor(0, byte_len=0), "TYPE",
           d(0, "byte_len"), "a scalar is one element", "9a")
    reject("length-zero", block(T(F32, [0], f32(ONE))), "TYPE", d(0, "byte_len"),
           "no elements, no bytes", "9a")
    reject("length-packed-down", block(T(I4, [3], b"\1")), "TYPE", d(0, "byte_len"),
           "three nibbles take two bytes", "9a")
    reject("length-packed-bytes", block(T(U4, [4], bytes(4))), "TYPE", d(0, "byte_len"),
           "four nibbles take two bytes", "9a")
    reject("length-opaque", block(T(OPAQUE, [3], b"\1\2\3", layout="L", block=2)), "TYPE",
           d(0, "byte_len"), "whole blocks only", "9a")
    reject("length-opaque-large-block", opaque().descriptor(0, block_size=2**32 - 1), "TYPE",
           d(0, "byte_len"), "a block larger than the payload", "9a")
    accept("opaque-empty", block(T(OPAQUE, [7], layout="L", block=2**32 - 1)), "no blocks are whole blocks")
    accept("opaque-shape", block(T(OPAQUE, [TOP], b"\1\2", layout="L", block=1)),
           "an opaque shape is not tied to the length")
    accept("opaque-scalar", block(T(OPAQUE, [], b"\1\2\3\4", layout="L", block=4)), "an opaque rank 0")
    accept("opaque-zero", block(T(OPAQUE, [0], b"\1\2", layout="L", block=2)),
           "an opaque zero dimension, and bytes")

    reject("range-before", one().descriptor(0, byte_offset=191), "TYPE", d(0, "byte_offset"),
           "before the payload region", "9a")
    reject("range-in-header", one().descriptor(0, byte_offset=0), "TYPE", d(0, "byte_offset"),
           "offsets count from the directory, not from the payloads", "9a")
    reject("range-past", one().descriptor(0, byte_offset=193), "TYPE", d(0, "byte_offset"),
           "one byte past the payload region", "9a")
    reject("range-past-in-buffer", one().descriptor(0, byte_offset=193).more(b"\0"), "TYPE",
           d(0, "byte_offset"), "past the payload region, though inside the buffer", "9a")
    reject("range-wraps", one().descriptor(0, byte_offset=TOP - 3), "TYPE", d(0, "byte_offset"),
           "an end that leaves u64 lies outside", "9a")
    reject("range-top", one().descriptor(0, byte_offset=TOP), "TYPE", d(0, "byte_offset"),
           "the largest offset", "9a")
    reject("range-shortened", one().header(payload_bytes=7), "TYPE", d(0, "byte_offset"),
           "a region that is too short", "9a")
    reject("range-empty-before", block(T(U8, [0])).descriptor(0, byte_offset=128), "TYPE",
           d(0, "byte_offset"), "an empty payload lies in the region too", "9a")
    reject("range-empty-zero", block(T(U8, [0])).descriptor(0, byte_offset=0), "TYPE",
           d(0, "byte_offset"), "an empty payload has a place", "9a")
    reject("range-empty-past", block(T(U8, [0])).descriptor(0, byte_offset=256), "TYPE",
           d(0, "byte_offset"), "an empty payload past the region", "9a")
    reject("second", two().descriptor(1, dtype=0), "TYPE", d(1, "dtype"), "every descriptor is looked at", "9a")

    # Overlaps.
    reject("same-offset", three().descriptor(1, byte_offset=448), "TYPE", d(1, "byte_offset"),
           "two payloads in one place", "9b")
    reject("same-offset-later", three().descriptor(0, byte_offset=512), "TYPE", d(1, "byte_offset"),
           "of equal offsets the higher index is second", "9b")
    reject("by-one-byte", three().descriptor(1, byte_offset=511), "TYPE", d(1, "byte_offset"),
           "one byte shared", "9b")
    reject("second-member-is-first-tensor", three().descriptor(0, byte_offset=520), "TYPE",
           d(0, "byte_offset"), "sorted by offset, not by index", "9b")
    reject("first-pair", three().descriptor(2, byte_offset=449), "TYPE", d(2, "byte_offset"),
           "the first neighbouring pair that overlaps counts", "9b")
    reject("last-pair", three().descriptor(2, byte_offset=575), "TYPE", d(2, "byte_offset"),
           "the last neighbouring pair", "9b")
    reject("all-three", three().descriptor(1, byte_offset=448).descriptor(2, byte_offset=448), "TYPE",
           d(1, "byte_offset"), "three in one place", "9b")
    reject("inside", block(T(U8, [192], bytes(192)), T(U8, [1], b"\1"), T(U8, [1], b"\1"))
           .descriptor(1, byte_offset=576).descriptor(2, byte_offset=512), "TYPE", d(2, "byte_offset"),
           "two small payloads inside a large one", "9b")
    reject("over-empty", block(T(U8, [64], bytes(64)), T(U8, [0]), T(U8, [64], bytes(64)))
           .descriptor(2, byte_offset=500), "TYPE", d(2, "byte_offset"),
           "an empty payload between them does not part them", "9b")
    accept("touching", three(), "payloads that touch do not overlap")
    accept("empty-shares", block(T(U8, [0]), T(U8, [3], b"\1\2\3")),
           "an empty payload and the next one have the same offset")

    # 10. Placement.
    reject("shifted", one().header(payload_bytes=72).descriptor(0, byte_offset=256).more(bytes(64)),
           "TYPE", d(0, "byte_offset"), "the first payload starts at payload_base", "10a")
    reject("unaligned", one().header(payload_bytes=9).descriptor(0, byte_offset=193).more(b"\0"),
           "TYPE", d(0, "byte_offset"), "multiples of 64", "10a")
    reject("swapped", two().descriptor(0, byte_offset=448).descriptor(1, byte_offset=384),
           "TYPE", d(0, "byte_offset"), "payloads lie in the order of their descriptors", "10a")
    reject("wider-gap", two().header(payload_bytes=132).descriptor(1, byte_offset=512).more(bytes(64)),
           "TYPE", d(1, "byte_offset"), "the next multiple of 64, not one later", "10a")
    reject("packed-close", two().descriptor(1, byte_offset=387), "TYPE", d(1, "byte_offset"),
           "no payload follows another without rounding", "10a")
    reject("empty-unrounded", block(T(U8, [3], b"\1\2\3"), T(U8, [0])).descriptor(1, byte_offset=323),
           "TYPE", d(1, "byte_offset"), "an empty payload is rounded up too", "10a")
    reject("empty-inside", block(T(U8, [64], bytes(64)), T(U8, [0])).descriptor(1, byte_offset=352),
           "TYPE", d(1, "byte_offset"), "an empty payload inside another is misplaced, no overlap", "10a")
    reject("empty-at-base", block(T(U8, [64], bytes(64)), T(U8, [0])).descriptor(1, byte_offset=320),
           "TYPE", d(1, "byte_offset"), "an empty payload follows the one before it", "10a")
    reject("first-of-two", two().header(payload_bytes=69).descriptor(0, byte_offset=385)
           .descriptor(1, byte_offset=449).more(b"\0"), "TYPE", d(0, "byte_offset"),
           "descriptor by descriptor", "10a")
    reject("rounded-up", one().header(payload_bytes=64).more(bytes(56)), "TYPE", 40,
           "the block ends with its last payload, unpadded", "10b")
    reject("one-more", one().header(payload_bytes=9).more(b"\0"), "TYPE", 40, "a byte too many", "10b")
    reject("empty", Bytes(header(payload_bytes=64)) + bytes(64), "TYPE", 40,
           "no tensors, no payload bytes", "10b")
    reject("after-empty-tensor", block(T(U8, [0])).header(payload_bytes=64).more(bytes(64)), "TYPE", 40,
           "an empty tensor adds nothing", "10b")
    accept("empty-last", block(T(U8, [3], b"\1\2\3"), T(U8, [0])),
           "an empty last payload is rounded up, and the block ends there")
    for at in (387, 388, 415, 416, 446, 447):
        reject("gap-%d" % at, two().put(at, b"\1"), "TYPE", at, "a nonzero byte in a gap", "10c")
    reject("gap-first", two().put(390, b"\1").put(400, b"\1"), "TYPE", 390, "the first nonzero byte", "10c")
    reject("gap-before-empty", block(T(U8, [3], b"\1\2\3"), T(U8, [0])).put(383, b"\1"), "TYPE", 383,
           "the gap before an empty last payload", "10c")

    # 11. Payload bits.
    for at, byte in ((0, 2), (1, 255), (2, 128)):
        reject("bool-%d" % at, block(T(BOOL, [3], b"\1\0\1")).put(192 + at, u8(byte)), "TYPE", 192 + at,
               "a bool byte is 0 or 1", "11a")
    reject("bool-first", block(T(BOOL, [4], b"\1\3\2\1")), "TYPE", 193, "the first bad byte", "11a")
    reject("bool-scalar", block(T(BOOL, [], b"\2")), "TYPE", 192, "a bool scalar", "11a")
    for dtype in (I4, U4, E2M1):
        reject("nibble-%d" % dtype, block(T(dtype, [5], b"\xff\xff\x1f")), "TYPE", 194,
               "after an odd count the last high nibble is 0", "11a")
        accept("nibble-%d-odd" % dtype, block(T(dtype, [5], b"\xff\xff\x0f")), "the low nibble is the element")
        accept("nibble-%d-even" % dtype, block(T(dtype, [6], b"\xff\xff\xff")), "an even count fills its bytes")
    reject("nibble-scalar", block(T(U4, [], b"\x80")), "TYPE", 192, "a packed scalar is an odd count", "11a")
    reject("nibble-shape", block(T(U4, [3, 3], b"\0\0\0\0\x10")), "TYPE", 196,
           "the count is the product: 9", "11a")
    accept("nibble-rows", block(T(U4, [3, 2], b"\xff\xff\xff")), "rows are not padded: the count is 6")
    reject("bits-second", block(T(U4, [2], b"\xff"), T(BOOL, [1], b"\2")), "TYPE", 384,
           "every payload is looked at", "11a")
    accept("not-bools", block(T(U8, [2], b"\2\xff"), T(E8M0, [1], b"\xff"), T(E5M2, [1], b"\xff")),
           "only bool and packed payloads have bits to check")

    # Quantization.
    for scheme in (3, 4, 255):
        reject("scheme-%d" % scheme, one().descriptor(0, scheme=scheme), "TYPE", d(0, "scheme"),
               "a scheme above 2 is a fault of quantization", "11b")
    for scheme in (1, 2, 3):
        reject("opaque-scheme-%d" % scheme, opaque().descriptor(0, scheme=scheme), "TYPE",
               d(0, "scheme"), "an opaque tensor is not quantized", "11b")
    for field in ("axis", "group_size", "scale_index", "outer_index"):
        reject("none-" + field.replace("_", "-"), one().descriptor(0, **{field: 1}), "TYPE", d(0, field),
               "scheme 0 has no link", "11b")
        reject("opaque-" + field.replace("_", "-"), opaque().descriptor(0, **{field: 1}), "TYPE",
               d(0, field), "scheme 0 has no link, opaque or not", "11b")
    reject("axis-at-rank", scheme1().descriptor(0, axis=2), "TYPE", d(0, "axis"), "axis < rank", "11b")
    reject("axis-255", scheme1().descriptor(0, axis=255), "TYPE", d(0, "axis"), "axis < rank", "11b")
    reject("axis-of-scalar", block(T(I8, [], b"\1", scheme=1, group=1, scale=1), T(F32, [1], f32(ONE))),
           "TYPE", d(0, "axis"), "a scalar has no axis", "11b")
    reject("group-zero", scheme1().descriptor(0, group_size=0), "TYPE", d(0, "group_size"),
           "a group has at least one element", "11b")
    for name, index in (("self", 0), ("past", 2), ("top", 2**32 - 1)):
        reject("scale-" + name, scheme1().descriptor(0, scale_index=index), "TYPE", d(0, "scale_index"),
               "another tensor of the same directory", "11b")
    reject("scale-count-group", scheme1().descriptor(0, group_size=3, axis=0), "TYPE",
           d(0, "scale_index"), "ceil(4 / 3) * 6 is not 8", "11b")
    reject("scale-count-down", scheme1().descriptor(0, group_size=6), "TYPE", d(0, "scale_index"),
           "one group a row is 4 scales, not 8", "11b")
    reject("scale-count-floor", block(T(I8, [5], bytes(5), scheme=1, group=2, scale=1),
                                      T(F32, [2], f32(ONE, ONE))), "TYPE", d(0, "scale_index"),
           "a last group that is not full counts: 3", "11b")
    reject("scale-count-one-more", block(T(I8, [4], bytes(4), scheme=1, group=2, scale=1),
                                         T(F32, [3], f32(ONE, ONE, ONE))), "TYPE", d(0, "scale_index"),
           "a full last group is the last: 2", "11b")
    reject("scale-count-zero", block(T(I8, [4, 0], scheme=1, group=2, scale=1),
                                     T(F32, [2], f32(ONE, ONE))), "TYPE", d(0, "scale_index"),
           "no elements, no scales", "11b")
    reject("scale-opaque", block(T(I8, [2], b"\1\2", scheme=1, group=2, scale=1),
                                 T(OPAQUE, [1], b"\1", layout="L", block=1)), "TYPE",
           d(0, "scale_index"), "a scale is of a closed dtype", "11b")
    reject("scale-quantized", block(T(I8, [2], b"\1\2", scheme=1, group=2, scale=1),
                                    T(I8, [1], b"\1", scheme=1, group=1, scale=2), T(F32, [1], f32(ONE))),
           "TYPE", d(0, "scale_index"), "a chain of scales", "11b")
    reject("scale-each-other", block(T(I8, [1], b"\1", scheme=1, group=1, scale=1),
                                     T(I8, [1], b"\1", scheme=1, group=1, scale=0)),
           "TYPE", d(0, "scale_index"), "two tensors that name each other", "11b")
    reject("scale-bad-scheme", block(T(I8, [2], b"\1\2", scheme=1, group=2, scale=1),
                                     T(F32, [1], f32(ONE), scheme=3)), "TYPE", d(0, "scale_index"),
           "what is wrong with the linked tensor is a fault of the link", "11b")
    reject("scheme1-outer", scheme1().descriptor(0, outer_index=1), "TYPE", d(0, "outer_index"),
           "scheme 1 has no outer scale", "11b")
    for name, index in (("self", 0), ("past", 3), ("top", 2**32 - 1)):
        reject("outer-" + name, scheme2().descriptor(0, outer_index=index), "TYPE", d(0, "outer_index"),
               "another tensor of the same directory", "11b")
    reject("outer-dtype", scheme2().descriptor(2, dtype=U32), "TYPE", d(0, "outer_index"),
           "an outer scale is f32", "11b")
    reject("outer-two-elements", block(T(I8, [2], b"\1\2", scheme=2, group=1, scale=1, outer=1),
                                       T(F32, [2], f32(ONE, ONE))), "TYPE", d(0, "outer_index"),
           "an outer scale has one element", "11b")
    reject("outer-no-elements", block(T(I8, [2], b"\1\2", scheme=2, group=2, scale=1, outer=2),
                                      T(F32, [1], f32(ONE)), T(F32, [0])), "TYPE", d(0, "outer_index"),
           "an outer scale has one element", "11b")
    reject("outer-quantized", block(T(I8, [2], b"\1\2", scheme=2, group=2, scale=1, outer=2),
                                    T(F32, [1], f32(ONE)),
                                    T(F32, [1], f32(ONE), scheme=1, group=1, scale=1)),
           "TYPE", d(0, "outer_index"), "an outer scale is not quantized", "11b")
    reject("second", block(T(F32, [1], f32(ONE)), T(I8, [2], b"\1\2", scheme=1, group=1, scale=0)),
           "TYPE", d(1, "scale_index"), "every descriptor is looked at", "11b")
    for first, second in (("scheme", "axis"), ("axis", "group_size"), ("group_size", "scale_index"),
                          ("scale_index", "outer_index")):
        wrong = {"scheme": 3, "axis": 9, "group_size": 0, "scale_index": 9, "outer_index": 9}
        reject("%s-then-%s" % (first.replace("_", "-"), second.replace("_", "-")),
               scheme2().descriptor(0, **{first: wrong[first], second: wrong[second]}), "TYPE",
               d(0, first), "the order of the fields in a link", "11b")
    reject("none-in-order", one().descriptor(0, outer_index=1, scale_index=1, group_size=1), "TYPE",
           d(0, "group_size"), "the order of the fields without a link", "11b")
    reject("link-before-tail", scheme2().descriptor(0, scale_index=2, outer_index=1), "TYPE",
           d(0, "scale_index"), "the scale is judged before the outer scale", "11b")
    reject("descriptor-by-descriptor", scheme1().descriptor(0, outer_index=1).descriptor(1, axis=1),
           "TYPE", d(0, "outer_index"), "one descriptor wholly before the next", "11b")
    accept("scheme-1", scheme1(), "8 scales for 4 rows of 6 in groups of 4")
    accept("scheme-2", scheme2(), "scales and an outer scale")
    accept("scheme-2-one-tensor", block(T(I8, [2], b"\1\2", scheme=2, group=2, scale=1, outer=1),
                                        T(F32, [1], f32(ONE))), "the outer scale may be the scale")
    accept("scheme-1-flat", block(T(I8, [4, 6], bytes(24), scheme=1, axis=1, group=4, scale=1),
                                  T(BF16, [8], bytes(16))), "a scale's shape is not looked at, its count is")
    accept("scheme-1-earlier", block(T(F32, [2], f32(ONE, TWO)),
                                     T(I8, [2], b"\1\2", scheme=1, group=1, scale=0)),
           "a scale before its data")
    accept("scheme-1-shared", block(T(I8, [2], b"\1\2", scheme=1, group=2, scale=2),
                                    T(U4, [2], b"\1", scheme=1, group=2, scale=2), T(F32, [], f32(ONE))),
           "two tensors, one scale")
    accept("scheme-1-bool", block(T(I8, [2], b"\1\2", scheme=1, group=1, scale=1), T(BOOL, [2], b"\0\1")),
           "a scale of any closed dtype")
    accept("scheme-1-large-group", block(T(I8, [3], b"\1\2\3", scheme=1, group=2**32 - 1, scale=1),
                                         T(F32, [1], f32(ONE))), "a group larger than the axis")
    accept("scheme-1-zero-axis", block(T(I8, [0, 4], scheme=1, group=2, scale=1), T(F32, [0])),
           "no elements along the axis, no scales")
    accept("scheme-1-zero-other", block(T(I8, [4, 0], scheme=1, group=3, scale=1), T(F32, [0, 5])),
           "no elements along another dimension, no scales")
    accept("scheme-1-axis-7", block(T(I8, [1] * 7 + [4], bytes(4), scheme=1, axis=7, group=2, scale=1),
                                    T(F32, [2], f32(ONE, ONE))), "the last axis")
    accept("scheme-2-other-zero-index",
           block(T(F32, [], f32(ONE)), T(I8, [2], b"\1\2", scheme=2, group=2, scale=0, outer=0)),
           "tensor 0 as scale and outer scale")

    # 12. What follows.
    reject("one-byte", one().more(b"\0"), "TRAILING", 200, "a zero byte is a byte left over", "12")
    reject("sixty-four", Bytes(header()) + bytes(64), "TRAILING", 64, "padding is not part of a block", "12")
    reject("second-block", one() + one().data, "TRAILING", 200, "a second block", "12")
    reject("rounded", two().more(bytes(60)), "TRAILING", 452, "the end of a block is not rounded up", "12")


FILES = {
    "kiln-v2-cases": cases_first,
    "kiln-v2-steps": cases_steps,
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
    for name in ("kiln-v2-steps",):
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
