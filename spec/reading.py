#!/usr/bin/env python3
"""A literal reading of Kiln, version 2, written from the specification alone.

It shares no code with the library, values plainness over speed, and follows the chapters word by
word: type text and hash, Frozen values, the frame, and the twelve steps of a tensor directory, each
rule under its letter. `generate.py` runs it over every case before it writes one.

    python3 spec/reading.py FILE.json...

runs case files, prints the cases that disagree and then `N passed, M failed`; the exit status is 1
when any case failed and 2 when a file could not be used.
"""

import json
import pathlib
import re
import sys

U64 = 1 << 64
DEFAULT_COUNT = 16_777_216
DEFAULT_BYTES = 16 * 1024 * 1024
MAX_DEPTH = 64

# Bytes of each scalar. Values are kept as the unsigned number their bytes spell, so that the bits of
# a float survive whatever they mean.
WIDTHS = {
    "bool": 1,
    "u8": 1, "u16": 2, "u32": 4, "u64": 8,
    "i8": 1, "i16": 2, "i32": 4, "i64": 8,
    "f16": 2, "bf16": 2, "f32": 4, "f64": 8,
}
SMALLEST = dict(WIDTHS, str=4, bytes=4, tensors=64)
CONTAINERS = ("list", "optional", "dict")

# Bits of one element for each closed dtype.
DTYPE_BITS = {
    1: 64, 2: 32, 3: 16, 4: 16,              # f64 f32 f16 bf16
    5: 64, 6: 32, 7: 16, 8: 8,               # i64 i32 i16 i8
    9: 64, 10: 32, 11: 16, 12: 8,            # u64 u32 u16 u8
    13: 8,                                   # bool
    14: 4, 15: 4,                            # i4 u4
    16: 8, 17: 8, 18: 4, 19: 8,              # e4m3 e5m2 e2m1 e8m0
}
F32 = 2
BOOL = 13


class Fault(Exception):
    """A reject: one of the seven codes, the byte it points at, and for a directory its rule ("9a")."""

    def __init__(self, code, offset, rule=None, reason=""):
        super().__init__(code, offset, rule, reason)
        self.code, self.offset, self.rule, self.reason = code, offset, rule, reason

    @property
    def step(self):
        return None if self.rule is None else int(re.match(r"\d+", self.rule).group())


class BadType(Exception):
    """A type text that names no type: the caller's mistake, and none of the seven codes."""


class BadCase(Exception):
    """A case file that is not in the form of the golden cases."""


# ---- Type text and schema hash ----------------------------------------------------------------

class Type:
    """kind is a token without its brace; inner is the element type, or the (name, Type) fields."""

    def __init__(self, kind, inner=None):
        self.kind, self.inner = kind, inner
        if kind == "struct":
            names = [name for name, _ in inner]
            if len(set(names)) != len(names):
                raise BadType("a field name twice")
            self.smallest = sum(field.smallest for _, field in inner)
        elif kind == "optional":
            self.smallest = 1
        elif kind in ("list", "dict"):
            if inner.smallest == 0:
                raise BadType("an element that takes no bytes")
            self.smallest = 4
        else:
            self.smallest = SMALLEST[kind]

    def tokens(self):
        if self.kind == "struct":
            yield "struct{"
            for name, field in self.inner:
                yield name
                yield ":"
                yield from field.tokens()
                yield ","
            yield "}"
        elif self.kind in CONTAINERS:
            yield self.kind + "{"
            yield from self.inner.tokens()
            yield "}"
        else:
            yield self.kind

    def hash(self):
        mix = 14695981039346656037
        for token in self.tokens():
            for byte in token.encode() + b"\0":
                mix = (mix ^ byte) * 1099511628211 % U64
        return mix


def parse(text):
    kind, end = parse_at(text, 0)
    if end != len(text):
        raise BadType("text after the type")
    return kind


def parse_at(text, at):
    """The type whose text starts at `at`, and where its text ends."""
    if text.startswith("struct{", at):
        at += len("struct{")
        fields = []
        while not text.startswith("}", at):
            name = re.compile(r"[^{}:,\0]+").match(text, at)
            if not name or not text.startswith(":", name.end()):
                raise BadType("a field needs a name and a colon")
            kind, at = parse_at(text, name.end() + 1)
            if not text.startswith(",", at):
                raise BadType("a field ends with a comma")
            at += 1
            fields.append((name.group(), kind))
        return Type("struct", fields), at + 1
    for container in CONTAINERS:
        if text.startswith(container + "{", at):
            kind, at = parse_at(text, at + len(container) + 1)
            if not text.startswith("}", at):
                raise BadType("a container ends with a brace")
            return Type(container, kind), at + 1
    word = re.compile(r"[^{}:,\0]*").match(text, at)
    if word.group() not in SMALLEST:
        raise BadType("no such type: " + word.group())
    return Type(word.group()), word.end()


