//! What generating asks of the parts of a schema, found out for all of them at once.

use super::super::json::{Form, Part};
use alloc::vec;
use alloc::vec::Vec;

/// For each part the one that references lead to; a schema has no reference that leads in a circle. Time is linear
/// however long the chains are.
#[expect(clippy::indexing_slicing, reason = "parts of a schema lead to parts of the same schema")]
pub(super) fn resolved(parts: &[Part]) -> Vec<u32> {
    let mut real: Vec<Option<u32>> = vec![None; parts.len()];
    let mut way = Vec::new();
    for start in (0..).take(parts.len()) {
        let mut at: u32 = start;
        let end = loop {
            match (real[at as usize], &parts[at as usize].form) {
                (Some(end), _) => break end,
                (None, Form::Link(target)) => {
                    way.push(at);
                    at = *target;
                }
                _ => break at,
            }
        };
        real[start as usize] = Some(end);
        for part in way.drain(..) {
            real[part as usize] = Some(end);
        }
    }
    (0..).zip(real).map(|(part, end)| end.unwrap_or(part)).collect()
}

/// For each part the number of its strongly connected component among structs in the fields of structs, by Tarjan's
/// algorithm with a stack of its own: a field leads back to its struct, with no array and no map on the way, if both
/// are in one component.
#[expect(clippy::indexing_slicing, reason = "parts of a schema lead to parts of the same schema")]
#[expect(clippy::arithmetic_side_effects, reason = "parts and their fields are counted in 32 bits")]
pub(super) fn components(parts: &[Part], real: &[u32]) -> Vec<u32> {
    const NONE: u32 = u32::MAX;
    let field = |part: u32, at: usize| match &parts[part as usize].form {
        Form::Struct(fields) => fields.get(at).map(|field| real[field.part as usize]),
        _ => None,
    };
    // When each part was met, and the first one met that it leads back to.
    let (mut met, mut low) = (vec![NONE; parts.len()], vec![NONE; parts.len()]);
    let mut component = vec![NONE; parts.len()];
    let (mut time, mut components) = (0, 0);
    // Parts without a component, and those that are being gone through, each with its next field.
    let (mut open, mut way): (Vec<u32>, Vec<(u32, usize)>) = (Vec::new(), Vec::new());
    for start in (0..).take(parts.len()).filter(|&part| real[part as usize] == part) {
        if met[start as usize] != NONE {
            continue;
        }
        way.push((start, 0));
        while let Some((part, next)) = way.last_mut() {
            let (part, at) = (*part, *next);
            *next += 1;
            if at == 0 {
                (met[part as usize], low[part as usize]) = (time, time);
                time += 1;
                open.push(part);
            }
            match field(part, at) {
                Some(to) if met[to as usize] == NONE => way.push((to, 0)),
                Some(to) if component[to as usize] == NONE => {
                    low[part as usize] = low[part as usize].min(met[to as usize]);
                }
                Some(_) => {}
                None => {
                    way.pop();
                    if let Some((above, _)) = way.last() {
                        low[*above as usize] = low[*above as usize].min(low[part as usize]);
                    }
                    if low[part as usize] == met[part as usize] {
                        while let Some(of) = open.pop() {
                            component[of as usize] = components;
                            if of == part {
                                break;
                            }
                        }
                        components += 1;
                    }
                }
            }
        }
    }
    component
}
