//! What to write in the place of a keyword: what then works where the schema stands and with what stands beside it.

use super::INTEGERS;
use crate::json::{Body, Document, Node};
use crate::schema::Scalar;

/// What a schema is the schema of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// The whole document.
    Top,
    Definition,
    Property {
        required: bool,
    },
    /// The elements of an array, or the values of a map.
    Inside,
}

/// A schema, as far as advice on one of its keywords depends on the others. Made once for a schema, since looking for
/// a keyword takes as long as the schema has members.
#[derive(Clone, Copy)]
pub(super) struct Beside<'d> {
    document: &'d Document<'d>,
    place: Place,
    ty: Option<Node>,
    format: Option<Node>,
    reference: Option<Node>,
    properties: Option<Node>,
    items: Option<Node>,
    id: Option<Node>,
    /// The least and the greatest integer, where numbers say so.
    least: Option<i128>,
    most: Option<i128>,
}

impl<'d> Beside<'d> {
    pub(super) fn of(document: &'d Document<'d>, schema: Node, place: Place) -> Self {
        let (ty, format, reference, properties, items, id) = (None, None, None, None, None, None);
        let (least, most) = (None, None);
        let mut beside =
            Beside { document, place, ty, format, reference, properties, items, id, least, most };
        for (name, member) in document.members(schema) {
            let slot = match name {
                "type" => &mut beside.ty,
                "format" => &mut beside.format,
                "$ref" => &mut beside.reference,
                "properties" => &mut beside.properties,
                "items" => &mut beside.items,
                "$id" => &mut beside.id,
                "minimum" | "exclusiveMinimum" => {
                    let bound = integer(document, member)
                        .map(|bound| bound.saturating_add((name != "minimum").into()));
                    beside.least = beside.least.max(bound);
                    continue;
                }
                "maximum" | "exclusiveMaximum" => {
                    let bound = integer(document, member)
                        .map(|bound| bound.saturating_sub((name != "maximum").into()));
                    beside.most = beside.most.map_or(bound, |most| Some(bound.map_or(most, |b| b.min(most))));
                    continue;
                }
                _ => continue,
            };
            // Of a name that stands twice the first counts.
            *slot = slot.or(Some(member));
        }
        beside
    }

