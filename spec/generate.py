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

    def drop(self, count):
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
        self.name, self.cases, self.rules = name, [], set()

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
    """Two tensors with names: heap at 320, padding from 330, payloads at 384 and 448, end 456."""
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


# ---- Frozen values ----------------------------------------------------------------------------

def nested(token, depth, inner):
    """The type text of `depth` containers around a type."""
    if token == "struct":
        return "struct{a:" * depth + inner + ",}" * depth
    return (token + "{") * depth + inner + "}" * depth


def cases_frozen(f):
    def reject(name, text, data, code, at, note, **more):
        f.reject("frozen-" + name, text, data, code, at, note, **more)

    def accept(name, text, data, note, **caps):
        f.accept("frozen-" + name, text, data, note, **caps)

    # Scalars.
    widths = (("bool", 1), ("u8", 1), ("u16", 2), ("u32", 4), ("u64", 8), ("i8", 1), ("i16", 2),
              ("i32", 4), ("i64", 8), ("f16", 2), ("bf16", 2), ("f32", 4), ("f64", 8))
    for text, width in widths:
        for size in range(width):
            reject("short-%s-%d" % (text, size), text, b"\1" * size, "EOF", 0,
                   "a scalar points at its first byte, however much of it is there")
        accept(text, text, b"\1" * width, "exactly its width")
        reject("long-" + text, text, b"\1" * width + b"\0", "TRAILING", width, "one byte left over")
        reject("second-" + text, "struct{a:u8,b:%s,}" % text, b"\1" * width, "EOF", 1,
               "the scalar that is short, not the struct")
    for name, text, data in (
            ("i8-min", "i8", b"\x80"), ("i16-min", "i16", u16(2**15)), ("i32-min", "i32", u32(2**31)),
            ("i64-min", "i64", u64(2**63)), ("u64-max", "u64", u64(TOP)),
            ("f64-negative-zero", "f64", u64(2**63)), ("f32-negative-zero", "f32", u32(2**31)),
            ("f64-infinity", "f64", u64(0x7FF0000000000000)),
            ("f64-nan-payload", "f64", u64(0x7FF8000000ABCDEF)),
            ("f64-signalling-nan", "f64", u64(0x7FF0000000000001)),
            ("f64-subnormal", "f64", u64(1)), ("f32-signalling-nan", "f32", u32(0xFF800001)),
            ("f32-nan-payload", "f32", u32(0x7FC12345)), ("f16-signalling-nan", "f16", u16(0x7C01)),
            ("f16-negative-nan", "f16", u16(0xFE55)), ("f16-subnormal", "f16", u16(0x8001)),
            ("bf16-signalling-nan", "bf16", u16(0x7F81)), ("bf16-negative-nan", "bf16", u16(0xFFC1))):
        accept("bits-" + name, text, data, "bits are preserved")
    accept("false", "bool", b"\0", "false")
    for byte in (2, 3, 128, 254, 255):
        reject("bool-%d" % byte, "bool", u8(byte), "TYPE", 0, "a bool is 0 or 1")
    reject("bool-in-list", "list{bool}", u32(4) + b"\0\1\2\3", "TYPE", 6, "the first bad element")

    # Strings, byte runs.
    for text in ("str", "bytes"):
        accept("%s-empty" % text, text, u32(0), "a length of 0")
        for size in range(4):
            reject("%s-word-%d" % (text, size), text, b"\0\0\0"[:size], "EOF", 0,
                   "the length word is short")
        reject("%s-absent" % text, text, u32(1), "EOF", 4, "just after the length word")
        reject("%s-short" % text, text, u32(8) + b"1234567", "EOF", 4, "one byte short")
        reject("%s-long" % text, text, run("ab") + b"c", "TRAILING", 6, "one byte left over")
        reject("%s-at-cap" % text, text, u32(16_777_216), "EOF", 4,
               "16 MiB is inside the default cap, and does not fit")
        reject("%s-past-cap" % text, text, u32(16_777_217), "LIMIT", 0, "one above the default cap")
        reject("%s-top" % text, text, u32(2**32 - 1), "LIMIT", 0, "the largest claim")
        reject("%s-top-raised" % text, text, u32(2**32 - 1), "EOF", 4,
               "under a raised cap the largest claim does not fit", bytes=2**32 - 1)
        accept("%s-low-cap" % text, text, run("abcd"), "a run at its cap", bytes=4)
        reject("%s-past-low-cap" % text, text, run("abcde"), "LIMIT", 0, "a run above its cap", bytes=4)
        reject("%s-cap-then-fit" % text, text, u32(5) + b"ab", "LIMIT", 0, "the cap before the fit",
               bytes=4)
        accept("%s-zero-cap" % text, text, u32(0), "nothing under a cap of nothing", bytes=0)
        accept("%s-count-cap" % text, text, run("abcd"), "the count cap is not about runs", count=0)
    accept("bytes-any", "bytes", run(b"\xff\xfe\xc0\x80"), "a byte run is not text")
    for name, text, at, note in (
            ("lone-continuation", b"\x80", 4, "a continuation byte without a lead"),
            ("ff", b"abc\xff", 7, "no sequence begins with FF"),
            ("overlong", b"\xc0\x80", 4, "NUL in two bytes"),
            ("surrogate", b"ab\xed\xa0\x80cd", 6, "a surrogate"),
            ("surrogate-pair", b"\xed\xa0\x80\xed\xb0\x80", 4, "a surrogate pair is not a character"),
            ("past-the-end", b"\xf4\x90\x80\x80", 4, "beyond U+10FFFF"),
            ("cut", b"\xe6\x97\xa5\xe6\x9c", 7, "the lead byte of the sequence that does not end"),
            ("long", b"a" * 70 + b"\xe2\x28\xa1", 74, "far into a long string")):
        reject("utf8-" + name, "str", run(text), "UTF8", at, note)
    reject("utf8-after-fit", "str", u32(4) + b"\xff\xff", "EOF", 4, "the fit before UTF-8")
    reject("utf8-whole-run-only", "struct{a:str,b:str,}", run(b"\xc3") + run(b"\xa9"), "UTF8", 4,
           "a string is UTF-8 by itself")
    for name, text in (("nul", "\0"), ("bom", "\ufeffa"), ("noncharacter", "\uffff\U0010ffff"),
                       ("control", "\x1b[31m\u202e\n")):
        accept("utf8-" + name, "str", run(text), "any UTF-8 is a string")

    # Lists.
    accept("list-empty", "list{u64}", u32(0), "no elements")
    for size in range(4):
        reject("list-word-%d" % size, "list{u8}", b"\1\0\0"[:size], "EOF", 0, "the count is short")
    reject("list-at-cap", "list{u8}", u32(16_777_216) + b"\0\0", "EOF", 0,
           "a count at the cap that does not fit points at the count")
    reject("list-past-cap", "list{u8}", u32(16_777_217), "LIMIT", 0, "one above the default cap")
    reject("list-top-raised", "list{u64}", u32(2**32 - 1) + u64(0), "EOF", 0,
           "under a raised cap the largest count does not fit", count=2**32 - 1)
    accept("list-low-cap", "list{u8}", u32(3) + b"\1\2\3", "a count at its cap", count=3)
    reject("list-past-low-cap", "list{u8}", u32(3) + b"\1\2\3", "LIMIT", 0, "a count above its cap",
           count=2)
    reject("list-cap-then-fit", "list{u8}", u32(3), "LIMIT", 0, "the cap before the fit", count=2)
    reject("list-inner-cap", "list{list{u8}}", Bytes(u32(2)) + u32(0) + u32(3) + b"\1\2\3", "LIMIT", 8,
           "every count is under the cap", count=2)
    accept("list-bytes-cap", "list{u8}", u32(3) + b"\1\2\3", "the byte cap is not about lists", bytes=0)
    for name, text, smallest in (
            ("u64", "u64", 8), ("str", "str", 4), ("bytes", "bytes", 4), ("list", "list{u64}", 4),
            ("optional", "optional{u64}", 1), ("dict", "dict{u64}", 4), ("bf16", "bf16", 2),
            ("struct", "struct{a:u8,b:str,c:optional{f64},}", 6), ("tensors", "tensors", 64),
            ("nested", "struct{a:struct{b:u16,},c:struct{},}", 2)):
        reject("fit-%s" % name, "list{%s}" % text, u32(2) + bytes(2 * smallest - 1), "EOF", 0,
               "two elements need %d bytes at least" % (2 * smallest))
    accept("fit-str-exact", "list{str}", u32(2) + bytes(8), "two empty strings fit exactly")
    accept("fit-optional-exact", "list{optional{u64}}", u32(3) + bytes(3), "three absent values fit exactly")
    accept("fit-list-exact", "list{list{u64}}", u32(2) + bytes(8), "two empty lists fit exactly")
    reject("fit-passes-then-element", "list{str}", Bytes(u32(2)) + run("abcd") + b"", "EOF", 12,
           "the count fits at its smallest; the second element is short")
    reject("fit-passes-then-run", "list{str}", Bytes(u32(2)) + run("") + u32(3) + b"ab", "EOF", 12,
           "a run inside an element is short")
    reject("fit-inner-count", "list{list{u32}}", Bytes(u32(2)) + u32(0) + u32(2) + u32(7), "EOF", 8,
           "an inner count that cannot fit points at itself")
    reject("list-trailing", "list{u8}", u32(1) + b"\1\2", "TRAILING", 5, "one byte left over")
    accept("list-of-structs", "list{struct{a:u8,b:u16,}}", u32(2) + b"\1\2\0\3\4\0", "no padding")

    # Optionals.
    accept("optional-absent", "optional{u64}", b"\0", "absent is one byte")
    accept("optional-present", "optional{u64}", b"\1" + u64(5), "present, then the value")
    reject("optional-empty", "optional{u64}", b"", "EOF", 0, "the presence byte is short")
    for byte in (2, 128, 255):
        reject("optional-%d" % byte, "optional{u64}", u8(byte), "TYPE", 0, "a presence byte is 0 or 1")
    reject("optional-short", "optional{u64}", b"\1" + b"\0" * 7, "EOF", 1, "the value is short")
    reject("optional-absent-trailing", "optional{u8}", b"\0\0", "TRAILING", 1, "an absent value has no bytes")
    accept("optional-twice-outer", "optional{optional{u8}}", b"\0", "absent outside")
    accept("optional-twice-inner", "optional{optional{u8}}", b"\1\0", "present, and absent inside")
    reject("optional-twice-bad", "optional{optional{u8}}", b"\1\2", "TYPE", 1, "the inner presence byte")
    accept("optional-empty-struct", "optional{struct{}}", b"\1", "a value of no bytes")

    # Dicts.
    def pairs(*items):
        data = Bytes(u32(len(items)))
        for key, value in items:
            data = data + run(key) + value
        return data

    accept("dict-empty", "dict{u8}", u32(0), "no pairs")
    accept("dict-one", "dict{u8}", pairs(("k", b"\7")), "a key, then its value")
    for name, keys in (
            ("prefix", ("", "a", "aa", "ab", "b")), ("upper-lower", ("Z", "a")),
            ("nul", ("", "\0", "\0\0")), ("length", ("aaaa", "b")), ("unsigned", ("\x7f", "\u0080")),
            ("bytes-not-utf16", ("\uffff", "\U00010000"))):
        accept("dict-order-" + name, "dict{u8}", pairs(*((key, b"\1") for key in keys)),
               "keys ascend by their UTF-8 bytes")
    for name, keys, at in (
            ("descending", ("b", "a"), 10), ("same", ("a", "a"), 10), ("same-empty", ("", ""), 9),
            ("prefix-last", ("aa", "a"), 11), ("lower-upper", ("a", "Z"), 10),
            ("utf16-order", ("\U00010000", "\uffff"), 13), ("signed", ("\u0080", "\x7f"), 11),
            ("third", ("a", "c", "b"), 16), ("back-to-first", ("a", "b", "a"), 16)):
        reject("dict-order-" + name, "dict{u8}", pairs(*((key, b"\1") for key in keys)), "TYPE", at,
               "the length word of the key that does not ascend")
    for size in range(4):
        reject("dict-word-%d" % size, "dict{u8}", b"\1\0\0"[:size], "EOF", 0, "the count is short")
    reject("dict-past-cap", "dict{u8}", u32(16_777_217), "LIMIT", 0, "one above the default cap")
    reject("dict-at-cap", "dict{u8}", u32(16_777_216), "EOF", 0, "a count at the cap that does not fit")
    reject("dict-low-cap", "dict{u8}", pairs(("a", b"\1"), ("b", b"\2")), "LIMIT", 0,
           "a count above its cap", count=1)
    reject("dict-fit", "dict{u32}", u32(2) + bytes(15), "EOF", 0, "a pair is 4 bytes and the value's")
    reject("dict-fit-optional", "dict{optional{u32}}", u32(2) + bytes(9), "EOF", 0,
           "a pair is 4 bytes and a presence byte")
    accept("dict-fit-exact", "dict{u32}", u32(1) + bytes(8), "one empty key fits exactly")
    reject("dict-key-word", "dict{u8}", Bytes(u32(2)) + run("abc") + b"\1" + b"\0\0", "EOF", 12,
           "the length word of a later key is short")
    reject("dict-key-short", "dict{u8}", Bytes(u32(1)) + u32(9) + b"abc", "EOF", 8, "a key is short")
    reject("dict-value-absent", "dict{u8}", Bytes(u32(1)) + run("a"), "EOF", 9,
           "five bytes are enough for the smallest pair; the key takes them all")
    reject("dict-value-short", "dict{u32}", Bytes(u32(1)) + run("abcd") + b"", "EOF", 12,
           "the key took what the count left for the value")
    reject("dict-key-cap", "dict{u8}", pairs(("abc", b"\1")), "LIMIT", 4, "a key above the byte cap",
           bytes=2)
    accept("dict-key-low-cap", "dict{u8}", pairs(("ab", b"\1")), "a key at the byte cap", bytes=2)
    reject("dict-key-cap-then-fit", "dict{u8}", Bytes(u32(1)) + u32(2**24 + 1) + b"a", "LIMIT", 4,
           "the cap of a key before its fit")
    reject("dict-key-utf8", "dict{u8}", pairs((b"a\xff", b"\1")), "UTF8", 9, "a key is UTF-8")
    reject("dict-key-fit-then-utf8", "dict{u8}", Bytes(u32(1)) + u32(3) + b"\xff\1", "EOF", 8,
           "the fit of a key before its UTF-8")
    reject("dict-key-utf8-then-order", "dict{u8}", pairs(("b", b"\1"), (b"a\xff", b"\1")), "UTF8", 15,
           "UTF-8 of a key before its order")
    reject("dict-key-order-then-value", "dict{bool}", pairs(("b", b"\1"), ("a", b"\2")), "TYPE", 10,
           "the order of a key before its value")
    reject("dict-value-then-next-key", "dict{bool}", pairs(("b", b"\2"), ("a", b"\1")), "TYPE", 9,
           "a value before the key that follows it")
    reject("dict-value", "dict{bool}", pairs(("a", b"\2")), "TYPE", 9, "a bad value")
    reject("dict-trailing", "dict{u8}", pairs(("a", b"\1")) + b"\0", "TRAILING", 10, "one byte left over")
    accept("dict-nested", "dict{dict{u8}}", pairs(("x", pairs(("a", b"\1")).data), ("y", u32(0))),
           "a dict of dicts; each orders its own keys")
    reject("dict-nested-order", "dict{dict{u8}}",
           pairs(("x", pairs(("b", b"\1"), ("a", b"\1")).data)), "TYPE", 19, "the inner dict's order")

    # Structs.
    accept("struct-empty", "struct{}", b"", "no fields, no bytes")
    reject("struct-empty-trailing", "struct{}", b"\0", "TRAILING", 0, "no fields, one byte")
    accept("struct-nested", "struct{a:struct{b:u8,c:struct{},},d:u16,}", b"\1\2\3", "no padding anywhere")
    reject("struct-short", "struct{a:u16,b:u32,}", b"\1\2\3\4\5", "EOF", 2, "the field that is short")
    reject("struct-at-border", "struct{a:u16,b:u32,}", b"\1\2", "EOF", 2, "the field that is absent")
    accept("struct-tuple", "struct{0:u8,1:u8,}", b"\1\2", "a tuple's fields are named by number")
    accept("struct-names", "struct{\u65e5 x:u8,type:u8,u8:u8,}", b"\1\2\3",
           "a name is any UTF-8 without braces, colon, comma and NUL")
    reject("struct-unaligned", "struct{a:u8,b:u64,c:bool,}", b"\1" + u64(2) + b"\2", "TYPE", 9,
           "fields follow each other without padding")

    # Directories inside values.
    head = u64(7)
    tail = run("end")
    plain = small()
    end = 8 + len(plain)
    accept("in-struct", IN_STRUCT, Bytes(head) + plain + tail, "the next field starts at the block's end")
    accept("in-struct-last", FRAMED, Bytes(head) + plain, "a directory as the last field")
    accept("in-struct-unaligned", "struct{s:str,t:tensors,b:u8,}", Bytes(run("x")) + plain + b"\1",
           "offsets count from the directory, wherever it lies")
    accept("in-list", "list{tensors}", Bytes(u32(2)) + plain + header(), "directories one after another")
    accept("in-optional", "optional{tensors}", Bytes(b"\1") + plain, "a directory that is present")
    accept("in-dict", "dict{tensors}", pairs(("a", header()), ("b", plain.data)), "directories by name")
    accept("in-struct-twice", "struct{a:tensors,b:tensors,}", Bytes(header()) + plain,
           "two directories, no padding between them")
    for rule, code, at, data, note in (
            ("1a", "EOF", 0, Bytes(b"KLN"), "no room for the magic"),
            ("1b", "FRAME", 0, plain.put(0, b"KLN0"), "magic"),
            ("1c", "EOF", 0, plain.cut(60), "no room for the header"),
            ("2", "FRAME", 4, plain.header(version=3), "version"),
            ("3", "LIMIT", 8, plain.header(tensor_count=2**24 + 1), "count cap"),
            ("4a", "LIMIT", 8, plain.header(tensor_count=2**57), "product"),
            ("4b", "TYPE", 24, plain.header(directory_bytes=0), "sum"),
            ("5", "EOF", 64, plain.cut(300), "the directory is short"),
            ("6a", "LIMIT", 40, plain.header(payload_bytes=TOP), "end"),
            ("6b", "EOF", 330, plain.drop(1), "the block is short"),
            ("7a", "TYPE", 32, plain.header(payload_base=320), "payload_base"),
            ("7b", "TYPE", 331, plain.put(331, b"\1"), "padding"),
            ("8a", "FRAME", 69, plain.put(69, b"\1"), "reserved byte"),
            ("8b", "TYPE", d(1, "name_offset"), plain.descriptor(1, name_offset=4), "name"),
            ("8c", "TYPE", d(1, "block_size"), plain.descriptor(1, block_size=4), "block size"),
            ("8d", "TYPE", 329, plain.descriptor(1, name_len=6), "heap"),
            ("8e", "TYPE", 6, plain.header(flags=1), "names flag"),
            ("8f", "UTF8", 322, plain.put(322, b"\xff"), "name text"),
            ("8g", "TYPE", 321, block(T(U8, [0], name="a"), T(U8, [0], name="a")), "name twice"),
            ("9a", "TYPE", d(0, "dtype"), plain.descriptor(0, dtype=0), "dtype"),
            ("9b", "TYPE", d(1, "byte_offset"), plain.descriptor(1, byte_offset=386), "overlap"),
            ("10a", "TYPE", d(1, "byte_offset"), plain.descriptor(1, byte_offset=440), "placement"),
            ("10b", "TYPE", 40, plain.header(payload_bytes=73).more(b"\0"), "payload_bytes"),
            ("10c", "TYPE", 400, plain.put(400, b"\1"), "gap"),
            ("11a", "TYPE", 192, block(T(BOOL, [1], b"\2")), "bool byte"),
            ("11b", "TYPE", d(1, "axis"), plain.descriptor(1, axis=1), "link")):
        caps = {"count": TOP} if rule == "4a" else {}
        short = code == "EOF"
        reject("in-struct-" + rule, FRAMED if short else IN_STRUCT,
               Bytes(head) + data + (b"" if short else tail), code, 8 + at,
               "an offset counts from the caller's buffer, and there is no step: " + note,
               rule=rule, **caps)
    reject("in-struct-trailing", FRAMED, Bytes(head) + plain + b"\0", "TRAILING", end,
           "left-over bytes are the value's, not the directory's")
    reject("in-struct-tail-short", IN_STRUCT, Bytes(head) + plain + u32(3) + b"en", "EOF", end + 4,
           "the field after a directory is short")
    reject("in-struct-tail-absent", IN_STRUCT, Bytes(head) + plain, "EOF", end,
           "the field after a directory is absent")
    reject("in-struct-swallows-tail", IN_STRUCT,
           Bytes(head) + plain.header(payload_bytes=len(plain) - 384 + 7) + tail, "TYPE", 8 + 40,
           "a block that claims the next field's bytes", rule="10b")
    reject("in-struct-range-in-tail", IN_STRUCT, Bytes(head) + plain.descriptor(1, byte_offset=455) + tail,
           "TYPE", 8 + d(1, "byte_offset"), "a payload inside the buffer and outside the block", rule="9a")
    reject("in-list-second", "list{tensors}", Bytes(u32(2)) + plain + header(version=1), "FRAME",
           4 + len(plain) + 4, "the second directory", rule="2")
    reject("in-list-second-short", "list{tensors}", Bytes(u32(2)) + plain + header()[:63], "EOF",
           4 + len(plain), "the second directory's header is short", rule="1c")
    reject("in-optional-magic", "optional{tensors}", b"\1KLNX", "FRAME", 1, "magic", rule="1b")
    reject("in-dict-utf8", "dict{tensors}",
           Bytes(u32(1)) + run("k") + block(T(U8, [0], name=b"n\x80")), "UTF8", 9 + 193,
           "a name in a directory in a dict", rule="8f")
    reject("in-list-of-structs", "list{struct{k:u8,t:tensors,}}",
           Bytes(u32(2)) + b"\1" + header() + b"\2" + block(T(BOOL, [2], b"\1\2")), "TYPE",
           4 + 65 + 1 + 193, "a bool byte of the second record", rule="11a")
    reject("in-struct-low-count", FRAMED, Bytes(head) + plain, "LIMIT", 8 + 8,
           "the count cap holds for embedded directories", rule="3", count=1)
    reject("in-struct-low-bytes", FRAMED, Bytes(head) + plain, "LIMIT", 8 + 16,
           "the byte cap holds for embedded directories", rule="3", bytes=9)
    accept("in-struct-caps", FRAMED, Bytes(head) + plain, "both caps reached", count=2, bytes=10)

    # Depth. Of each container, sixty-four are entered and the sixty-fifth is not.
    empty = u32(0)
    deep = "sixty-four containers"
    over = "the sixty-fifth container, before its bytes are looked at"
    accept("depth-list-64", nested("list", 64, "u8"), u32(1) * 63 + empty, deep)
    reject("depth-list-65", nested("list", 65, "u8"), u32(1) * 64 + u32(2**32 - 1), "LIMIT", 256, over)
    accept("depth-list-65-unentered", nested("list", 65, "u8"), u32(1) * 63 + empty,
           "a list without elements enters none")
    accept("depth-optional-64", nested("optional", 64, "bool"), b"\1" * 64 + b"\1", deep)
    reject("depth-optional-65", nested("optional", 65, "bool"), b"\1" * 64 + b"\2", "LIMIT", 64, over)
    reject("depth-optional-65-eof", nested("optional", 65, "bool"), b"\1" * 64, "LIMIT", 64,
           "a depth error comes before the presence byte is missed")
    reject("depth-optional-65-absent", nested("optional", 65, "bool"), b"\1" * 64 + b"\0", "LIMIT", 64,
           "an absent value too is a container that is entered")
    accept("depth-optional-64-absent", nested("optional", 65, "bool"), b"\1" * 63 + b"\0",
           "an absent optional adds one and no more")
    accept("depth-struct-64", nested("struct", 64, "u8"), b"\7", deep)
    reject("depth-struct-65", nested("struct", 65, "u8"), b"\7", "LIMIT", 0, over)
    reject("depth-struct-65-eof", nested("struct", 65, "u8"), b"", "LIMIT", 0,
           "a depth error comes before the scalar is missed")
    reject("depth-struct-65-fields", "struct{x:u16,y:%s,}" % nested("struct", 64, "u8"), b"\1\2\3",
           "LIMIT", 2, "the fields before it are read")
    reject("depth-struct-65-no-fields", nested("struct", 64, "struct{}"), b"", "LIMIT", 0,
           "a struct without fields is a container")
    accept("depth-struct-64-no-fields", nested("struct", 63, "struct{}"), b"",
           "a struct without fields is a container")
    accept("depth-dict-64", nested("dict", 64, "u8"), (u32(1) + empty) * 63 + empty, deep)
    reject("depth-dict-65", nested("dict", 65, "u8"), (u32(1) + empty) * 64 + u32(2**32 - 1), "LIMIT",
           512, over)
    accept("depth-tensors-64", nested("optional", 63, "tensors"), b"\1" * 63 + header(), deep)
    reject("depth-tensors-65", nested("optional", 64, "tensors"), b"\1" * 64 + header(), "LIMIT", 64, over)
    reject("depth-tensors-65-magic", nested("optional", 64, "tensors"), b"\1" * 64 + b"KLN0", "LIMIT", 64,
           "a depth error comes before step 1")
    reject("depth-tensors-65-eof", nested("struct", 64, "tensors"), b"", "LIMIT", 0,
           "a depth error comes before step 1")
    accept("depth-scalars-inside", nested("list", 64, "str"), u32(1) * 64 + run("x"),
           "scalars and strings are no containers")
    reject("depth-mixed-65", "list{optional{struct{a:dict{%s},}}}" % nested("list", 61, "u8"),
           u32(1) + b"\1" + u32(1) + empty + u32(1) * 60 + empty, "LIMIT", 4 + 1 + 8 + 240,
           "containers of every kind count alike")
    accept("depth-mixed-64", "list{optional{struct{a:dict{%s},}}}" % nested("list", 60, "u8"),
           u32(1) + b"\1" + u32(1) + empty + u32(1) * 59 + empty, "containers of every kind count alike")
    reject("depth-second-branch", "struct{a:%s,b:%s,}" % (nested("optional", 63, "u8"),
                                                         nested("optional", 64, "u8")),
           b"\1" * 63 + b"\5" + b"\1" * 64 + b"\5", "LIMIT", 64 + 63,
           "depth is counted along one path, not over all of them")
    reject("depth-not-a-cap", nested("optional", 65, "bool"), b"\1" * 66, "LIMIT", 64,
           "raising the caps does not raise the depth", count=TOP, bytes=TOP)
    reject("depth-65-of-500", nested("optional", 500, "u8"), b"\1" * 501, "LIMIT", 64,
           "a type far deeper than any value may be")