# ---- Frozen values ----------------------------------------------------------------------------

def number(data):
    return int.from_bytes(data, "little")


def utf8(data, offset, rule=None):
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise Fault("UTF8", offset + error.start, rule, "not UTF-8") from None


class Reader:
    def __init__(self, data, count_cap, bytes_cap):
        self.data, self.at = data, 0
        self.count_cap, self.bytes_cap = count_cap, bytes_cap

    def unread(self):
        return len(self.data) - self.at

    def take(self, size):
        if size > self.unread():
            raise Fault("EOF", self.at, reason="%d bytes wanted, %d left" % (size, self.unread()))
        self.at += size
        return self.data[self.at - size:self.at]

    def run(self, text):
        """A string, byte run or dict key: cap, then fit, then, for text, UTF-8."""
        word = self.at
        size = number(self.take(4))
        if size > self.bytes_cap:
            raise Fault("LIMIT", word, reason="a run above the cap")
        start = self.at
        data = self.take(size)
        if text:
            utf8(data, start)
        return data

    def count(self, smallest):
        """The count of a list or dict: cap, then fit at the smallest encoding of an element."""
        word = self.at
        count = number(self.take(4))
        if count > self.count_cap:
            raise Fault("LIMIT", word, reason="a count above the cap")
        if count * smallest > self.unread():
            raise Fault("EOF", word, reason="more elements than bytes")
        return count

    def value(self, kind, depth, standalone=False):
        """A value inside `depth` containers. Only a directory cares whether it stands alone."""
        name = kind.kind
        if name in WIDTHS:
            start = self.at
            scalar = number(self.take(WIDTHS[name]))
            if name == "bool" and scalar > 1:
                raise Fault("TYPE", start, reason="a bool above 1")
            return scalar
        if name in ("str", "bytes"):
            return self.run(text=name == "str")

        depth += 1
        if depth > MAX_DEPTH:
            raise Fault("LIMIT", self.at, reason="depth")
        if name == "list":
            return [self.value(kind.inner, depth) for _ in range(self.count(kind.inner.smallest))]
        if name == "optional":
            start = self.at
            presence = number(self.take(1))
            if presence > 1:
                raise Fault("TYPE", start, reason="a presence byte above 1")
            return [self.value(kind.inner, depth)] if presence else []
        if name == "dict":
            pairs = []
            for _ in range(self.count(4 + kind.inner.smallest)):
                word = self.at
                key = self.run(text=True)
                if pairs and key <= pairs[-1][0]:
                    raise Fault("TYPE", word, reason="keys do not ascend")
                pairs.append((key, self.value(kind.inner, depth)))
            return pairs
        if name == "struct":
            return [self.value(field, depth) for _, field in kind.inner]

        start = self.at
        try:
            tensors, end = directory(
                self.data[start:], self.count_cap, self.bytes_cap, standalone)
        except Fault as fault:
            raise Fault(fault.code, start + fault.offset, fault.rule, fault.reason) from None
        self.at = start + end
        return tensors


def write(kind, value):
    """The bytes of a decoded value."""
    name = kind.kind
    if name in WIDTHS:
        return value.to_bytes(WIDTHS[name], "little")
    if name in ("str", "bytes"):
        return len(value).to_bytes(4, "little") + value
    if name == "list":
        return len(value).to_bytes(4, "little") + b"".join(write(kind.inner, one) for one in value)
    if name == "optional":
        return b"\1" + write(kind.inner, value[0]) if value else b"\0"
    if name == "dict":
        return len(value).to_bytes(4, "little") + b"".join(
            write(Type("str"), key) + write(kind.inner, one) for key, one in value)
    if name == "struct":
        return b"".join(write(field, one) for (_, field), one in zip(kind.inner, value))
    return write_directory(value)


# ---- Tensor directory -------------------------------------------------------------------------

class Tensor:
    """One descriptor as it stands in the bytes, and its payload."""


def product(shape):
    """The number of elements, which may be beyond u64; one zero makes it zero."""
    count = 1
    for length in shape:
        count *= length
    return count


