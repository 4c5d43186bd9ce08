//! Every fault of a directory that can be told apart, by walking on after the first. It is no decoder: it
//! believes what it must in order to go on, and what it says behind the first fault is advice.

use kiln::tensor::{ALIGNMENT, Descriptor, Dtype, Header};
use kiln::{Code, Limits, Reason};
use std::collections::HashMap;

/// One fault, in the terms of the check order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Finding {
    pub(super) reason: Reason,
    pub(super) offset: u64,
    pub(super) tensor: Option<usize>,
    pub(super) detail: String,
}

/// The walk over one block.
pub(super) struct Walk<'a> {
    bytes: &'a [u8],
    limits: Limits,
    findings: Vec<Finding>,
    header: Header,
    descriptors: Vec<Descriptor>,
    heap: &'a [u8],
    /// How many bytes of names and payloads may still be looked at. Those that lie as they should are looked at three
    /// times at most; those that overlap could claim the same bytes any number of times.
    looks: u64,
}

/// All faults of the directory that `bytes` are, in the check order.
pub(super) fn faults(bytes: &[u8], limits: &Limits) -> Vec<Finding> {
    let mut walk = Walk {
        bytes,
        limits: *limits,
        findings: Vec::new(),
        header: Header::default(),
        descriptors: Vec::new(),
        heap: &[],
        looks: (bytes.len() as u64).saturating_mul(4),
    };
    if walk.header() && walk.table() {
        walk.descriptors();
        walk.names();
        walk.tensors();
        walk.overlaps();
        walk.placement();
        walk.payloads();
        walk.links();
    }
    walk.trailing();
    walk.findings
}

/// Where what begins at `offset` ends. No sum here is near 2^64 unless the bytes claim so.
fn end(offset: u64, len: u64) -> u64 {
    offset.saturating_add(len)
}

fn element_count(dims: &[u64]) -> Option<u64> {
    if dims.contains(&0) {
        return Some(0);
    }
    dims.iter().try_fold(1u64, |count, &dim| count.checked_mul(dim))
}

impl<'a> Walk<'a> {
    fn add(&mut self, reason: Reason, offset: u64, tensor: Option<usize>, detail: impl Into<String>) {
        self.findings.push(Finding { reason, offset, tensor, detail: detail.into() });
    }

    /// A finding about the field at `at` of descriptor `index`.
    fn add_field(&mut self, reason: Reason, index: usize, at: usize, detail: impl Into<String>) {
        let descriptor = end(Header::LEN as u64, (index as u64).saturating_mul(Descriptor::LEN as u64));
        self.add(reason, end(descriptor, at as u64), Some(index), detail);
    }