# ---- Frames -----------------------------------------------------------------------------------

def cases_frames(f):
    def reject(name, text, data, code, at, note, **more):
        f.reject("frame-" + name, text, data, code, at, note, framed=True, **more)

    def accept(name, text, data, note, **caps):
        f.accept("frame-" + name, text, data, note, framed=True, **caps)

    good = frame("u16") + u16(7)

    for size in range(4):
        reject("short-%d" % size, "u16", good.cut(size), "EOF", 0, "fewer than four bytes")
    reject("short-wrong", "u16", b"\xff\xff\xff", "EOF", 0, "fewer than four bytes, whatever they are")
    for size in (4, 5, 7, 8, 12, 15):
        reject("short-%d" % size, "u16", good.cut(size), "EOF", 0, "fewer than sixteen bytes")
    for at in range(4):
        reject("magic-%d" % at, "u16", good.put(at, b"\0"), "FRAME", 0,
               "a wrong magic points at its first byte")
    reject("magic-directory", "tensors", header(), "FRAME", 0, "a bare directory is not framed")
    reject("magic-short", "u16", b"KLN1", "FRAME", 0, "a wrong magic comes before the length")
    reject("magic-alone", "u16", b"KLNT\0\0\1\0", "FRAME", 0, "a wrong magic comes before the length")
    reject("bare", "u64", u64(7) + u64(0), "FRAME", 0, "a bare value is not framed")

    for profile in (1, 2, 3, 4, 5, 0x0100, 0xFFFF):
        reject("profile-%d" % profile, "u16", frame("u16", profile=profile) + u16(7), "FRAME", 4,
               "profile 0 is the only one that is read")
    for flags in (0, 2, 3, 0x81, 0xFE):
        reject("flags-%d" % flags, "u16", frame("u16", flags=flags) + u16(7), "FRAME", 6,
               "the little-endian bit is set, and no other")
    for byte in (1, 0x80, 0xFF):
        reject("reserved-%d" % byte, "u16", frame("u16", reserved=byte) + u16(7), "FRAME", 7,
               "the reserved byte is 0")
    for at in range(8, 16):
        reject("hash-%d" % at, "u16", good.put(at, u8(good.data[at] ^ 1)), "SCHEMA", 8,
               "every byte of the hash counts; a wrong hash points at its first byte")
    for name, text, other in (
            ("sign", "u16", "i16"), ("bf16", "bf16", "f16"), ("float", "f32", "u32"),
            ("bool", "bool", "u8"), ("text", "bytes", "str"), ("bytes", "bytes", "list{u8}"),
            ("field-name", "struct{a:u8,}", "struct{b:u8,}"), ("wrapped", "struct{a:u8,}", "u8"),
            ("field-order", "struct{a:u8,b:i8,}", "struct{b:i8,a:u8,}"),
            ("nesting", "struct{a:u8,b:struct{c:u8,},}", "struct{a:u8,b:u8,c:u8,}")):
        reject("other-" + name, text, frame(other) + bytes(4), "SCHEMA", 8,
               "the hash of a type with the same bytes")
    reject("hash-of-nothing", "struct{}", frame("struct{}", schema=14695981039346656037), "SCHEMA", 8,
           "the offset basis alone")
    reject("hash-zero", "u16", frame("u16", schema=0) + u16(7), "SCHEMA", 8, "no hash")
    joined = 14695981039346656037
    for byte in b"u16":
        joined = (joined ^ byte) * 1099511628211 % 2**64
    reject("hash-without-zero-byte", "u16", frame("u16", schema=joined) + u16(7), "SCHEMA", 8,
           "a zero byte follows each token, the last too")

    reject("order-magic", "u16", frame("u16", magic=b"KLNT", profile=1, flags=0, reserved=1, schema=0),
           "FRAME", 0, "magic first")
    reject("order-length", "u16", frame("u16", profile=1, flags=0, reserved=1).cut(15), "EOF", 0,
           "the length before the profile")
    reject("order-profile", "u16", frame("u16", profile=1, flags=0, reserved=1, schema=0), "FRAME", 4,
           "the profile before the flags")
    reject("order-flags", "u16", frame("u16", flags=0, reserved=1, schema=0), "FRAME", 6,
           "the flags before the reserved byte")
    reject("order-reserved", "u16", frame("u16", reserved=1, schema=0), "FRAME", 7,
           "the reserved byte before the hash")
    reject("order-hash", "u16", frame("u16", schema=0), "SCHEMA", 8, "the hash before the value")
    reject("order-value", "bool", frame("bool") + b"\2\0", "TYPE", 16, "the value before what is left over")

    # Values inside a frame.
    for text in ("bool", "u8", "u16", "u32", "u64", "i8", "i16", "i32", "i64", "f16", "bf16", "f32", "f64"):
        width = {"bool": 1, "8": 1, "16": 2, "32": 4, "64": 8}[text if text == "bool" else text.strip("uifb")]
        accept(text, text, frame(text) + b"\1" * width, "the hash of a one-token type")
    accept("str", "str", frame("str") + run("x"), "the hash of a one-token type")
    accept("bytes", "bytes", frame("bytes") + run("x"), "the hash of a one-token type")
    accept("tensors", "tensors", frame("tensors") + header(), "the hash of a one-token type")
    for text, data in (("list{u8}", u32(0)), ("optional{u8}", b"\0"), ("dict{u8}", u32(0)),
                       ("list{list{optional{u8}}}", u32(0)), ("dict{struct{a:u8,}}", u32(0)),
                       ("struct{0:u8,1:i8,}", b"\1\2"), ("struct{\u65e5 x:u8,}", b"\1")):
        accept("type-" + text, text, frame(text) + data, "the hash is over the tokens of the type text")
    accept("struct-empty", "struct{}", frame("struct{}"), "sixteen bytes and no value")
    accept("worked", FRAMED, frame(FRAMED, schema=0xE58AADC7552F0D82) + u64(1) + header(),
           "the worked schema hash")
    reject("value-absent", "u16", frame("u16"), "EOF", 16, "a frame and no value")
    reject("value-short", "u16", frame("u16") + b"\1", "EOF", 16, "offsets count from the frame")
    reject("value-utf8", "str", frame("str") + run(b"ab\xff"), "UTF8", 22, "offsets count from the frame")
    reject("value-count", "list{u8}", frame("list{u8}") + u32(2) + b"\1", "EOF", 16,
           "offsets count from the frame")
    reject("value-key", "dict{u8}", frame("dict{u8}") + u32(2) + run("b") + b"\1" + run("a") + b"\1",
           "TYPE", 26, "offsets count from the frame")
    reject("value-cap", "list{u8}", frame("list{u8}") + u32(2) + b"\1\2", "LIMIT", 16,
           "caps hold inside a frame", count=1)
    reject("trailing", "u16", good + b"\0", "TRAILING", 18, "left over after the value")
    reject("trailing-second-frame", "u16", good + good, "TRAILING", 18, "a frame holds one value")
    reject("trailing-empty", "struct{}", frame("struct{}") + b"\0", "TRAILING", 16, "no value, one byte")
    text = nested("optional", 64, "u8")
    accept("depth-64", text, frame(text) + b"\1" * 65, "a frame is no container")
    text = nested("optional", 65, "u8")
    reject("depth-65", text, frame(text) + b"\1" * 66, "LIMIT", 80, "a frame is no container")

    # Framed directories: they stand alone, have steps, and offsets count from the frame.
    top = frame("tensors")
    accept("directory", "tensors", top + two(), "offsets in a directory count from the directory")
    for rule, code, at, data, note in (
            ("1a", "EOF", 0, Bytes(b"KL"), "no room for the magic"),
            ("1b", "FRAME", 0, Bytes(b"KLN0"), "a frame in a frame"),
            ("1c", "EOF", 0, Bytes(header()).cut(63), "no room for the header"),
            ("2", "FRAME", 6, one().header(flags=5), "unknown flag"),
            ("3", "LIMIT", 8, Bytes(header(tensor_count=2**24 + 1)), "count cap"),
            ("4b", "TYPE", 24, one().header(directory_bytes=1), "sum"),
            ("5", "EOF", 64, one().cut(191), "the directory is short"),
            ("6b", "EOF", 192, one().cut(199), "the block is short"),
            ("7b", "TYPE", 323, two().put(323, b"\1"), "padding"),
            ("8f", "UTF8", 321, two().put(321, b"\xff"), "name text"),
            ("9a", "TYPE", 64, one().descriptor(0, dtype=99), "dtype"),
            ("10c", "TYPE", 400, two().put(400, b"\1"), "gap"),
            ("11a", "TYPE", 192, block(T(BOOL, [1], b"\2")), "bool byte"),
            ("12", "TRAILING", 200, one().more(b"\0"), "a framed directory stands alone")):
        reject("directory-" + rule, "tensors", top + data, code, 16 + at,
               "a framed directory has steps; offsets count from the frame: " + note, rule=rule)
    reject("directory-absent", "tensors", top, "EOF", 16, "a frame and no directory", rule="1a")
    reject("directory-hash", "tensors", frame("u8") + header(version=9), "SCHEMA", 8,
           "a fault of the frame has no step")
    reject("directory-in-struct", FRAMED, frame(FRAMED) + u64(1) + header(flags=0), "FRAME", 16 + 8 + 6,
           "frame, field and directory", rule="2")
    reject("directory-in-struct-trailing", FRAMED, frame(FRAMED) + u64(1) + header() + b"\0", "TRAILING",
           16 + 8 + 64, "the value's left-over byte")