def up64(offset):
    return (offset + 63) // 64 * 64


def is_opaque(dtype):
    return 4096 <= dtype <= 32767


def payload_bytes_of(dtype, count):
    return (count * DTYPE_BITS[dtype] + 7) // 8


def first_nonzero(data, start, end):
    """The first nonzero byte of data[start:end], or None."""
    for at in range(start, end):
        if data[at] != 0:
            return at
    return None


def directory(b, count_cap, bytes_cap, standalone):
    """The twelve steps. `b` starts at the directory's first byte and ends with the buffer.

    Gives the tensors and the length of the block.
    """
    # 1. Magic and size of the header.
    if len(b) < 4:
        raise Fault("EOF", 0, "1a", "no room for the magic")
    if b[:4] != b"KLNT":
        raise Fault("FRAME", 0, "1b", "magic")
    if len(b) < 64:
        raise Fault("EOF", 0, "1c", "no room for the header")
    version = number(b[4:6])
    flags = number(b[6:8])
    tensor_count = number(b[8:16])
    name_bytes = number(b[16:24])
    directory_bytes = number(b[24:32])
    payload_base = number(b[32:40])
    payload_bytes = number(b[40:48])

    # 2. The rest of the envelope.
    if version != 2:
        raise Fault("FRAME", 4, "2", "version")
    if flags & ~3:
        raise Fault("FRAME", 6, "2", "unknown flag")
    if not flags & 1:
        raise Fault("FRAME", 6, "2", "little-endian bit clear")
    wrong = first_nonzero(b, 48, 64)
    if wrong is not None:
        raise Fault("FRAME", wrong, "2", "reserved header byte")

    # 3. Caps.
    if tensor_count > count_cap:
        raise Fault("LIMIT", 8, "3", "tensor_count above the cap")
    if name_bytes > bytes_cap:
        raise Fault("LIMIT", 16, "3", "name_bytes above the cap")

    # 4. The size of the directory is what its parts say.
    if tensor_count * 128 + name_bytes >= U64:
        raise Fault("LIMIT", 8, "4a", "directory size overflows")
    if directory_bytes != tensor_count * 128 + name_bytes:
        raise Fault("TYPE", 24, "4b", "directory_bytes")

    # 5. The directory fits.
    directory_end = 64 + directory_bytes
    if directory_end > len(b):
        raise Fault("EOF", 64, "5", "the directory does not fit")

    # 6. The block fits.
    block_end = payload_base + payload_bytes
    if block_end >= U64:
        raise Fault("LIMIT", 40, "6a", "the end of the block overflows")
    if block_end > len(b):
        raise Fault("EOF", directory_end, "6b", "the block does not fit")

    # 7. Padding before the payloads.
    if payload_base != up64(directory_end):
        raise Fault("TYPE", 32, "7a", "payload_base")
    wrong = first_nonzero(b, directory_end, payload_base)
    if wrong is not None:
        raise Fault("TYPE", wrong, "7b", "padding after the heap")

    heap = 64 + 128 * tensor_count
    tensors = []
    for index in range(tensor_count):
        t = Tensor()
        t.at = 64 + 128 * index
        d = b[t.at:t.at + 128]
        t.dtype = number(d[0:2])
        t.rank = d[2]
        t.scheme = d[3]
        t.axis = d[4]
        t.name_offset = number(d[8:12])
        t.name_len = number(d[12:16])
        t.layout_offset = number(d[16:20])
        t.layout_len = number(d[20:24])
        t.block_size = number(d[24:28])
        t.group_size = number(d[28:32])
        t.scale_index = number(d[32:36])
        t.outer_index = number(d[36:40])
        t.byte_offset = number(d[40:48])
        t.byte_len = number(d[48:56])
        t.slots = [number(d[64 + 8 * i:72 + 8 * i]) for i in range(8)]
        tensors.append(t)

    # 8. Reserved bytes, names and layouts.
    for t in tensors:
        wrong = first_nonzero(b, t.at + 5, t.at + 8)
        if wrong is None:
            wrong = first_nonzero(b, t.at + 56, t.at + 64)
        if wrong is not None:
            raise Fault("FRAME", wrong, "8a", "reserved descriptor byte")
    used = 0
    for t in tensors:
        if t.name_offset != (used if t.name_len else 0):
            raise Fault("TYPE", t.at + 8, "8b", "name_offset")
        if t.name_offset + t.name_len > name_bytes:
            raise Fault("TYPE", t.at + 12, "8b", "the name leaves the heap")
        used += t.name_len
    for t in tensors:
        if is_opaque(t.dtype) != (t.layout_len != 0):
            raise Fault("TYPE", t.at + 20, "8c", "layout presence")
        if is_opaque(t.dtype) != (t.block_size != 0):
            raise Fault("TYPE", t.at + 24, "8c", "block size")
        if t.layout_offset != (used if t.layout_len else 0):
            raise Fault("TYPE", t.at + 16, "8c", "layout_offset")
        if t.layout_offset + t.layout_len > name_bytes:
            raise Fault("TYPE", t.at + 20, "8c", "the layout leaves the heap")
        used += t.layout_len
    if used != name_bytes:
        raise Fault("TYPE", heap + used, "8d", "heap bytes that nothing uses")
    if (flags & 2 != 0) != any(t.name_len for t in tensors):
        raise Fault("TYPE", 6, "8e", "names flag")
    for t in tensors:
        start = heap + t.name_offset
        t.name = b[start:start + t.name_len]
        utf8(t.name, start, "8f")
    for t in tensors:
        start = heap + t.layout_offset
        t.layout = b[start:start + t.layout_len]
        utf8(t.layout, start, "8f")
    seen = set()
    for t in tensors:
        if t.name and t.name in seen:
            raise Fault("TYPE", heap + t.name_offset, "8g", "a name twice")
        seen.add(t.name)

    # 9. Dtypes, shapes and ranges.
    for t in tensors:
        if t.dtype not in DTYPE_BITS and not is_opaque(t.dtype):
            raise Fault("TYPE", t.at, "9a", "dtype")
        if t.rank > 8:
            raise Fault("TYPE", t.at + 2, "9a", "rank")
        for slot in range(t.rank, 8):
            if t.slots[slot] != 0:
                raise Fault("TYPE", t.at + 64 + 8 * slot, "9a", "shape slot past the rank")
        t.shape = t.slots[:t.rank]
        t.count = product(t.shape)
        if t.count >= U64:
            raise Fault("LIMIT", t.at + 64, "9a", "the element count overflows")
        if is_opaque(t.dtype):
            if t.byte_len % t.block_size != 0:
                raise Fault("TYPE", t.at + 48, "9a", "byte_len is not whole blocks")
        else:
            needed = payload_bytes_of(t.dtype, t.count)
            if needed >= U64:
                raise Fault("LIMIT", t.at + 64, "9a", "the payload size overflows")
            if t.byte_len != needed:
                raise Fault("TYPE", t.at + 48, "9a", "byte_len")
        if t.byte_offset < payload_base or t.byte_offset + t.byte_len > block_end:
            raise Fault("TYPE", t.at + 40, "9a", "the payload leaves its region")
    ranges = sorted((t.byte_offset, index) for index, t in enumerate(tensors) if t.byte_len)
    for (_, first), (start, second) in zip(ranges, ranges[1:]):
        if tensors[first].byte_offset + tensors[first].byte_len > start:
            raise Fault("TYPE", tensors[second].at + 40, "9b", "payloads overlap")

    # 10. Canonical placement, and zeros wherever no payload lies.
    cursor = payload_base
    for t in tensors:
        if t.byte_offset != up64(cursor):
            raise Fault("TYPE", t.at + 40, "10a", "placement")
        cursor = t.byte_offset + t.byte_len
    if payload_bytes != cursor - payload_base:
        raise Fault("TYPE", 40, "10b", "payload_bytes")
    cursor = payload_base
    for t in tensors:
        wrong = first_nonzero(b, cursor, t.byte_offset)
        if wrong is not None:
            raise Fault("TYPE", wrong, "10c", "gap between payloads")
        cursor = t.byte_offset + t.byte_len

    # 11. Payload bits, then quantization.
    for t in tensors:
        t.payload = b[t.byte_offset:t.byte_offset + t.byte_len]
        if t.dtype == BOOL:
            for i, byte in enumerate(t.payload):
                if byte > 1:
                    raise Fault("TYPE", t.byte_offset + i, "11a", "bool byte")
        if DTYPE_BITS.get(t.dtype) == 4 and t.count % 2 == 1 and t.payload[-1] > 0x0F:
            raise Fault("TYPE", t.byte_offset + t.byte_len - 1, "11a", "high nibble")
    for index, t in enumerate(tensors):
        quantization(tensors, index, t)

    # 12. Nothing after a block that stands alone.
    if standalone and block_end < len(b):
        raise Fault("TRAILING", block_end, "12", "%d bytes left" % (len(b) - block_end))
    return tensors, block_end


