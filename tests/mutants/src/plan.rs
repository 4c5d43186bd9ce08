//! Where in a source file a mutant goes, and the file with all of its mutants built in.
//!
//! A mutant becomes a branch that is taken when its number is the one of this run. In a mutated branch stands the
//! source as it was, so branches do not multiply: `a + b * c` becomes
//! `(if on(1) { (a) - (b * c) } else { (a) + (if on(2) { (b) + (c) } else { (b) * (c) }) })`.

use std::collections::HashMap;
use std::ops::Range;

use anyhow::{Context, Result};
use proc_macro2::{LineColumn, Span};
use syn::spanned::Spanned;
use syn::visit::{self, Visit};

use crate::Mutant;

/// Bytes of the written file that belong to mutants; an error of the compiler there is theirs.
pub struct Claim {
    pub bytes: Range<usize>,
    pub mutants: Vec<usize>,
}

/// A place that mutants change.
struct Site {
    bytes: Range<usize>,
    kind: Kind,
    mutants: Vec<usize>,
}

enum Kind {
    /// The beginning of a function's body.
    Body,
    Binary {
        left: Range<usize>,
        op: Range<usize>,
        right: Range<usize>,
    },
    Unary {
        op: Range<usize>,
        operand: Range<usize>,
    },
    /// The guard of an arm, or where one would stand.
    Arm {
        guard: Option<Range<usize>>,
        deleted: Option<usize>,
    },
    /// A match, for what its arms leave open when one of them is deleted.
    Match,
    /// A literal of a struct, and for each mutant the field that it leaves out.
    Struct {
        fields: Vec<Range<usize>>,
    },
}

/// What becomes of one file: its text, whose bytes are whose, and the mutants that no branch can stand for.
pub struct Written {
    pub text: String,
    pub claims: Vec<Claim>,
    pub constant: Vec<usize>,
}

/// Builds those of `mutants` into `source` that `wanted` names.
pub fn write(source: &str, mutants: &[Mutant], wanted: &[usize]) -> Result<Written> {
    let file = syn::parse_file(source).context("is not Rust")?;
    let mut starts: HashMap<(usize, usize), Vec<usize>> = HashMap::new();
    for &id in wanted {
        let at = &mutants[id].span.start;
        starts.entry((at.line, at.column - 1)).or_default().push(id);
    }
    let mut finder = Finder { mutants, starts, sites: Vec::new(), constant: Vec::new(), within_constant: 0 };
    finder.visit_file(&file);
    let Finder { mut sites, mut constant, starts, .. } = finder;
    constant.extend(starts.into_values().flatten()); // what was not found
    sites.sort_by_key(|site| {
        (site.bytes.start, !matches!(site.kind, Kind::Body), std::cmp::Reverse(site.bytes.end))
    });
    let mut writer = Writer { source, mutants, text: String::new(), claims: Vec::new() };
    writer.copy(0..source.len(), &sites);
    Ok(Written { text: writer.text, claims: writer.claims, constant })
}

struct Finder<'a> {
    mutants: &'a [Mutant],
    starts: HashMap<(usize, usize), Vec<usize>>,
    sites: Vec<Site>,
    constant: Vec<usize>,
    within_constant: usize,
}

impl Finder<'_> {
    /// The mutants of these genres that begin there; none inside what the compiler evaluates.
    fn take(&mut self, at: LineColumn, genres: &[&str]) -> Vec<usize> {
        let key = (at.line, at.column);
        let mutants = self.mutants;
        let Some(here) = self.starts.get_mut(&key) else { return Vec::new() };
        let (taken, left): (Vec<usize>, Vec<usize>) =
            here.drain(..).partition(|&id| genres.contains(&mutants[id].genre.as_str()));
        *here = left;
        // A function that says only what its value can do has one type of value, and the branch is of another.
        let (built, left): (Vec<usize>, Vec<usize>) =
            taken.into_iter().partition(|&id| self.within_constant == 0 && !mutants[id].gives_some_type());
        self.constant.extend(left);
        built
    }

    fn site(&mut self, bytes: Range<usize>, kind: Kind, mutants: Vec<usize>) {
        if !mutants.is_empty() {
            self.sites.push(Site { bytes, kind, mutants });
        }
    }

    fn constantly(&mut self, visit: impl FnOnce(&mut Self)) {
        self.within_constant += 1;
        visit(self);
        self.within_constant -= 1;
    }

    fn body(&mut self, constant: bool, block: &syn::Block) {
        self.within_constant += usize::from(constant);
        if let Some(first) = block.stmts.first() {
            let taken = self.take(first.span().start(), &["FnValue"]);
            let at = first.span().byte_range().start;
            self.site(at..at, Kind::Body, taken);
        }
        self.visit_block(block);
        self.within_constant -= usize::from(constant);
    }
}