# ---- Several faults at once -------------------------------------------------------------------

def crowded():
    """A block in which every rule can be broken beside every other.

    Heap "abcLM" at 576, directory end 581, payloads at 640, 704, 768 and 832, end 836.
    """
    return block(T(BOOL, [3], b"\1\0\1", name="a"),
                 T(I8, [4], b"\1\2\3\4", name="b", scheme=1, axis=0, group=2, scale=2),
                 T(F32, [2], f32(ONE, TWO), name="c"),
                 T(OPAQUE, [2], b"\5\6\7\x08", layout="LM", block=2))


def flip(b, bits):
    return b.header(flags=number_of(b.data[6:8]) ^ bits)


# Rule, name, code, offset and damage, in the order in which they win; a number is a length to cut the
# block to. Inside a step, the rule that comes later is broken in an earlier descriptor wherever that
# is possible, so that a reader that walks descriptor by descriptor is found out.
FAULTS = (
    ("1a", "short-magic", "EOF", 0, 3),
    ("1b", "magic", "FRAME", 0, lambda b: b.put(0, b"KLN0")),
    ("1c", "short-header", "EOF", 0, 63),
    ("2", "version", "FRAME", 4, lambda b: b.header(version=3)),
    ("2", "unknown-flag", "FRAME", 6, lambda b: flip(b, 4)),
    ("2", "endian-flag", "FRAME", 6, lambda b: flip(b, 1)),
    ("2", "reserved", "FRAME", 50, lambda b: b.put(50, b"\1")),
    ("3", "count", "LIMIT", 8, lambda b: b.header(tensor_count=2**24 + 1)),
    ("3", "names", "LIMIT", 16, lambda b: b.header(name_bytes=TOP)),
    ("4a", "sum-overflow", "LIMIT", 8, lambda b: b.header(name_bytes=TOP)),
    ("4b", "directory-bytes", "TYPE", 24, lambda b: b.header(directory_bytes=1)),
    ("5", "short-directory", "EOF", 64, 575),
    ("6a", "end-overflow", "LIMIT", 40, lambda b: b.header(payload_bytes=TOP)),
    ("6b", "short-block", "EOF", 581, 640),
    ("7a", "payload-base", "TYPE", 32, lambda b: b.header(payload_base=576)),
    ("7b", "padding", "TYPE", 600, lambda b: b.put(600, b"\1")),
    ("8a", "reserved-byte", "FRAME", d(3, "reserved_b") + 7, lambda b: b.put(d(3, "reserved_b") + 7, b"\1")),
    ("8b", "name-offset", "TYPE", d(2, "name_offset"), lambda b: b.descriptor(2, name_offset=1)),
    ("8b", "name-leaves", "TYPE", d(2, "name_len"), lambda b: b.descriptor(2, name_len=9)),
    ("8c", "layout-presence", "TYPE", d(1, "layout_len"), lambda b: b.descriptor(1, layout_len=1)),
    ("8c", "block-size", "TYPE", d(1, "block_size"), lambda b: b.descriptor(1, block_size=1)),
    ("8c", "layout-offset", "TYPE", d(3, "layout_offset"), lambda b: b.descriptor(3, layout_offset=9)),
    ("8c", "layout-leaves", "TYPE", d(3, "layout_len"), lambda b: b.descriptor(3, layout_len=9)),
    ("8d", "unused-heap", "TYPE", 580, lambda b: b.descriptor(3, layout_len=1)),
    ("8e", "names-flag", "TYPE", 6, lambda b: flip(b, 2)),
    ("8f", "name-text", "UTF8", 578, lambda b: b.put(578, b"\xff")),
    ("8f", "layout-text", "UTF8", 579, lambda b: b.put(579, b"\xff")),
    ("8g", "name-twice", "TYPE", 577, lambda b: b.put(577, b"a")),
    ("9a", "dtype", "TYPE", d(2, "dtype"), lambda b: b.descriptor(2, dtype=20)),
    ("9a", "rank", "TYPE", d(2, "rank"), lambda b: b.descriptor(2, rank=9)),
    ("9a", "slot", "TYPE", d(2, "shape7"), lambda b: b.descriptor(2, shape7=1)),
    ("9a", "shape-overflow", "LIMIT", d(2, "shape0"), lambda b: b.descriptor(2, shape0=2**62)),
    ("9a", "byte-len", "TYPE", d(2, "byte_len"), lambda b: b.descriptor(2, byte_len=9)),
    ("9a", "range", "TYPE", d(2, "byte_offset"), lambda b: b.descriptor(2, byte_offset=0)),
    ("9a", "next-descriptor", "TYPE", d(3, "byte_len"), lambda b: b.descriptor(3, byte_len=3)),
    ("9b", "overlap", "TYPE", d(1, "byte_offset"), lambda b: b.descriptor(1, byte_offset=642)),
    ("10a", "placement", "TYPE", d(0, "byte_offset"), lambda b: b.descriptor(0, byte_offset=641)),
    ("10b", "payload-bytes", "TYPE", 40, lambda b: b.header(payload_bytes=197).more(b"\0")),
    ("10c", "gap", "TYPE", 700, lambda b: b.put(700, b"\1")),
    ("11a", "bool", "TYPE", 641, lambda b: b.put(641, b"\2")),
    ("11b", "scheme", "TYPE", d(0, "scheme"), lambda b: b.descriptor(0, scheme=3)),
    ("11b", "axis", "TYPE", d(0, "axis"), lambda b: b.descriptor(0, axis=1)),
    ("11b", "group", "TYPE", d(0, "group_size"), lambda b: b.descriptor(0, group_size=1)),
    ("11b", "scale", "TYPE", d(0, "scale_index"), lambda b: b.descriptor(0, scale_index=1)),
    ("11b", "outer", "TYPE", d(0, "outer_index"), lambda b: b.descriptor(0, outer_index=1)),
    ("12", "trailing", "TRAILING", 836, lambda b: b.more(b"\0")),
)