def quantization(tensors, index, t):
    def wrong(field, reason):
        return Fault("TYPE", t.at + field, "11b", reason)

    if t.scheme > 2 or (t.scheme != 0 and is_opaque(t.dtype)):
        raise wrong(3, "scheme")
    if t.scheme == 0:
        if t.axis != 0:
            raise wrong(4, "axis without a scheme")
        if t.group_size != 0:
            raise wrong(28, "group_size without a scheme")
        if t.scale_index != 0:
            raise wrong(32, "scale_index without a scheme")
        if t.outer_index != 0:
            raise wrong(36, "outer_index without a scheme")
        return
    if t.axis >= t.rank:
        raise wrong(4, "axis")
    if t.group_size == 0:
        raise wrong(28, "group_size")
    if t.scale_index >= len(tensors) or t.scale_index == index:
        raise wrong(32, "scale_index names no other tensor")
    scale = tensors[t.scale_index]
    groups = (t.shape[t.axis] + t.group_size - 1) // t.group_size
    groups *= product(t.shape[:t.axis] + t.shape[t.axis + 1:])
    if is_opaque(scale.dtype) or scale.scheme != 0 or scale.count != groups:
        raise wrong(32, "the scale tensor")
    if t.scheme == 1:
        if t.outer_index != 0:
            raise wrong(36, "outer_index in scheme 1")
        return
    if t.outer_index >= len(tensors) or t.outer_index == index:
        raise wrong(36, "outer_index names no other tensor")
    outer = tensors[t.outer_index]
    if outer.dtype != F32 or outer.scheme != 0 or outer.count != 1:
        raise wrong(36, "the outer tensor")