    /// The bytes from `start` to `stop`, as far as there are any.
    fn between(&self, start: u64, stop: u64) -> &'a [u8] {
        let clamp = |at: u64| usize::try_from(at).map_or(self.bytes.len(), |at| at.min(self.bytes.len()));
        self.bytes.get(clamp(start)..clamp(stop)).unwrap_or(&[])
    }

    /// These bytes, or none when too many have been looked at.
    fn look(&mut self, bytes: &'a [u8]) -> &'a [u8] {
        match self.looks.checked_sub(bytes.len() as u64) {
            Some(looks) => {
                self.looks = looks;
                bytes
            }
            None => &[],
        }
    }

    /// One finding for all bytes in a range that should be zero.
    fn zeros(&mut self, reason: Reason, start: u64, stop: u64) {
        let range = self.between(start, stop);
        if let Some(first) = range.iter().position(|&byte| byte != 0) {
            let count = range.iter().filter(|&&byte| byte != 0).count();
            self.add(reason, end(start, first as u64), None, format!("{count} of {} bytes", range.len()));
        }
    }

    /// Steps 1 to 4. Says whether there is a table to go on with.
    fn header(&mut self) -> bool {
        let Some(magic) = self.bytes.first_chunk::<4>() else {
            self.add(Reason::HeaderShort, 0, None, format!("{} bytes", self.bytes.len()));
            return false;
        };
        if *magic != Header::MAGIC {
            self.add(Reason::Magic, 0, None, "");
        }
        let Some(bytes) = self.bytes.first_chunk() else {
            self.add(Reason::HeaderShort, 0, None, format!("{} bytes", self.bytes.len()));
            return false;
        };
        let header = Header::read(bytes);
        self.header = header;
        if header.version != Header::VERSION {
            self.add(Reason::Version, Header::VERSION_AT as u64, None, format!("version {}", header.version));
        }
        let known = Header::LITTLE_ENDIAN | Header::NAMES;
        if header.flags & !known != 0 || header.flags & Header::LITTLE_ENDIAN == 0 {
            self.add(Reason::Flags, Header::FLAGS_AT as u64, None, format!("flags {:#06x}", header.flags));
        }
        self.zeros(Reason::HeaderReserved, Header::RESERVED_AT as u64, Header::LEN as u64);
        // Without magic and version the rest is noise, and every number in it a fault.
        if *magic != Header::MAGIC && header.version != Header::VERSION {
            return false;
        }
        for (count, cap, reason, at) in [
            (header.tensor_count, self.limits.count, Reason::TensorCountCap, Header::TENSOR_COUNT_AT),
            (header.name_bytes, self.limits.bytes, Reason::NameBytesCap, Header::NAME_BYTES_AT),
        ] {
            if count > cap {
                self.add(reason, at as u64, None, format!("{count}, allowed {cap}"));
            }
        }
        let table = header.tensor_count.checked_mul(Descriptor::LEN as u64);
        match table.and_then(|table| table.checked_add(header.name_bytes)) {
            None => {
                self.add(Reason::TableOverflow, Header::TENSOR_COUNT_AT as u64, None, "");
                false
            }
            Some(sum) => {
                if header.directory_bytes != sum {
                    let detail = format!("{} instead of {sum}", header.directory_bytes);
                    self.add(Reason::DirectoryBytes, Header::DIRECTORY_BYTES_AT as u64, None, detail);
                }
                true
            }
        }
    }

    /// Where the heap begins, by the count of tensors.
    fn heap_start(&self) -> u64 {
        end(Header::LEN as u64, self.header.tensor_count.saturating_mul(Descriptor::LEN as u64))
    }

    /// Where descriptors and names end, by their counts.
    fn table_end(&self) -> u64 {
        end(self.heap_start(), self.header.name_bytes)
    }

    /// Steps 5 to 7. Reads the descriptors that are there.
    fn table(&mut self) -> bool {
        let len = self.bytes.len() as u64;
        let table_end = self.table_end();
        let whole = table_end <= len;
        if !whole {
            let detail = format!("{table_end} bytes needed, {len} there");
            self.add(Reason::TableShort, Header::LEN as u64, None, detail);
        }
        let table = self.between(Header::LEN as u64, self.heap_start());
        let descriptors = table.chunks_exact(Descriptor::LEN).filter_map(|chunk| chunk.first_chunk());
        self.descriptors = descriptors.map(Descriptor::read).collect();
        self.heap = self.between(self.heap_start(), table_end);
        if !whole {
            return true;
        }
        let Header { payload_base, payload_bytes, .. } = self.header;
        match payload_base.checked_add(payload_bytes) {
            None => self.add(Reason::BlockOverflow, Header::PAYLOAD_BYTES_AT as u64, None, ""),
            Some(block_end) if block_end > len => {
                self.add(
                    Reason::BlockShort,
                    table_end,
                    None,
                    format!("{block_end} bytes needed, {len} there"),
                );
            }
            Some(_) => {}
        }
        let canonical = table_end.next_multiple_of(ALIGNMENT);
        if payload_base != canonical {
            let detail = format!("{payload_base} instead of {canonical}");
            self.add(Reason::PayloadBase, Header::PAYLOAD_BASE_AT as u64, None, detail);
        }
        self.zeros(Reason::Padding, table_end, canonical);
        true
    }

    /// Step 8a.
    fn descriptors(&mut self) {
        let reserved = [
            Descriptor::RESERVED_AT..Descriptor::NAME_OFFSET_AT,
            Descriptor::RESERVED_WORD_AT..Descriptor::SHAPE_AT,
        ];
        let table = self.between(Header::LEN as u64, self.heap_start());
        for (index, raw) in table.chunks_exact(Descriptor::LEN).enumerate() {
            for range in &reserved {
                let bytes = raw.get(range.clone()).unwrap_or_default();
                if let Some((at, _)) = range.clone().zip(bytes).find(|&(_, &byte)| byte != 0) {
                    self.add_field(Reason::DescriptorReserved, index, at, "");
                }
            }
        }
    }

    fn run(&self, offset: u32, len: u32) -> Option<&'a [u8]> {
        let start = usize::try_from(offset).ok()?;
        self.heap.get(start..)?.get(..usize::try_from(len).ok()?)
    }

    /// Steps 8b to 8g.
    fn names(&mut self) {
        let descriptors = std::mem::take(&mut self.descriptors);
        let mut used = 0u64;
        for (index, descriptor) in descriptors.iter().enumerate() {
            let Descriptor { name_offset, name_len, .. } = *descriptor;
            let place = if name_len == 0 { 0 } else { used };
            if u64::from(name_offset) != place {
                let detail = format!("{name_offset} instead of {place}");
                self.add_field(Reason::NameOffset, index, Descriptor::NAME_OFFSET_AT, detail);
            }
            if self.run(name_offset, name_len).is_none() {
                let stop = end(name_offset.into(), name_len.into());
                let detail = format!("bytes {name_offset} to {stop}");
                self.add_field(Reason::NameRange, index, Descriptor::NAME_LEN_AT, detail);
            }
            used = end(used, name_len.into());
        }
        for (index, descriptor) in descriptors.iter().enumerate() {
            let Descriptor { layout_offset, layout_len, block_size, .. } = *descriptor;
            let opaque = descriptor.is_opaque();
            if opaque != (layout_len != 0) {
                self.add_field(Reason::LayoutPresence, index, Descriptor::LAYOUT_LEN_AT, "");
            }
            if opaque != (block_size != 0) {
                self.add_field(Reason::BlockSize, index, Descriptor::BLOCK_SIZE_AT, format!("{block_size}"));
            }
            let place = if layout_len == 0 { 0 } else { used };
            if u64::from(layout_offset) != place {
                let detail = format!("{layout_offset} instead of {place}");
                self.add_field(Reason::LayoutOffset, index, Descriptor::LAYOUT_OFFSET_AT, detail);
            }
            if self.run(layout_offset, layout_len).is_none() {
                self.add_field(Reason::LayoutRange, index, Descriptor::LAYOUT_LEN_AT, "");
            }
            used = end(used, layout_len.into());
        }
        if let Some(unused @ 1..) = (self.heap.len() as u64).checked_sub(used) {
            self.add(Reason::HeapUnused, end(self.heap_start(), used), None, format!("{unused} bytes"));
        }
        let named = descriptors.iter().any(|descriptor| descriptor.name_len != 0);
        if named != (self.header.flags & Header::NAMES != 0) {
            self.add(Reason::NamesFlag, Header::FLAGS_AT as u64, None, "");
        }
        let names = descriptors.iter().map(|d| (Reason::NameText, d.name_offset, d.name_len));
        let layouts = descriptors.iter().map(|d| (Reason::LayoutText, d.layout_offset, d.layout_len));
        for (index, (reason, offset, len)) in names.enumerate().chain(layouts.enumerate()) {
            let run = self.run(offset, len).unwrap_or_default();
            if let Err(error) = std::str::from_utf8(self.look(run)) {
                let at = end(end(self.heap_start(), offset.into()), error.valid_up_to() as u64);
                self.add(reason, at, Some(index), "");
            }
        }
        let mut firsts = HashMap::new();
        for (index, descriptor) in descriptors.iter().enumerate() {
            let name = self.run(descriptor.name_offset, descriptor.name_len).unwrap_or_default();
            let name = self.look(name);
            if name.is_empty() {
                continue;
            }
            match firsts.get(name) {
                None => drop(firsts.insert(name, index)),
                Some(first) => {
                    let at = end(self.heap_start(), descriptor.name_offset.into());
                    self.add(Reason::NameRepeated, at, Some(index), format!("that of tensor {first}"));
                }
            }
        }
        self.descriptors = descriptors;
    }

    /// Step 9a, every test of every descriptor.
    fn tensors(&mut self) {
        for index in 0..self.descriptors.len() {
            let Some(&descriptor) = self.descriptors.get(index) else { break };
            let dtype = descriptor.element_type();
            if dtype.is_none() {
                self.add_field(
                    Reason::Dtype,
                    index,
                    Descriptor::DTYPE_AT,
                    format!("code {}", descriptor.dtype),
                );
            }
            if descriptor.rank > 8 {
                self.add_field(Reason::Rank, index, Descriptor::RANK_AT, format!("rank {}", descriptor.rank));
            }
            let slots = (Descriptor::SHAPE_AT..).step_by(8).zip(descriptor.shape);
            if let Some((at, _)) = slots.skip(descriptor.dims().len()).find(|&(_, slot)| slot != 0) {
                self.add_field(Reason::ShapeTail, index, at, "");
            }
            let count = element_count(descriptor.dims());
            let needed = match (dtype, count) {
                (_, None) => None,
                (Some(dtype), Some(count)) if !dtype.is_opaque() => dtype.payload_len(count),
                _ => Some(descriptor.byte_len),
            };
            match needed {
                None => {
                    let detail = format!("{:?}", descriptor.dims());
                    self.add_field(Reason::ShapeOverflow, index, Descriptor::SHAPE_AT, detail);
                }
                Some(needed) if needed != descriptor.byte_len => {
                    let detail = format!("{} instead of {needed}", descriptor.byte_len);
                    self.add_field(Reason::ByteLen, index, Descriptor::BYTE_LEN_AT, detail);
                }
                Some(_) => {
                    let block = u64::from(descriptor.block_size);
                    if descriptor.is_opaque()
                        && descriptor.byte_len.checked_rem(block).is_some_and(|left| left != 0)
                    {
                        let detail = format!("{} in blocks of {block}", descriptor.byte_len);
                        self.add_field(Reason::ByteLen, index, Descriptor::BYTE_LEN_AT, detail);
                    }
                }
            }
            let Header { payload_base, payload_bytes, .. } = self.header;
            let stop = descriptor.byte_offset.checked_add(descriptor.byte_len);
            let inside = descriptor.byte_offset >= payload_base
                && stop.is_some_and(|stop| stop <= end(payload_base, payload_bytes));
            if !inside {
                let detail = format!("{} bytes at {}", descriptor.byte_len, descriptor.byte_offset);
                self.add_field(Reason::PayloadRange, index, Descriptor::BYTE_OFFSET_AT, detail);
            }
        }
    }

    /// Step 9b.
    fn overlaps(&mut self) {
        let mut ranges: Vec<(u64, usize, u64)> = (0..)
            .zip(&self.descriptors)
            .filter(|(_, descriptor)| descriptor.byte_len > 0)
            .map(|(index, descriptor)| (descriptor.byte_offset, index, descriptor.byte_len))
            .collect();
        ranges.sort_unstable();
        for (&(start, first, len), &(next, second, _)) in ranges.iter().zip(ranges.iter().skip(1)) {
            if end(start, len) > next {
                let detail = format!("with tensor {first}");
                self.add_field(Reason::Overlap, second, Descriptor::BYTE_OFFSET_AT, detail);
            }
        }
    }

    /// Step 10.
    fn placement(&mut self) {
        let mut cursor = self.header.payload_base;
        for index in 0..self.descriptors.len() {
            let Some(&Descriptor { byte_offset, byte_len, .. }) = self.descriptors.get(index) else { break };
            let place = cursor.checked_next_multiple_of(ALIGNMENT).unwrap_or(u64::MAX);
            if byte_offset != place {
                let detail = format!("{byte_offset} instead of {place}");
                self.add_field(Reason::Placement, index, Descriptor::BYTE_OFFSET_AT, detail);
            }
            cursor = end(byte_offset, byte_len);
        }
        let canonical = cursor.saturating_sub(self.header.payload_base);
        if self.header.payload_bytes != canonical {
            let detail = format!("{} instead of {canonical}", self.header.payload_bytes);
            self.add(Reason::PayloadBytes, Header::PAYLOAD_BYTES_AT as u64, None, detail);
        }
        let mut ranges: Vec<(u64, u64)> =
            self.descriptors.iter().map(|d| (d.byte_offset, end(d.byte_offset, d.byte_len))).collect();
        ranges.sort_unstable();
        let block_end = end(self.header.payload_base, self.header.payload_bytes);
        ranges.push((block_end, block_end));
        let mut covered = self.header.payload_base;
        for (start, stop) in ranges {
            if start > covered {
                self.zeros(Reason::Gap, covered, start.min(block_end));
            }
            covered = covered.max(stop);
        }
    }

    /// Step 11a.
    fn payloads(&mut self) {
        for index in 0..self.descriptors.len() {
            let Some(&descriptor) = self.descriptors.get(index) else { break };
            let start = descriptor.byte_offset;
            let payload = self.between(start, end(start, descriptor.byte_len));
            match descriptor.element_type() {
                Some(Dtype::Bool) => {
                    let payload = self.look(payload);
                    if let Some(first) = payload.iter().position(|&byte| byte > 1) {
                        let count = payload.iter().filter(|&&byte| byte > 1).count();
                        let detail = format!("{count} of {} bytes", payload.len());
                        self.add(Reason::BoolPayload, end(start, first as u64), Some(index), detail);
                    }
                }
                Some(dtype) if dtype.is_packed() => {
                    let odd = element_count(descriptor.dims()).is_some_and(|count| count % 2 == 1);
                    let whole = payload.len() as u64 == descriptor.byte_len;
                    if let (true, true, Some((last, before))) = (odd, whole, payload.split_last()) {
                        if last & 0xf0 != 0 {
                            let at = end(start, before.len() as u64);
                            self.add(Reason::HighNibble, at, Some(index), format!("byte {last:#04x}"));
                        }
                    }
                }
                _ => {}
            }
        }
    }

    /// Step 11b, every field of every link.
    fn links(&mut self) {
        for index in 0..self.descriptors.len() {
            let Some(&descriptor) = self.descriptors.get(index) else { break };
            let Descriptor { quant_scheme: scheme, quant_axis: axis, group_size, .. } = descriptor;
            let linked = scheme != 0;
            if scheme > 2 || (linked && descriptor.is_opaque()) {
                let detail = format!("scheme {scheme}");
                self.add_field(Reason::QuantScheme, index, Descriptor::QUANT_SCHEME_AT, detail);
                continue;
            }
            let axis_fits = if linked { usize::from(axis) < descriptor.dims().len() } else { axis == 0 };
            if !axis_fits {
                self.add_field(Reason::QuantAxis, index, Descriptor::QUANT_AXIS_AT, format!("axis {axis}"));
            }
            if linked != (group_size != 0) {
                let detail = format!("group size {group_size}");
                self.add_field(Reason::GroupSize, index, Descriptor::GROUP_SIZE_AT, detail);
            }
            if let Some(detail) = self.scale_fault(index) {
                self.add_field(Reason::ScaleIndex, index, Descriptor::SCALE_INDEX_AT, detail);
            }
            if let Some(detail) = self.outer_fault(index) {
                self.add_field(Reason::OuterIndex, index, Descriptor::OUTER_INDEX_AT, detail);
            }
        }
    }

    /// The tensor that a link names, or what is wrong with that.
    fn linked(&self, index: usize, to: u32) -> Result<&Descriptor, String> {
        let linked = usize::try_from(to).ok().and_then(|to| self.descriptors.get(to));
        match linked {
            None => Err(format!("there is no tensor {to}")),
            Some(_) if to as usize == index => Err("it names the tensor itself".into()),
            Some(linked) if linked.quant_scheme != 0 => Err(format!("tensor {to} has a scale of its own")),
            Some(linked) => Ok(linked),
        }
    }

    fn scale_fault(&self, index: usize) -> Option<String> {
        let descriptor = self.descriptors.get(index)?;
        let to = descriptor.scale_index;
        if descriptor.quant_scheme == 0 {
            return (to != 0).then(|| format!("{to} without a scheme"));
        }
        let scale = match self.linked(index, to) {
            Ok(scale) if scale.is_opaque() => return Some(format!("tensor {to} is opaque")),
            Ok(scale) => scale,
            Err(detail) => return Some(detail),
        };
        let mut groups = descriptor.dims().to_vec();
        let group_size = u64::from(descriptor.group_size);
        match groups.get_mut(usize::from(descriptor.quant_axis)) {
            Some(dim) if group_size != 0 => *dim = dim.div_ceil(group_size),
            // The axis or the group size was at fault; there is nothing to count by.
            _ => return None,
        }
        let (needed, there) = (element_count(&groups), element_count(scale.dims()));
        (needed.is_none() || needed != there).then(|| {
            let show = |count: Option<u64>| count.map_or("more than 2^64".into(), |count| count.to_string());
            format!("tensor {to} has {} elements for {} groups", show(there), show(needed))
        })
    }

    fn outer_fault(&self, index: usize) -> Option<String> {
        let descriptor = self.descriptors.get(index)?;
        let to = descriptor.outer_index;
        if descriptor.quant_scheme != 2 {
            return (to != 0).then(|| format!("{to} without scheme 2"));
        }
        match self.linked(index, to) {
            Err(detail) => Some(detail),
            Ok(outer) if outer.dtype != Dtype::F32.code() => Some(format!("tensor {to} is not f32")),
            Ok(outer) if element_count(outer.dims()) != Some(1) => {
                Some(format!("tensor {to} has another count than one element"))
            }
            Ok(_) => None,
        }
    }

    /// Step 12.
    fn trailing(&mut self) {
        let block_end = end(self.header.payload_base, self.header.payload_bytes);
        let len = self.bytes.len() as u64;
        let structure = [Code::Frame, Code::Eof, Code::Limit];
        // Only a block whose header stands has an end.
        let headless = self.findings.iter().any(|finding| {
            finding.reason.step().is_some_and(|step| step <= 7) && structure.contains(&finding.reason.code())
        });
        let stands = !headless && block_end >= Header::LEN as u64;
        if let (true, Some(left @ 1..)) = (stands, len.checked_sub(block_end)) {
            self.add(Reason::TrailingBlock, block_end, None, format!("{left} bytes"));
        }
    }
}

/// The name of a tensor, as far as one can be told.
pub(super) fn name(bytes: &[u8], index: usize) -> Option<&[u8]> {
    let header = Header::read(bytes.first_chunk()?);
    let heap = Descriptor::LEN.checked_mul(usize::try_from(header.tensor_count).ok()?)?;
    let heap = Header::LEN.checked_add(heap)?;
    let start = Header::LEN.checked_add(index.checked_mul(Descriptor::LEN)?)?;
    let descriptor = Descriptor::read(bytes.get(start..)?.first_chunk()?);
    let start = heap.checked_add(usize::try_from(descriptor.name_offset).ok()?)?;
    let name = bytes.get(start..)?.get(..usize::try_from(descriptor.name_len).ok()?)?;
    (!name.is_empty()).then_some(name)
}