def damaged(faults):
    """The crowded block with these faults. Where two want one field, the earlier has it."""
    b = crowded()
    for *_, damage in reversed(faults):
        if callable(damage):
            b = damage(b)
    sizes = [damage for *_, damage in faults if not callable(damage)]
    return b.cut(min(sizes)) if sizes else b


def cases_order(f):
    f.accept("order-none", "tensors", crowded(), "the block that the following cases damage")
    for i, (rule, name, code, at, _) in enumerate(FAULTS):
        caps = {"bytes": TOP} if rule == "4a" else {}

        def reject(kind, faults, note):
            f.reject("order-%s-%s" % (kind, name), "tensors", damaged(faults), code, at, note,
                     rule=rule, **caps)

        reject("only", FAULTS[i:i + 1], "this fault alone")
        if i + 1 < len(FAULTS):
            reject("next", FAULTS[i:i + 2], "and the one after it: " + FAULTS[i + 1][1])
        if i + 2 < len(FAULTS):
            reject("rest", FAULTS[i:], "and every one after it")

    # Rules that meet only across descriptors or in other blocks.
    def reject(name, data, code, at, note, rule, text="tensors", **more):
        f.reject("order-" + name, text, data, code, at, note, rule=rule, **more)

    reject("8a-late-8b-early", two().put(d(1, "reserved_a"), b"\1").descriptor(0, name_offset=1), "FRAME",
           d(1, "reserved_a"), "a letter runs over all descriptors before the next letter", "8a")
    reject("8b-late-8c-early", two().descriptor(1, name_offset=9).descriptor(0, block_size=1), "TYPE",
           d(1, "name_offset"), "a letter runs over all descriptors before the next letter", "8b")
    reject("8c-late-9a-early", two().descriptor(1, block_size=1).descriptor(0, dtype=0), "TYPE",
           d(1, "block_size"), "a letter runs over all descriptors before the next letter", "8c")
    reject("8f-late-8g-early", block(T(U8, [0], name="a"), T(U8, [0], name="a"), T(U8, [0], name=b"\xff")),
           "UTF8", 64 + 3 * 128 + 2, "all names are read as text before two are compared", "8f")
    reject("8f-same-bad-names", block(T(U8, [0], name=b"\xff"), T(U8, [0], name=b"\xff")), "UTF8", 320,
           "names that are equal and not UTF-8", "8f")
    reject("8d-then-8f", block(T(U8, [0], name=b"\xff"), unused=b"\xff"), "TYPE", 193,
           "the heap's use before its text", "8d")
    reject("9a-early-range-late-dtype", two().descriptor(0, byte_offset=0).descriptor(1, dtype=0), "TYPE",
           d(0, "byte_offset"), "one descriptor wholly before the next", "9a")
    reject("9a-late-9b-early", three().descriptor(1, byte_offset=448).descriptor(2, rank=9), "TYPE",
           d(2, "rank"), "every descriptor before any overlap", "9a")
    reject("9b-late-10a-early", three().header(payload_bytes=256).descriptor(0, byte_offset=640)
           .descriptor(2, byte_offset=575).more(bytes(64)), "TYPE",
           d(2, "byte_offset"), "every overlap before any placement", "9b")
    reject("10a-late-10c-early", two().put(387, b"\1").descriptor(1, byte_offset=440), "TYPE",
           d(1, "byte_offset"), "every placement before any gap", "10a")
    reject("11a-late-11b-early", block(T(U8, [1], b"\1", scheme=3), T(BOOL, [1], b"\2")), "TYPE", 384,
           "all payload bits before any link", "11a")
    reject("11a-bool-or-nibble", block(T(U4, [1], b"\x10"), T(BOOL, [1], b"\2")), "TYPE", 320,
           "bools and nibbles in the order of the descriptors", "11a")
    reject("product-then-length", block(T(F64, [2**61])).descriptor(0, byte_len=1, byte_offset=0), "LIMIT",
           d(0, "shape0"), "an overflow before the length and the range", "9a")
    reject("rank-then-slots", one().descriptor(0, rank=255, shape7=TOP), "TYPE", d(0, "rank"),
           "a rank above 8 has no slots past it", "9a")
    reject("opaque-product-then-blocks",
           opaque().descriptor(0, rank=2, shape0=2**63, shape1=2, byte_len=3), "LIMIT", d(0, "shape0"),
           "an overflow before the blocks", "9a")
    reject("caps-both", Bytes(header(tensor_count=TOP, name_bytes=TOP)), "LIMIT", 8,
           "the count before the heap", "3")

    # Values: the fault that lies first is met first.
    def value(name, text, data, code, at, note, **more):
        f.reject("order-value-" + name, text, data, code, at, note, **more)

    value("fields", "struct{a:bool,b:str,c:u8,}", b"\2" + run(b"\xff"), "TYPE", 0, "the first field's fault")
    value("fields-then-end", "struct{a:u8,b:str,}", b"\1" + run(b"\xff") + b"\0", "UTF8", 5,
          "a field before what is left over")
    value("count-then-elements", "list{bool}", u32(5) + b"\2\2", "EOF", 0,
          "a count that cannot fit before its elements")
    value("cap-then-elements", "list{bool}", u32(3) + b"\2\2\2", "LIMIT", 0,
          "a count above the cap before its elements", count=2)
    value("elements-in-order", "list{str}", Bytes(u32(2)) + run(b"\xff") + u32(9), "UTF8", 8,
          "the first element's fault")
    value("presence-then-value", "optional{bool}", b"\2\2", "TYPE", 0, "the presence byte before the value")
    value("depth-then-count", nested("list", 65, "u8"), u32(1) * 64 + u32(9), "LIMIT", 256,
          "the depth before the count", count=1)
    value("directory-then-tail", IN_STRUCT, Bytes(u64(1)) + header(version=1) + run(b"\xff"), "FRAME", 12,
          "a directory's fault before the next field's", rule="2")
    value("field-then-directory", "struct{s:str,t:tensors,}", run(b"\xff") + header(version=1), "UTF8", 4,
          "a field's fault before the directory's")
    value("directory-payload-then-tail", IN_STRUCT,
          Bytes(u64(1)) + block(T(BOOL, [1], b"\2")) + u32(9), "TYPE", 8 + 192,
          "a payload's fault before the next field's", rule="11a")
    value("frame-then-directory", "tensors", frame("tensors", reserved=1) + header(version=1), "FRAME", 7,
          "a frame's fault before its value's", framed=True)