def write_directory(tensors):
    """The one block of these tensors, from nothing but what they mean."""
    def word(value, size):
        return value.to_bytes(size, "little")

    names = b"".join(t.name for t in tensors)
    layouts = b"".join(t.layout for t in tensors)
    directory_bytes = 128 * len(tensors) + len(names) + len(layouts)
    base = up64(64 + directory_bytes)
    payloads = b""
    descriptors = b""
    name_at, layout_at = 0, len(names)
    for t in tensors:
        payloads = payloads.ljust(up64(len(payloads)), b"\0")
        descriptors += word(t.dtype, 2) + word(len(t.shape), 1) + word(t.scheme, 1) + word(t.axis, 1)
        descriptors += bytes(3)
        descriptors += word(name_at if t.name else 0, 4) + word(len(t.name), 4)
        descriptors += word(layout_at if t.layout else 0, 4) + word(len(t.layout), 4)
        descriptors += word(t.block_size, 4) + word(t.group_size, 4)
        descriptors += word(t.scale_index, 4) + word(t.outer_index, 4)
        descriptors += word(base + len(payloads), 8) + word(len(t.payload), 8) + bytes(8)
        descriptors += b"".join(word(length, 8) for length in t.shape).ljust(64, b"\0")
        payloads += t.payload
        name_at += len(t.name)
        layout_at += len(t.layout)
    header = b"KLNT" + word(2, 2) + word(3 if names else 1, 2)
    header += word(len(tensors), 8) + word(len(names) + len(layouts), 8)
    header += word(directory_bytes, 8) + word(base, 8) + word(len(payloads), 8) + bytes(16)
    return (header + descriptors + names + layouts).ljust(base, b"\0") + payloads


# ---- Frame and whole buffers ------------------------------------------------------------------

def frame(data, kind):
    """Checks the sixteen bytes in front of a framed value."""
    if len(data) < 4:
        raise Fault("EOF", 0, reason="no room for the magic of a frame")
    if data[:4] != b"KLN0":
        raise Fault("FRAME", 0, reason="frame magic")
    if len(data) < 16:
        raise Fault("EOF", 0, reason="no room for a frame")
    if number(data[4:6]) != 0:
        raise Fault("FRAME", 4, reason="profile")
    if data[6] != 1:
        raise Fault("FRAME", 6, reason="frame flags")
    if data[7] != 0:
        raise Fault("FRAME", 7, reason="reserved frame byte")
    if number(data[8:16]) != kind.hash():
        raise Fault("SCHEMA", 8, reason="schema hash")


