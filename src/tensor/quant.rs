//! Links from a tensor to the tensors that scale it. Chapter: Quantization.

use super::descriptor::Descriptor;
use super::dtype::Dtype;
use super::view::Tensor;
use crate::error::Reason;

/// How elements are grouped under scales, and where these are. Kiln checks that the link fits and multiplies
/// nothing.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Quantization<'a> {
    /// The axis along which consecutive elements share a scale.
    pub axis: usize,
    /// How many share one; the last group along the axis may be shorter.
    pub group_size: u32,
    /// The tensor that holds one element for each group, in row-major order over the shape with the axis
    /// counted in groups.
    pub scale: Tensor<'a>,
    /// Scheme 2: the tensor of one f32 that scales the scales.
    pub outer: Option<Tensor<'a>>,
}

/// A rule that a link breaks: the reason, and the place of the field in the descriptor.
pub(crate) type Broken = (Reason, usize);

/// Tests the link of tensor `index`; `tensor` gives the descriptors of the same directory, whose shapes need
/// not have been checked.
pub(crate) fn test(
    index: u64,
    descriptor: &Descriptor,
    tensor: impl Fn(u32) -> Option<Descriptor>,
) -> Result<(), Broken> {
    const SCHEME: Broken = (Reason::QuantScheme, Descriptor::QUANT_SCHEME_AT);
    const AXIS: Broken = (Reason::QuantAxis, Descriptor::QUANT_AXIS_AT);
    const GROUP_SIZE: Broken = (Reason::GroupSize, Descriptor::GROUP_SIZE_AT);
    const SCALE_INDEX: Broken = (Reason::ScaleIndex, Descriptor::SCALE_INDEX_AT);
    const OUTER_INDEX: Broken = (Reason::OuterIndex, Descriptor::OUTER_INDEX_AT);
    fn rule(holds: bool, broken: Broken) -> Result<(), Broken> {
        if holds { Ok(()) } else { Err(broken) }
    }

    let linked = descriptor.quant_scheme != 0;
    rule(descriptor.quant_scheme <= 2 && !(linked && descriptor.is_opaque()), SCHEME)?;
    if !linked {
        rule(descriptor.quant_axis == 0, AXIS)?;
        rule(descriptor.group_size == 0, GROUP_SIZE)?;
        rule(descriptor.scale_index == 0, SCALE_INDEX)?;
        return rule(descriptor.outer_index == 0, OUTER_INDEX);
    }
    rule(usize::from(descriptor.quant_axis) < descriptor.dims().len(), AXIS)?;
    rule(descriptor.group_size >= 1, GROUP_SIZE)?;
    let scale_fits = tensor(descriptor.scale_index).is_some_and(|scale| {
        let groups = groups(descriptor.dims(), descriptor.quant_axis.into(), descriptor.group_size);
        u64::from(descriptor.scale_index) != index
            && !scale.is_opaque()
            && scale.quant_scheme == 0
            && groups.is_some()
            && scale.element_count() == groups
    });
    rule(scale_fits, SCALE_INDEX)?;
    if descriptor.quant_scheme == 1 {
        return rule(descriptor.outer_index == 0, OUTER_INDEX);
    }
    let outer_fits = tensor(descriptor.outer_index).is_some_and(|outer| {
        u64::from(descriptor.outer_index) != index
            && outer.dtype == Dtype::F32.code()
            && outer.quant_scheme == 0
            && outer.element_count() == Some(1)
    });
    rule(outer_fits, OUTER_INDEX)
}

/// How many groups there are: the elements of the scale tensor. Nothing when that is 2^64 or more, which
/// takes a shape whose element count is.
pub(crate) fn groups(dims: &[u64], axis: usize, group_size: u32) -> Option<u64> {
    if dims.contains(&0) {
        return Some(0);
    }
    dims.iter().enumerate().try_fold(1u64, |groups, (at, &dim)| {
        groups.checked_mul(if at == axis { dim.div_ceil(u64::from(group_size.max(1))) } else { dim })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_are_counted_without_a_wrap() {
        assert_eq!(groups(&[2, 5], 1, 4), Some(4));
        assert_eq!(groups(&[2, 5], 0, 4), Some(5));
        assert_eq!(groups(&[4096, 11008], 1, 32), Some(1_409_024));
        assert_eq!(groups(&[u64::MAX], 0, u32::MAX), Some(4_294_967_297));
        assert_eq!(groups(&[u64::MAX], 0, 1), Some(u64::MAX));
        for dims in [[0, 1 << 63, 4], [1 << 63, 0, 4], [1 << 63, 4, 0]] {
            assert_eq!(groups(&dims, 1, 8), Some(0));
        }
    }
}