# ---- Hostile inputs ---------------------------------------------------------------------------

def cases_hostile(f):
    def reject(name, data, code, at, note, rule=None, text="tensors", **more):
        f.reject("hostile-" + name, text, data, code, at, note, rule=rule, **more)

    def accept(name, data, note, text="tensors", **more):
        f.accept("hostile-" + name, text, data, note, **more)

    # Sizes that wrap.
    note = "does count times size wrap?"
    reject("count-wraps", Bytes(header(tensor_count=2**57 + 1, directory_bytes=128)) + bytes(128),
           "LIMIT", 8, note, "4a", count=TOP, bytes=TOP)
    reject("count-wraps-to-one", one().header(tensor_count=2**57 + 1), "LIMIT", 8, note, "4a",
           count=TOP, bytes=TOP)
    reject("count-top", Bytes(header(tensor_count=TOP, directory_bytes=TOP - 127)), "LIMIT", 8, note, "4a",
           count=TOP, bytes=TOP)
    reject("sum-wraps", Bytes(header(tensor_count=1, name_bytes=TOP, directory_bytes=127)) + bytes(128),
           "LIMIT", 8, "does the sum of the parts wrap?", "4a", count=TOP, bytes=TOP)
    reject("shape-wraps", block(T(F32, [2**63, 4])), "LIMIT", d(0, "shape0"),
           "does the product of a shape wrap?", "9a")
    reject("shape-wraps-to-length", block(T(U8, [2**32 + 1, 2**32], bytes(64)))
           .descriptor(0, byte_len=2**32), "LIMIT", d(0, "shape0"),
           "does a wrapped product agree with the length?", "9a")
    reject("bytes-wrap", block(T(F64, [2**61])), "LIMIT", d(0, "shape0"),
           "does the size wrap though the count fits?", "9a")
    reject("bytes-wrap-to-length", block(T(F64, [2**61 + 1], u64(1))), "LIMIT", d(0, "shape0"),
           "does a wrapped size agree with the length?", "9a")
    reject("range-wraps", block(T(U8, [128], bytes(128))).descriptor(0, byte_offset=TOP - 63), "TYPE",
           d(0, "byte_offset"), "does offset plus length wrap?", "9a")
    reject("range-wraps-into-region", block(T(U8, [2**63 + 8])).header(payload_bytes=0)
           .descriptor(0, byte_offset=2**63 + 192, byte_len=2**63 + 8), "TYPE", d(0, "byte_offset"),
           "does a wrapped end lie inside?", "9a")
    reject("base-wraps", one().header(payload_base=TOP - 7, payload_bytes=208), "LIMIT", 40,
           "does the end of the block wrap into the buffer?", "6a")
    reject("rounding-wraps", Bytes(header(name_bytes=TOP - 64, directory_bytes=TOP - 64)), "EOF", 64,
           "does rounding up wrap?", "5", bytes=TOP)
    reject("header-and-heap-wrap", Bytes(header(name_bytes=TOP, directory_bytes=TOP)), "EOF", 64,
           "does the end of the directory wrap?", "5", bytes=TOP)
    reject("name-end-wraps", two().descriptor(1, name_len=2**32 - 1), "TYPE", d(1, "name_len"),
           "does the end of a name wrap in 32 bits?", "8b")
    reject("layout-end-wraps", opaque().descriptor(0, layout_len=2**32 - 1), "TYPE", d(0, "layout_len"),
           "does the end of a layout wrap in 32 bits?", "8c")
    accept("group-rounding", block(T(I8, [TOP, 0], scheme=1, group=2**32 - 1, scale=1), T(F32, [0])),
           "does rounding up to whole groups wrap?")
    accept("group-rounding-axis", block(T(I8, [0, TOP, TOP], scheme=1, axis=1, group=2**32 - 1, scale=1),
                                        T(F32, [0])), "does the group arithmetic multiply what overflows?")

    # Ranges that leave their region.
    reject("length-past-data", block(T(U8, [64], bytes(64))).descriptor(0, byte_len=128), "TYPE",
           d(0, "byte_len"), "is the length believed?", "9a")
    reject("payload-past-data", block(T(U8, [64], bytes(64))).descriptor(0, byte_len=128, shape0=128),
           "TYPE", d(0, "byte_offset"), "does shape and length together reach past the data?", "9a")
    reject("payload-past-block", block(T(U8, [64], bytes(64))).descriptor(0, byte_len=128, shape0=128)
           .more(bytes(64)), "TYPE", d(0, "byte_offset"), "does a payload reach past its block?", "9a")
    reject("one-short", block(T(U8, [64], bytes(64))).drop(1), "EOF", 192,
           "is the last byte missed?", "6b")

    # Claims that cost memory.
    note = "is storage taken for what is not there?"
    reject("count-at-cap", Bytes(header(tensor_count=2**24, directory_bytes=2**31)), "EOF", 64, note, "5")
    reject("heap-at-cap", Bytes(header(name_bytes=2**24, directory_bytes=2**24)), "EOF", 64, note, "5")
    reject("payload-claimed", one().header(payload_bytes=2**40), "EOF", 192, note, "6b")
    for text in ("u8", "u64", "str", "list{u8}", "optional{u8}", "dict{u8}", "tensors",
                 "struct{a:u64,b:u64,c:u64,d:u64,}"):
        reject("list-at-cap-" + text, u32(2**24), "EOF", 0, note, text="list{%s}" % text)
    reject("dict-at-cap", u32(2**24), "EOF", 0, note, text="dict{u64}")
    reject("str-at-cap", u32(2**24), "EOF", 4, note, text="str")
    reject("nested-claims", u32(1) + u32(1) + u32(2**24), "EOF", 8, note, text="list{list{list{u8}}}")

    # Shapes.
    for rank in (9, 255):
        reject("rank-%d" % rank, one().descriptor(0, rank=rank), "TYPE", d(0, "rank"),
               "is a rank beyond the slots used as an index?", "9a")
    for name, shape in (("last", [4, 0]), ("end", [2**63, 4, 0]), ("middle", [2**63, 0, 4]),
                        ("first", [0, 2**63, 4]), ("other", [4, 2**63, 0]), ("all", [0] * 8)):
        accept("zero-" + name, block(T(F32, shape)), "does a zero dimension divide, or come too late?")
    accept("empty-f64", block(T(F64, [0])), "is an empty payload a slice like any other?")
    reject("shape-and-length", block(T(F32, [3], bytes(16))), "TYPE", d(0, "byte_len"),
           "do shape and length have to agree?", "9a")
    reject("block-zero", opaque().descriptor(0, block_size=0), "TYPE", d(0, "block_size"),
           "is there a division by a block of 0?", "8c")
    reject("group-zero", scheme1().descriptor(0, group_size=0), "TYPE", d(0, "group_size"),
           "is there a division by a group of 0?", "11b")
    for dtype in (0, 20, 4095, 32768, 65535):
        reject("dtype-%d" % dtype, one().descriptor(0, dtype=dtype), "TYPE", d(0, "dtype"),
               "is an unknown dtype an index into a table?", "9a")

    # Names.
    reject("name-twice", block(T(U8, [0], name="w"), T(U8, [0], name="w")), "TYPE", 321,
           "does one of two equal names hide the other?", "8g")
    accept("name-normalised", block(T(U8, [0], name="\u00e9"), T(U8, [0], name="e\u0301")),
           "are names compared as anything but bytes?")
    names = ["layer.%d" % i for i in range(11)] + ["layer.0"]
    reject("name-twice-far", block(*(T(U8, [0], name=name) for name in names)), "TYPE",
           64 + 12 * 128 + 10 * 7 + 8, "are all pairs of names compared?", "8g")
    accept("name-long", block(T(U8, [0], name="n" * 70), T(U8, [0], name="n" * 69 + "m")),
           "are names cut at 64 bytes?")
    reject("name-range-shared", two().descriptor(1, name_offset=0), "TYPE", d(1, "name_offset"),
           "is a range checked once and believed twice?", "8b")
    for name, first, second, at in (
            ("ff", b"\xff", b"n", 320), ("overlong", b"\xc0\x80", b"n", 320),
            ("surrogate", b"\xed\xa0\x80", b"n", 320), ("split", b"\xe2", b"\x82\xac", 320),
            ("split-late", b"n\xe2\x82", b"\xac", 321), ("tail-only", b"n", b"\x82\xac", 321)):
        reject("utf8-" + name, block(T(U8, [0], name=first), T(U8, [0], name=second)), "UTF8", at,
               "is each name checked by itself?", "8f")

    # Payload places.
    reject("alias", three().descriptor(1, byte_offset=448), "TYPE", d(1, "byte_offset"),
           "do two tensors share a payload?", "9b")
    reject("alias-partly", block(T(U8, [128], bytes(128)), T(U8, [128], bytes(128)))
           .descriptor(1, byte_offset=384), "TYPE", d(1, "byte_offset"), "do two tensors share 64 bytes?", "9b")
    for at in range(321, 384):
        reject("gap-%d" % at, block(T(U8, [1], b"\1"), T(U8, [1], b"\1")).put(at, u8(1 << at % 8)), "TYPE",
               at, "can a gap hide data?", "10c")
    for at in range(193, 256):
        reject("pad-%d" % at, opaque().put(at, u8(1 << at % 8)), "TYPE", at,
               "can the padding hide data?", "7b")
    for at in range(131):
        reject("bool-%d" % at, block(T(BOOL, [131], b"\1" * 131)).put(192 + at, b"\2"), "TYPE", 192 + at,
               "is every bool looked at?", "11a")
    for dtype, name in ((E2M1, "e2m1"), (I4, "i4"), (U4, "u4")):
        reject("tail-" + name, block(T(dtype, [3], b"\xff\xff")), "TYPE", 193,
               "can the last nibble hide data?", "11a")

    # Links.
    note = "do links form a loop or leave the directory?"
    reject("link-self", scheme1().descriptor(0, scale_index=0), "TYPE", d(0, "scale_index"), note, "11b")
    reject("link-each-other", block(T(I8, [1], b"\1", scheme=1, group=1, scale=1),
                                    T(I8, [1], b"\1", scheme=1, group=1, scale=0)), "TYPE",
           d(0, "scale_index"), note, "11b")
    reject("link-past", scheme1().descriptor(0, scale_index=2), "TYPE", d(0, "scale_index"), note, "11b")
    reject("link-top", scheme1().descriptor(0, scale_index=2**32 - 1), "TYPE", d(0, "scale_index"), note,
           "11b")
    reject("link-outer-self", scheme2().descriptor(0, outer_index=0), "TYPE", d(0, "outer_index"), note,
           "11b")
    reject("link-outer-past", scheme2().descriptor(0, outer_index=3), "TYPE", d(0, "outer_index"), note,
           "11b")

    # Whole buffers.
    note = "is a buffer of nothing a value?"
    reject("nothing", b"", "EOF", 0, note, "1a")
    reject("nothing-framed", b"", "EOF", 0, note, framed=True)
    for text in ("u8", "str", "list{u8}", "optional{u8}", "dict{u8}", "struct{a:bool,}"):
        reject("nothing-" + text, b"", "EOF", 0, note, text=text)
    note = "is what follows a value seen?"
    reject("trailing", one().more(b"\0"), "TRAILING", 200, note, "12")
    reject("trailing-framed", frame("tensors") + one() + b"\0", "TRAILING", 216, note, "12", framed=True)
    for text, data in (("u8", b"\1"), ("str", run("x")), ("list{u8}", u32(1) + b"\1"),
                       ("optional{u8}", b"\0"), ("dict{u8}", u32(0)), ("struct{a:u8,}", b"\1")):
        reject("trailing-" + text, data + b"\0", "TRAILING", len(data), note, text=text)
    accept("field-follows", Bytes(u64(1)) + one() + b"\0\0\0\0", "a field after a block is not left over",
           text=IN_STRUCT)
    accept("unaligned", Bytes(run("x")) + scheme2(), "is an address a reason to reject?",
           text="struct{s:str,t:tensors,}")

    # Values.
    for byte in (2, 255):
        reject("presence-%d" % byte, u8(byte) + b"\1", "TYPE", 0, "is a presence byte a truth value?",
               text="optional{u8}")
        reject("bool-byte-%d" % byte, u8(byte), "TYPE", 0, "is a bool byte a truth value?", text="bool")
    reject("third-of-four", Bytes(u32(4)) + run("one") + run("two") + u32(5) + b"thr", "EOF", 22,
           "what becomes of the elements before the fault?", text="list{str}")
    for name, keys, at in (("descending", ("b", "a"), 10), ("twice", ("a", "a"), 10),
                           ("utf16-order", ("\U00010000", "\uffff"), 13)):
        reject("keys-" + name, Bytes(u32(2)) + run(keys[0]) + b"\1" + run(keys[1]) + b"\1", "TYPE", at,
               "has a map one byte string?", text="dict{u8}")
    accept("keys-byte-order", Bytes(u32(2)) + run("\uffff") + b"\1" + run("\U00010000") + b"\1",
           "are keys ordered by bytes, not by 16-bit units?", text="dict{u8}")
    # One container around another, and the innermost one.
    for token, around, innermost in (("list", u32(1), u32(0)), ("optional", b"\1", b"\0"),
                                     ("struct", b"", b"\7"), ("dict", u32(1) + run(""), u32(0))):
        accept("depth-64-" + token, around * 63 + innermost, "does the depth limit come early?",
               text=nested(token, 64, "u8"))
        reject("depth-65-" + token, around * 64 + innermost, "LIMIT", 64 * len(around),
               "is recursion bounded?", text=nested(token, 65, "u8"))

    # Numbers that a 32-bit size would cut.
    note = "is a 64-bit number cut to 32 bits?"
    reject("cut-offset", one().descriptor(0, byte_offset=2**32 + 192), "TYPE", d(0, "byte_offset"), note,
           "9a")
    reject("cut-offset-64", one().descriptor(0, byte_offset=2**32 + 64), "TYPE", d(0, "byte_offset"), note,
           "9a")
    reject("cut-length", one().descriptor(0, byte_len=2**32 + 8), "TYPE", d(0, "byte_len"), note, "9a")
    reject("cut-shape", one().descriptor(0, shape0=2**32 + 2), "TYPE", d(0, "byte_len"), note, "9a")
    reject("cut-product", block(T(U8, [2**16, 2**16])), "TYPE", d(0, "byte_len"), note, "9a")
    reject("cut-slot", one().descriptor(0, shape1=2**32), "TYPE", d(0, "shape1"), note, "9a")
    reject("cut-payload-bytes", one().header(payload_bytes=2**32 + 8), "EOF", 192, note, "6b")
    reject("cut-payload-base", one().header(payload_base=2**32 + 192), "EOF", 192, note, "6b")
    reject("cut-directory-bytes", one().header(directory_bytes=2**32 + 128), "TYPE", 24, note, "4b")
    reject("cut-count", one().header(tensor_count=2**32 + 1), "LIMIT", 8, note, "3")
    reject("cut-count-raised", one().header(tensor_count=2**32 + 1, directory_bytes=(2**32 + 1) * 128),
           "EOF", 64, note, "5", count=TOP)
    reject("cut-names", two().header(name_bytes=2**32 + 3), "LIMIT", 16, note, "3")
    reject("cut-names-raised", two().header(name_bytes=2**32 + 3, directory_bytes=2**32 + 259), "EOF", 64,
           note, "5", bytes=TOP)
    reject("cut-list", u32(2**29 + 1) + u64(0), "EOF", 0, "does count times size wrap in 32 bits?",
           text="list{u64}", count=TOP)
    reject("cut-dict", u32(2**29 + 1) + u64(0), "EOF", 0, "does count times size wrap in 32 bits?",
           text="dict{u32}", count=TOP)
    reject("cut-run", u32(2**32 - 1) + b"abc", "EOF", 4, "does a position plus a length wrap in 32 bits?",
           text="bytes", bytes=TOP)


FILES = {
    "kiln-v2-cases": cases_first,
    "kiln-v2-steps": cases_steps,
    "kiln-v2-frozen": cases_frozen,
    "kiln-v2-frames": cases_frames,
    "kiln-v2-order": cases_order,
    "kiln-v2-hostile": cases_hostile,
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
    for name in ("kiln-v2-steps", "kiln-v2-order"):
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