def decode(data, kind, framed=False, count_cap=DEFAULT_COUNT, bytes_cap=DEFAULT_BYTES):
    """The value that fills the whole buffer, or a Fault."""
    reader = Reader(data, count_cap, bytes_cap)
    if framed:
        frame(data, kind)
        reader.at = 16
    value = reader.value(kind, 0, standalone=True)
    if reader.unread():
        raise Fault("TRAILING", reader.at, reason="%d bytes left" % reader.unread())
    return value


def encode(kind, value, framed=False):
    data = write(kind, value)
    if framed:
        data = b"KLN0" + bytes([0, 0, 1, 0]) + kind.hash().to_bytes(8, "little") + data
    return data


# ---- Case files -------------------------------------------------------------------------------

CODES = ("FRAME", "LIMIT", "EOF", "TYPE", "UTF8", "TRAILING", "SCHEMA")
KEYS = {"name", "type", "framed", "hex", "file", "accept", "error", "step", "offset", "caps", "note"}


def load(path):
    """The cases of a file, in order, after a look at their form."""
    document = json.loads(pathlib.Path(path).read_text(encoding="utf-8"))
    if not isinstance(document, dict) or set(document) != {"format", "cases"}:
        raise BadCase("a case file holds format and cases")
    if document["format"] != "kiln-cases/1":
        raise BadCase("format is not kiln-cases/1")
    names = set()
    for case in document["cases"]:
        check_form(case)
        if case["name"] in names:
            raise BadCase("two cases are called %s" % case["name"])
        names.add(case["name"])
    return document["cases"]


def check_form(case):
    where = case.get("name", "a case without a name")
    if not set(case) <= KEYS or not {"name", "type", "accept"} <= set(case):
        raise BadCase("%s: keys" % where)
    if ("hex" in case) == ("file" in case):
        raise BadCase("%s: hex or file" % where)
    if case["accept"] and {"error", "step", "offset"} & set(case):
        raise BadCase("%s: an accepted case has no error" % where)
    if not case["accept"] and case.get("error") not in CODES:
        raise BadCase("%s: error" % where)
    if "step" in case and case["type"] != "tensors":
        raise BadCase("%s: only a directory has steps" % where)
    if not set(case.get("caps", {})) <= {"count", "bytes"}:
        raise BadCase("%s: caps" % where)


def case_bytes(case, folder):
    if "file" in case:
        return (pathlib.Path(folder) / case["file"]).read_bytes()
    if isinstance(case["hex"], str):
        return piece_bytes(case, case["hex"], r"()")
    return b"".join(piece_bytes(case, piece, r"(?:\*([0-9]+))?") for piece in case["hex"])


def piece_bytes(case, piece, times):
    form = re.fullmatch(r"((?:[0-9a-fA-F]{2})*)" + times, piece)
    if not form:
        raise BadCase("%s: hex" % case["name"])
    return bytes.fromhex(form[1]) * int(form[2] or 1)


def disagreement(case, data):
    """What the reading says against the case's verdict, or None where the two agree."""
    kind = parse(case["type"])
    framed = case.get("framed", False)
    caps = case.get("caps", {})
    try:
        value = decode(data, kind, framed,
                       caps.get("count", DEFAULT_COUNT), caps.get("bytes", DEFAULT_BYTES))
    except Fault as fault:
        if case["accept"]:
            return "rejected: %s at %d (%s)" % (fault.code, fault.offset, fault.reason)
        step = fault.step if kind.kind == "tensors" else None
        if fault.code != case["error"]:
            return "code %s, not %s (%s)" % (fault.code, case["error"], fault.reason)
        if "step" in case and step != case["step"]:
            return "step %s, not %s (%s)" % (step, case["step"], fault.reason)
        if "offset" in case and fault.offset != case["offset"]:
            return "offset %d, not %d (%s)" % (fault.offset, case["offset"], fault.reason)
        return None
    if not case["accept"]:
        return "accepted"
    if encode(kind, value, framed) != data:
        return "encoding the value gives other bytes"
    return None


def main(paths):
    if not paths:
        print("usage: reading.py FILE.json...", file=sys.stderr)
        return 2
    passed = failed = 0
    for path in paths:
        try:
            for case in load(path):
                said = disagreement(case, case_bytes(case, pathlib.Path(path).parent))
                if said is None:
                    passed += 1
                else:
                    failed += 1
                    print("%s: %s: %s" % (path, case["name"], said))
        except (OSError, ValueError, BadCase, BadType) as error:
            print("%s: %s" % (path, error), file=sys.stderr)
            return 2
    print("%d passed, %d failed" % (passed, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