    fn ty(&self) -> Option<&'d str> {
        self.document.text(self.ty?)
    }

    /// What to write instead of a keyword that stands in the schema.
    pub(super) fn instead_of(&self, keyword: &str, member: Node) -> &'static str {
        match keyword {
            "type"
            | "properties"
            | "required"
            | "additionalProperties"
            | "items"
            | "format"
            | "contentEncoding"
                if self.reference.is_some() =>
            {
                "beside `$ref` only words may stand: `title`, `description` and the like"
            }
            "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" => self.range(keyword, member),
            "multipleOf" => "remove it, and check the number before encoding",
            "minLength" | "maxLength" | "pattern" | "contentMediaType" | "contentSchema" => {
                "remove it, and check the text before encoding"
            }
            "minItems" | "maxItems" | "uniqueItems" | "contains" | "minContains" | "maxContains" => {
                "remove it, and check the array before encoding"
            }
            "minProperties" | "maxProperties" | "dependentRequired" | "dependentSchemas" | "dependencies" => {
                "remove it, and check the object before encoding"
            }
            "patternProperties" if self.properties.is_some() => {
                "an object is either a struct or a map: write a property whose object says the map, \
                 as `additionalProperties` with one schema"
            }
            "patternProperties" => "say a map as `additionalProperties` with one schema",
            "propertyNames" => "remove it, and check the names before encoding",
            "unevaluatedProperties" => "remove it: an object has no other properties than it says",
            "enum" | "const" => self.values(keyword, member),
            "anyOf" | "oneOf" | "allOf" => self.union(keyword, member),
            "if" | "then" | "else" | "not" => "remove it, and check before encoding",
            "nullable" => self.nullable(member),
            "additionalItems" | "unevaluatedItems"
                if self.items.is_some_and(|items| *self.document.body(items) == Body::Object) =>
            {
                "remove it: `items` is the schema of every element"
            }
            "prefixItems" | "additionalItems" | "unevaluatedItems" => {
                "write an object with a named property for each element"
            }
            "$defs" | "definitions" => {
                "move the definitions to the top of the document, and refer to them as \"#/$defs/NAME\""
            }
            "$dynamicRef" | "$recursiveRef" => "write `$ref` to a definition at the top of the document",
            "$anchor" | "$dynamicAnchor" | "$recursiveAnchor" | "$vocabulary" => {
                "remove it, and refer to definitions as \"#/$defs/NAME\""
            }
            "$id" | "id" if self.place != Place::Top => {
                "only the whole document may have one: remove it, and refer to definitions as \"#/$defs/NAME\""
            }
            "id" if self.id.is_some() => "remove it: `$id` says it",
            "id" => "write `$id`",
            "required" if matches!(self.document.body(member), Body::Bool(_)) => {
                "remove it: the names of the required properties stand in the `required` of their object"
            }
            "properties" | "required" | "additionalProperties" => "it belongs to `type`: \"object\"",
            "items" => "it belongs to `type`: \"array\"",
            "format" => self.format(member),
            "contentEncoding" => "it belongs to `type`: \"string\"",
            _ => "remove it, or move what it says into `description` or `$comment`",
        }
    }

    fn range(&self, keyword: &str, bound: Node) -> &'static str {
        const CHECK: &str = "remove it, and check the range before encoding";
        if self.reference.is_some() || self.ty() != Some("integer") {
            return CHECK;
        }
        let Some(format) = self.format else { return narrowest(self.least, self.most).unwrap_or(CHECK) };
        let format = self.document.text(format);
        let width = INTEGERS.iter().find(|(name, _)| Some(*name) == format);
        let (Some((_, width)), Some(bound)) = (width, integer(self.document, bound)) else { return CHECK };
        let (least, most) = limits(*width);
        let holds = match keyword {
            "minimum" => bound <= least,
            "exclusiveMinimum" => bound < least,
            "maximum" => bound >= most,
            _ => bound > most,
        };
        if holds { "remove it: no integer of this `format` is beyond it" } else { CHECK }
    }

    fn format(&self, member: Node) -> &'static str {
        match (self.ty(), self.document.text(member)) {
            (Some("string"), Some("binary" | "byte" | "base64")) => {
                "for bytes write `contentEncoding`: \"base64\" in its place"
            }
            (Some("string"), _) => {
                "remove it, and check the text before encoding: it chooses the width of an integer or a number, \
                 and nothing else has one"
            }
            _ => "remove it: it chooses the width of an integer or a number, and nothing else has one",
        }
    }

    fn nullable(&self, member: Node) -> &'static str {
        match (self.document.body(member), self.place) {
            (Body::Bool(false), _) => "remove it",
            (_, Place::Property { required: true }) => {
                "remove it, and leave the property out of `required` instead"
            }
            (_, Place::Property { required: false }) => {
                "remove it: the property is not in `required`, so it may be absent"
            }
            (_, Place::Definition) => {
                "remove it, and leave the properties that refer to this out of `required` instead"
            }
            (_, Place::Top | Place::Inside) => {
                "remove it, and put the schema into an object, as a property that is not in `required`"
            }
        }
    }

    fn union(&self, keyword: &str, member: Node) -> &'static str {
        let union = Union::of(self.document, keyword, member);
        match (union, self.place) {
            (Union::Nullable(_), Place::Property { required: true }) => {
                "write the schema that is not null in its place, and leave the property out of `required`"
            }
            (Union::Nullable(_), Place::Property { required: false }) => {
                "write the schema that is not null in its place: the property is not in `required`, \
                 so it may be absent"
            }
            (Union::Nullable(_), Place::Definition) => {
                "write the schema that is not null in its place, and leave the properties that refer to this \
                 out of `required`"
            }
            (Union::Nullable(_), Place::Top | Place::Inside) => {
                "write an object in its place that has the schema that is not null as a property, \
                 and not in `required`"
            }
            (Union::One(_), _) => "write its one schema in its place",
            (Union::Values(ty), _) => ty_in_place(ty),
            (Union::Cases { null: true }, _) => {
                "write an object with a property for each case but null, none of them in `required`"
            }
            (Union::Cases { null: false }, _) => {
                "write an object with a property for each case, none of them in `required`"
            }
            (Union::All, _) => "write the properties of all parts into one object",
        }
    }

    fn values(&self, keyword: &str, member: Node) -> &'static str {
        if self.reference.is_some() || self.ty().is_some() {
            return "remove it, and check which value it is before encoding";
        }
        match (values_of(self.document, keyword, member), self.place) {
            (Values::Of(ty), _) => ty_in_place(ty),
            (Values::Nullable, Place::Property { .. }) => {
                "say the one `type` of the values that are not null, leave the property out of `required`, \
                 and check which value it is before encoding"
            }
            (Values::Nullable, _) => {
                "write an object with a property of the one `type` that is not null, and not in `required`, \
                 and check which value it is before encoding"
            }
            (Values::Null, Place::Property { .. }) => "remove the property: null has no bytes",
            (Values::Null, _) => "remove it, and say a `type` that has values",
            _ => {
                "write an object with a property for each `type` that the values have, none of them in `required`, \
                 and check which value it is before encoding"
            }
        }
    }

    /// What may stand as a `type` where several do.
    pub(super) fn one_type(&self, types: Node) -> &'static str {
        let names = || self.document.parts(types).map(|part| self.document.text(part));
        let null = names().any(|name| name == Some("null"));
        let others = names().filter(|name| *name != Some("null")).count();
        match (null, others, self.place) {
            (true, 1, Place::Property { required: true }) => {
                "the type that is not null, by its name alone; leave the property out of `required`, \
                 so that it may be absent"
            }
            (true, 1, Place::Property { required: false }) => {
                "the type that is not null, by its name alone: the property is not in `required`, so it may be absent"
            }
            (true, 1, Place::Definition) => {
                "the type that is not null, by its name alone; leave the properties that refer to this \
                 out of `required`"
            }
            (true, 1, Place::Top | Place::Inside) => {
                "an object, with what is not null as a property that is not in `required`"
            }
            (false, 1, _) => "one type, by its name alone",
            (_, 0, _) => "one type by name",
            (true, ..) => {
                "one type by name; for several write an object with a property for each but null, \
                 none of them in `required`"
            }
            (false, ..) => {
                "one type by name; for several write an object with a property for each, \
                 none of them in `required`"
            }
        }
    }

    /// What may stand as a `type` in place of null.
    pub(super) fn no_null(&self) -> &'static str {
        match self.place {
            Place::Property { .. } => "a type with values; leave out the property instead",
            _ => "a type with values, which null has not",
        }
    }
}

