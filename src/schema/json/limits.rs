//! How little a value of each part of a schema can be: whether it can take no bytes, how few containers it nests.

use super::{Form, Part};

/// How many objects may stand in one that takes no bytes: whoever reads it goes through all of them for nothing, and
/// references say in a few lines what has more of them than there are seconds.
pub(super) const MAX_EMPTY: u64 = 1024;
use alloc::vec;
use alloc::vec::Vec;

/// The least that a value of a part can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cost {
    Least {
        /// Whether it takes no bytes.
        empty: bool,
        /// How many containers it nests.
        depth: u32,
        /// How many structs it has in it, itself included.
        structs: u64,
    },
    /// A reference among references that lead to nothing else.
    Circle,
    /// It has no values.
    Endless,
}

/// What a part's least value has in it of other parts.
fn needs(part: &Part) -> impl Iterator<Item = u32> + '_ {
    let (link, fields): (Option<u32>, &[_]) = match &part.form {
        Form::Link(target) => (Some(*target), &[]),
        Form::Struct(fields) => (None, fields),
        // A list or a map may have no elements.
        Form::Scalar(_) | Form::List(_) | Form::Dict(_) | Form::Broken => (None, &[]),
    };
    link.into_iter().chain(fields.iter().filter(|field| field.required).map(|field| field.part))
}

/// The cost of each part, found from those without needs upwards, so that it takes time in proportion to the schema.
#[expect(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    reason = "parts lead to parts of the same list, and what is missing was counted"
)]
#[expect(clippy::cast_possible_truncation, reason = "parts are counted in 32 bits")]
pub(super) fn costs(parts: &[Part]) -> Vec<Cost> {
    let mut missing: Vec<usize> = parts.iter().map(|part| needs(part).count()).collect();
    let mut needed_by: Vec<Vec<u32>> = vec![Vec::new(); parts.len()];
    for (at, part) in parts.iter().enumerate() {
        for need in needs(part) {
            needed_by[need as usize].push(at as u32);
        }
    }
    let mut costs = vec![Cost::Endless; parts.len()];
    let mut ready: Vec<usize> = (0..parts.len()).filter(|&at| missing[at] == 0).collect();
    while let Some(at) = ready.pop() {
        costs[at] = cost(&parts[at], &costs);
        for &by in &needed_by[at] {
            missing[by as usize] -= 1;
            if missing[by as usize] == 0 {
                ready.push(by as usize);
            }
        }
    }
    circles(parts, &mut costs);
    only_loops(parts, &needed_by, &mut costs);
    costs
}

#[expect(clippy::indexing_slicing, reason = "parts lead to parts of the same list")]
fn cost(part: &Part, costs: &[Cost]) -> Cost {
    match &part.form {
        Form::Scalar(_) | Form::Broken => Cost::Least { empty: false, depth: 0, structs: 0 },
        Form::List(_) | Form::Dict(_) => Cost::Least { empty: false, depth: 1, structs: 0 },
        Form::Link(target) => costs[*target as usize],
        Form::Struct(fields) => {
            let (mut none, mut most, mut all) = (true, 0, 1u64);
            for field in fields {
                match costs[field.part as usize] {
                    // An absent optional is a byte, and a container.
                    _ if !field.required => (none, most) = (false, most.max(1)),
                    Cost::Least { empty, depth, structs } => {
                        (none, most, all) = (none && empty, most.max(depth), all.saturating_add(structs));
                    }
                    Cost::Circle | Cost::Endless => {}
                }
            }
            Cost::Least { empty: none, depth: most.saturating_add(1), structs: all }
        }
    }
}

/// Finds the references that lead only to references.
#[expect(clippy::indexing_slicing, reason = "parts lead to parts of the same list")]
fn circles(parts: &[Part], costs: &mut [Cost]) {
    let mut settled = vec![false; parts.len()];
    for start in 0..parts.len() {
        let mut way = Vec::new();
        let mut at = start;
        while let (false, Form::Link(target), Cost::Endless) = (settled[at], &parts[at].form, costs[at]) {
            settled[at] = true;
            way.push(at);
            at = *target as usize;
        }
        // The way came back to itself.
        if let Some(from) = way.iter().position(|&part| part == at) {
            for &part in &way[from..] {
                costs[part] = Cost::Circle;
            }
        }
    }
}

/// Of the parts without values, keeps those as endless that are needed by one without values: one that only leads to
/// a loop is not at fault itself.
#[expect(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    reason = "parts lead to parts of the same list, and users were counted"
)]
fn only_loops(parts: &[Part], needed_by: &[Vec<u32>], costs: &mut [Cost]) {
    let endless: Vec<bool> = costs.iter().map(|cost| matches!(cost, Cost::Endless | Cost::Circle)).collect();
    let mut users: Vec<usize> =
        needed_by.iter().map(|by| by.iter().filter(|&&by| endless[by as usize]).count()).collect();
    let mut unused: Vec<usize> = (0..parts.len()).filter(|&at| endless[at] && users[at] == 0).collect();
    while let Some(at) = unused.pop() {
        costs[at] = Cost::Least { empty: false, depth: 0, structs: 0 };
        for need in needs(&parts[at]).filter(|&need| endless[need as usize]) {
            users[need as usize] -= 1;
            if users[need as usize] == 0 {
                unused.push(need as usize);
            }
        }
    }
}