fn bytes(span: Span) -> Range<usize> {
    span.byte_range()
}

impl<'ast> Visit<'ast> for Finder<'_> {
    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        self.body(item.sig.constness.is_some(), &item.block);
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        self.body(item.sig.constness.is_some(), &item.block);
    }

    fn visit_trait_item_fn(&mut self, item: &'ast syn::TraitItemFn) {
        if let Some(block) = &item.default {
            self.body(item.sig.constness.is_some(), block);
        }
    }

    fn visit_item_const(&mut self, item: &'ast syn::ItemConst) {
        self.constantly(|finder| visit::visit_item_const(finder, item));
    }

    fn visit_impl_item_const(&mut self, item: &'ast syn::ImplItemConst) {
        self.constantly(|finder| visit::visit_impl_item_const(finder, item));
    }

    fn visit_trait_item_const(&mut self, item: &'ast syn::TraitItemConst) {
        self.constantly(|finder| visit::visit_trait_item_const(finder, item));
    }

    fn visit_item_static(&mut self, item: &'ast syn::ItemStatic) {
        self.constantly(|finder| visit::visit_item_static(finder, item));
    }

    fn visit_variant(&mut self, item: &'ast syn::Variant) {
        self.constantly(|finder| visit::visit_variant(finder, item));
    }

    fn visit_expr_const(&mut self, item: &'ast syn::ExprConst) {
        self.constantly(|finder| visit::visit_expr_const(finder, item));
    }

    fn visit_generic_argument(&mut self, item: &'ast syn::GenericArgument) {
        self.constantly(|finder| visit::visit_generic_argument(finder, item));
    }

    fn visit_type_array(&mut self, item: &'ast syn::TypeArray) {
        self.constantly(|finder| visit::visit_type_array(finder, item));
    }

    fn visit_expr_repeat(&mut self, item: &'ast syn::ExprRepeat) {
        self.visit_expr(&item.expr);
        self.constantly(|finder| finder.visit_expr(&item.len));
    }

    fn visit_expr_binary(&mut self, item: &'ast syn::ExprBinary) {
        let taken = self.take(item.op.span().start(), &["BinaryOperator"]);
        let kind = Kind::Binary {
            left: bytes(item.left.span()),
            op: bytes(item.op.span()),
            right: bytes(item.right.span()),
        };
        self.site(bytes(item.span()), kind, taken);
        visit::visit_expr_binary(self, item);
    }

    fn visit_expr_unary(&mut self, item: &'ast syn::ExprUnary) {
        let taken = self.take(item.op.span().start(), &["UnaryOperator"]);
        let kind = Kind::Unary { op: bytes(item.op.span()), operand: bytes(item.expr.span()) };
        self.site(bytes(item.span()), kind, taken);
        visit::visit_expr_unary(self, item);
    }

    fn visit_expr_match(&mut self, item: &'ast syn::ExprMatch) {
        let arms = item.arms.iter().map(|arm| arm.span().start());
        let deleted: Vec<usize> = arms
            .flat_map(|at| self.starts.get(&(at.line, at.column)).into_iter().flatten())
            .copied()
            .filter(|&id| self.mutants[id].genre == "MatchArm")
            .collect();
        if self.within_constant == 0 {
            self.site(bytes(item.span()), Kind::Match, deleted);
        }
        visit::visit_expr_match(self, item);
    }

    fn visit_arm(&mut self, arm: &'ast syn::Arm) {
        let deleted = self.take(arm.span().start(), &["MatchArm"]);
        let (guard, at) = match &arm.pat {
            syn::Pat::Guard(pat) => {
                let guard = bytes(pat.guard.span());
                (Some(guard.clone()), guard)
            }
            pat => (None, bytes(pat.span()).end..bytes(pat.span()).end),
        };
        let mut taken = match &arm.pat {
            syn::Pat::Guard(pat) => self.take(pat.guard.span().start(), &["MatchArmGuard"]),
            _ => Vec::new(),
        };
        taken.extend(&deleted);
        self.site(at, Kind::Arm { guard, deleted: deleted.first().copied() }, taken);
        visit::visit_arm(self, arm);
    }

    fn visit_expr_struct(&mut self, item: &'ast syn::ExprStruct) {
        let (mut taken, mut fields) = (Vec::new(), Vec::new());
        for field in item.fields.pairs() {
            let range = bytes(field.span());
            for id in self.take(field.value().span().start(), &["StructField"]) {
                taken.push(id);
                fields.push(range.clone());
            }
        }
        self.site(bytes(item.span()), Kind::Struct { fields }, taken);
        visit::visit_expr_struct(self, item);
    }
}