/// What the alternatives or parts of a schema are.
pub(super) enum Union {
    /// One, beside null.
    Nullable(Node),
    /// One alone.
    One(Node),
    /// Values of one type, by the type's name.
    Values(&'static str),
    Cases {
        null: bool,
    },
    /// Schemas that all hold.
    All,
}

impl Union {
    pub(super) fn of(document: &Document<'_>, keyword: &str, member: Node) -> Union {
        let of_null = |part: &Node| {
            document.members(*part).any(|(name, value)| match name {
                "type" => document.text(value) == Some("null"),
                "const" | "enum" => matches!(values_of(document, name, value), Values::Null),
                _ => false,
            })
        };
        let array = *document.body(member) == Body::Array;
        let all = || document.parts(member).filter(|_| array);
        let mut others = all().filter(|part| !of_null(part));
        let null = all().any(|part| of_null(&part));
        match (keyword, others.next(), others.next()) {
            (_, Some(one), None) if !null => Union::One(one),
            ("allOf", ..) => Union::All,
            (_, Some(one), None) => Union::Nullable(one),
            _ => match (null, literals(document, all())) {
                (false, Some(ty)) => Union::Values(ty),
                _ => Union::Cases { null },
            },
        }
    }

    /// The one schema that the advice writes in the place of the union.
    pub(super) fn one(&self) -> Option<Node> {
        match self {
            Union::Nullable(one) | Union::One(one) => Some(*one),
            Union::Values(_) | Union::Cases { .. } | Union::All => None,
        }
    }
}

/// The one type of schemas that each say a scalar type or values, and no more.
fn literals(document: &Document<'_>, schemas: impl Iterator<Item = Node>) -> Option<&'static str> {
    let mut all = None;
    for schema in schemas {
        let mut one = None;
        for (name, member) in document.members(schema) {
            let ty = match name {
                "type" => *["boolean", "integer", "number", "string"]
                    .iter()
                    .find(|ty| document.text(member) == Some(**ty))?,
                "enum" | "const" => match values_of(document, name, member) {
                    Values::Of(ty) => ty,
                    _ => return None,
                },
                "title" | "description" | "$comment" | "deprecated" | "examples" | "default" => continue,
                _ => return None,
            };
            // `type` says more than the values of a `const`: 1 may be a number.
            one = if name == "type" { Some(ty) } else { one.or(Some(ty)) };
        }
        if all.is_some_and(|all| Some(all) != one) {
            return None;
        }
        all = Some(one?);
    }
    all
}

/// What `enum` or `const` lists.
enum Values {
    /// Values of one type, by its name.
    Of(&'static str),
    /// Values of one type, and null.
    Nullable,
    Null,
    Other,
}

fn values_of(document: &Document<'_>, keyword: &str, member: Node) -> Values {
    let (mut one, mut null) = (None, false);
    let array = keyword == "enum";
    if array && *document.body(member) != Body::Array {
        return Values::Other;
    }
    let alone = (!array).then_some(member);
    for value in alone.into_iter().chain(document.parts(member).filter(|_| array)) {
        let ty = match document.body(value) {
            Body::Null => {
                null = true;
                continue;
            }
            Body::Bool(_) => "boolean",
            Body::Text(_) => "string",
            Body::Number if integer(document, value).is_some() => "integer",
            Body::Number => "number",
            Body::Object | Body::Array => return Values::Other,
        };
        one = match one {
            None => Some(ty),
            Some(one) if one == ty => Some(ty),
            Some("integer" | "number") if ty == "integer" || ty == "number" => Some("number"),
            Some(_) => return Values::Other,
        };
    }
    match (one, null) {
        (Some(ty), false) => Values::Of(ty),
        (Some(_), true) => Values::Nullable,
        (None, true) => Values::Null,
        (None, false) => Values::Other,
    }
}

/// Whether the advice on values says their type, so that none is missing.
pub(super) fn says_type(document: &Document<'_>, keyword: &str, member: Node) -> bool {
    match keyword {
        "enum" | "const" => matches!(values_of(document, keyword, member), Values::Of(_)),
        "anyOf" | "oneOf" | "allOf" => {
            matches!(
                Union::of(document, keyword, member),
                Union::Nullable(_) | Union::One(_) | Union::Values(_)
            )
        }
        _ => false,
    }
}

fn ty_in_place(ty: &str) -> &'static str {
    match ty {
        "boolean" => "write `type`: \"boolean\" in its place, and check which value it is before encoding",
        "integer" => "write `type`: \"integer\" in its place, and check which value it is before encoding",
        "number" => "write `type`: \"number\" in its place, and check which value it is before encoding",
        _ => "write `type`: \"string\" in its place, and check which value it is before encoding",
    }
}

/// The integer that a number says, however it is written, where that is beyond doubt.
fn integer(document: &Document<'_>, node: Node) -> Option<i128> {
    if *document.body(node) != Body::Number {
        return None;
    }
    // No width needs more digits, and a longer number is not worth reading.
    let source = Some(document.source(node)).filter(|source| source.len() <= 40)?;
    source.parse().ok().or_else(|| {
        let number: f64 = source.parse().ok()?;
        // 2^53, below which a float says one integer.
        let exact = number.fract() == 0.0 && number.abs() <= 9_007_199_254_740_992.0;
        #[expect(clippy::cast_possible_truncation, reason = "it is an integer of 54 bits")]
        exact.then_some(number as i128)
    })
}

/// The least and the greatest integer of a width.
fn limits(scalar: Scalar) -> (i128, i128) {
    match scalar {
        Scalar::I8 => (i8::MIN.into(), i8::MAX.into()),
        Scalar::I16 => (i16::MIN.into(), i16::MAX.into()),
        Scalar::I32 => (i32::MIN.into(), i32::MAX.into()),
        Scalar::U8 => (0, u8::MAX.into()),
        Scalar::U16 => (0, u16::MAX.into()),
        Scalar::U32 => (0, u32::MAX.into()),
        Scalar::U64 => (0, u64::MAX.into()),
        _ => (i64::MIN.into(), i64::MAX.into()),
    }
}

/// Advice to say the narrowest width that holds a range, if that is not the one that an integer has anyway.
fn narrowest(least: Option<i128>, most: Option<i128>) -> Option<&'static str> {
    let least = least.unwrap_or(i64::MIN.into());
    let most = most.unwrap_or(if least >= 0 { u64::MAX.into() } else { i64::MAX.into() });
    let holds = |scalar: Scalar| limits(scalar).0 <= least && most <= limits(scalar).1;
    let signs = [Scalar::U8, Scalar::U16, Scalar::U32, Scalar::U64, Scalar::I8, Scalar::I16, Scalar::I32];
    Some(match signs.into_iter().find(|&scalar| holds(scalar))? {
        Scalar::U8 => {
            "remove it and write `format`: \"uint8\", which holds the range; check that before encoding"
        }
        Scalar::U16 => {
            "remove it and write `format`: \"uint16\", which holds the range; check that before encoding"
        }
        Scalar::U32 => {
            "remove it and write `format`: \"uint32\", which holds the range; check that before encoding"
        }
        Scalar::U64 => {
            "remove it and write `format`: \"uint64\", which holds the range; check that before encoding"
        }
        Scalar::I8 => {
            "remove it and write `format`: \"int8\", which holds the range; check that before encoding"
        }
        Scalar::I16 => {
            "remove it and write `format`: \"int16\", which holds the range; check that before encoding"
        }
        _ => "remove it and write `format`: \"int32\", which holds the range; check that before encoding",
    })
}