struct Writer<'a> {
    source: &'a str,
    mutants: &'a [Mutant],
    text: String,
    claims: Vec<Claim>,
}

impl Writer<'_> {
    /// Those bytes of the source, with the sites in them.
    fn copy(&mut self, bytes: Range<usize>, sites: &[Site]) {
        let mut at = bytes.start;
        let mut sites = sites;
        while let Some((site, rest)) = sites.split_first() {
            let inside = rest.iter().take_while(|inner| inner.bytes.start < site.bytes.end).count();
            let (inner, after) = rest.split_at(inside);
            sites = after;
            if site.bytes.start < bytes.start || site.bytes.end > bytes.end {
                continue; // of a sibling
            }
            self.text.push_str(&self.source[at..site.bytes.start]);
            let from = self.text.len();
            self.put(site, inner);
            self.claims.push(Claim { bytes: from..self.text.len(), mutants: site.mutants.clone() });
            at = site.bytes.end;
        }
        self.text.push_str(&self.source[at..bytes.end]);
    }

    /// The sites that lie in those bytes.
    fn part(&mut self, bytes: &Range<usize>, sites: &[Site]) {
        let from = sites.partition_point(|site| site.bytes.start < bytes.start);
        let to = from + sites[from..].iter().take_while(|site| site.bytes.start < bytes.end).count();
        self.copy(bytes.clone(), &sites[from..to]);
    }

    /// One branch, whose errors are that mutant's.
    fn branch(&mut self, id: usize, text: &str) {
        let from = self.text.len();
        self.text.push_str(text);
        self.claims.push(Claim { bytes: from..self.text.len(), mutants: vec![id] });
    }

    fn put(&mut self, site: &Site, inner: &[Site]) {
        let (source, mutants) = (self.source, self.mutants);
        let raw = |bytes: &Range<usize>| &source[bytes.clone()];
        match &site.kind {
            Kind::Body => {
                for &id in &site.mutants {
                    let value = &mutants[id].replacement;
                    self.branch(id, &format!("if crate::mutant::on({}) {{ return {value}; }} ", id + 1));
                }
            }
            Kind::Binary { left, op, right } => {
                let (left_was, right_was, op_was) = (raw(left), raw(right), raw(op));
                self.text.push('(');
                for &id in &site.mutants {
                    let op = &mutants[id].replacement;
                    self.branch(
                        id,
                        &format!(
                            "if crate::mutant::on({}) {{ ({left_was}) {op} ({right_was}) }} else ",
                            id + 1
                        ),
                    );
                }
                self.text.push_str("{ (");
                self.part(left, inner);
                self.text.push_str(&format!(") {op_was} ("));
                self.part(right, inner);
                self.text.push_str(") })");
            }
            Kind::Unary { op, operand } => {
                let (op_was, operand_was) = (raw(op), raw(operand));
                self.text.push('(');
                for &id in &site.mutants {
                    self.branch(id, &format!("if crate::mutant::on({}) {{ {operand_was} }} else ", id + 1));
                }
                self.text.push_str(&format!("{{ {op_was}("));
                self.part(operand, inner);
                self.text.push_str(") })");
            }
            Kind::Arm { guard, deleted } => {
                if guard.is_none() {
                    self.text.push_str(" if ");
                }
                if let Some(id) = deleted {
                    self.branch(*id, &format!("!crate::mutant::on({}) && ", id + 1));
                }
                self.text.push('(');
                let guards = site.mutants.iter().filter(|id| Some(**id) != *deleted);
                let (always, never): (Vec<usize>, Vec<usize>) =
                    guards.partition(|&&id| mutants[id].replacement == "true");
                for id in always {
                    self.branch(id, &format!("crate::mutant::on({}) || ", id + 1));
                }
                for id in never {
                    self.branch(id, &format!("!crate::mutant::on({}) && ", id + 1));
                }
                match guard {
                    None => self.text.push_str("true)"),
                    Some(guard) => {
                        self.text.push('(');
                        self.part(guard, inner);
                        self.text.push_str("))");
                    }
                }
            }
            Kind::Match => self.copy(site.bytes.clone(), inner),
            Kind::Struct { fields } => {
                self.text.push('(');
                for (&id, field) in site.mutants.iter().zip(fields) {
                    let before = &self.source[site.bytes.start..field.start];
                    let after = &self.source[field.end..site.bytes.end];
                    self.branch(id, &format!("if crate::mutant::on({}) {{ {before}{after} }} else ", id + 1));
                }
                self.text.push_str("{ ");
                self.copy(site.bytes.clone(), inner);
                self.text.push_str(" })");
            }
        }
    }
}
