//! Protobuf by prost. Its messages are structs of their own, since it knows no integers below 32 bits, no tuples and no
//! arrays: what is written is filled in beforehand, and what is read stays in them, both untimed.

use crate::records::format::{Format, task};
use crate::records::{log, mesh, minecraft, mk48};
use prost::Message;
use std::hint::black_box;

/// The messages. Every field that is always there is required, and lists of numbers are packed.
mod proto {

    #[derive(Clone, PartialEq, prost::Message)]
    pub struct Pair {
        #[prost(float, required, tag = 1)]
        pub x: f32,
        #[prost(float, required, tag = 2)]
        pub y: f32,
    }

    #[derive(Clone, PartialEq, prost::Message)]
    pub struct Place {
        #[prost(double, required, tag = 1)]
        pub x: f64,
        #[prost(double, required, tag = 2)]
        pub y: f64,
        #[prost(double, required, tag = 3)]
        pub z: f64,
    }

    #[derive(Clone, PartialEq, prost::Message)]
    pub struct Chunk {
        #[prost(sint32, required, tag = 1)]
        pub x: i32,
        #[prost(sint32, required, tag = 2)]
        pub y: i32,
    }

    #[derive(Clone, PartialEq, prost::Message)]
    pub struct Uuid {
        #[prost(fixed32, required, tag = 1)]
        pub a: u32,
        #[prost(fixed32, required, tag = 2)]
        pub b: u32,
        #[prost(fixed32, required, tag = 3)]
        pub c: u32,
        #[prost(fixed32, required, tag = 4)]
        pub d: u32,
    }

    #[derive(Clone, PartialEq, prost::Message)]
    pub struct Vehicle {
        #[prost(message, required, tag = 1)]
        pub uuid: Uuid,
        #[prost(message, required, tag = 2)]
        pub entity: Entity,
    }

    #[derive(Clone, PartialEq, prost::Message)]
    pub struct Address {
        #[prost(uint32, required, tag = 1)]
        pub x0: u32,
        #[prost(uint32, required, tag = 2)]
        pub x1: u32,
        #[prost(uint32, required, tag = 3)]
        pub x2: u32,
        #[prost(uint32, required, tag = 4)]
        pub x3: u32,
    }

    #[derive(Clone, PartialEq, prost::Message)]
    pub struct Log {
        #[prost(message, required, tag = 1)]
        pub address: Address,
        #[prost(string, required, tag = 2)]
        pub identity: String,
        #[prost(string, required, tag = 3)]
        pub user: String,
        #[prost(string, required, tag = 4)]
        pub date: String,
        #[prost(string, required, tag = 5)]
        pub request: String,
        #[prost(uint32, required, tag = 6)]
        pub status: u32,
        #[prost(uint64, required, tag = 7)]
        pub size: u64,
    }

    #[derive(Clone, PartialEq, prost::Message)]
    pub struct Logs {
        #[prost(message, repeated, tag = 1)]
        pub logs: Vec<Log>,
    }

    #[derive(Clone, PartialEq, prost::Message)]
    pub struct Vector {
        #[prost(float, required, tag = 1)]
        pub x: f32,
        #[prost(float, required, tag = 2)]
        pub y: f32,
        #[prost(float, required, tag = 3)]
        pub z: f32,
    }

    #[derive(Clone, PartialEq, prost::Message)]
    pub struct Triangle {
        #[prost(message, required, tag = 1)]
        pub a: Vector,
        #[prost(message, required, tag = 2)]
        pub b: Vector,
        #[prost(message, required, tag = 3)]
        pub c: Vector,
        #[prost(message, required, tag = 4)]
        pub normal: Vector,
    }

    #[derive(Clone, PartialEq, prost::Message)]
    pub struct Mesh {
        #[prost(message, repeated, tag = 1)]
        pub triangles: Vec<Triangle>,
    }

    #[derive(Clone, PartialEq, prost::Message)]
    pub struct Transform {
        #[prost(sint32, required, tag = 1)]
        pub altitude: i32,
        #[prost(uint32, required, tag = 2)]
        pub angle: u32,
        #[prost(message, required, tag = 3)]
        pub position: Pair,
        #[prost(sint32, required, tag = 4)]
        pub velocity: i32,
    }

    #[derive(Clone, PartialEq, prost::Message)]
    pub struct Guidance {
        #[prost(uint32, required, tag = 1)]
        pub angle: u32,
        #[prost(bool, required, tag = 2)]
        pub submerge: bool,
        #[prost(sint32, required, tag = 3)]
        pub velocity: i32,
    }

    #[derive(Clone, PartialEq, prost::Message)]
    pub struct Contact {
        #[prost(uint32, required, tag = 1)]
        pub damage: u32,
        #[prost(uint32, required, tag = 2)]
        pub entity_id: u32,
        #[prost(uint32, optional, tag = 3)]
        pub entity_type: Option<u32>,
        #[prost(message, required, tag = 4)]
        pub guidance: Guidance,
        #[prost(uint32, optional, tag = 5)]
        pub player_id: Option<u32>,
        #[prost(bool, repeated, tag = 6)]
        pub reloads: Vec<bool>,
        #[prost(message, required, tag = 7)]
        pub transform: Transform,
        #[prost(uint32, repeated, tag = 8)]
        pub turret_angles: Vec<u32>,
    }

    #[derive(Clone, PartialEq, prost::Message)]
    pub struct TerrainUpdate {
        #[prost(message, required, tag = 1)]
        pub chunk: Chunk,
        #[prost(bytes = "vec", required, tag = 2)]
        pub data: Vec<u8>,
    }

    #[derive(Clone, PartialEq, prost::Message)]
    pub struct Update {
        #[prost(message, repeated, tag = 1)]
        pub contacts: Vec<Contact>,
        #[prost(uint32, required, tag = 2)]
        pub score: u32,
        #[prost(float, required, tag = 3)]
        pub world_radius: f32,
        #[prost(message, repeated, tag = 4)]
        pub terrain_updates: Vec<TerrainUpdate>,
    }

    #[derive(Clone, PartialEq, prost::Message)]
    pub struct Updates {
        #[prost(message, repeated, tag = 1)]
        pub updates: Vec<Update>,
    }

    #[derive(Clone, PartialEq, prost::Message)]
    pub struct Abilities {
        #[prost(float, required, tag = 1)]
        pub walk_speed: f32,
        #[prost(float, required, tag = 2)]
        pub fly_speed: f32,
        #[prost(bool, required, tag = 3)]
        pub may_fly: bool,
        #[prost(bool, required, tag = 4)]
        pub flying: bool,
        #[prost(bool, required, tag = 5)]
        pub invulnerable: bool,
        #[prost(bool, required, tag = 6)]
        pub may_build: bool,
        #[prost(bool, required, tag = 7)]
        pub instabuild: bool,
    }

    #[derive(Clone, PartialEq, prost::Message)]
    pub struct Item {
        #[prost(sint32, required, tag = 1)]
        pub count: i32,
        #[prost(uint32, required, tag = 2)]
        pub slot: u32,
        #[prost(string, required, tag = 3)]
        pub id: String,
    }

    #[derive(Clone, PartialEq, prost::Message)]
    pub struct Entity {
        #[prost(string, required, tag = 1)]
        pub id: String,
        #[prost(message, required, tag = 2)]
        pub position: Place,
        #[prost(message, required, tag = 3)]
        pub motion: Place,
        #[prost(message, required, tag = 4)]
        pub rotation: Pair,
        #[prost(float, required, tag = 5)]
        pub fall_distance: f32,
        #[prost(uint32, required, tag = 6)]
        pub fire: u32,
        #[prost(uint32, required, tag = 7)]
        pub air: u32,
        #[prost(bool, required, tag = 8)]
        pub on_ground: bool,
        #[prost(bool, required, tag = 9)]
        pub no_gravity: bool,
        #[prost(bool, required, tag = 10)]
        pub invulnerable: bool,
        #[prost(sint32, required, tag = 11)]
        pub portal_cooldown: i32,
        #[prost(message, required, tag = 12)]
        pub uuid: Uuid,
        #[prost(string, optional, tag = 13)]
        pub custom_name: Option<String>,
        #[prost(bool, required, tag = 14)]
        pub custom_name_visible: bool,
        #[prost(bool, required, tag = 15)]
        pub silent: bool,
        #[prost(bool, required, tag = 16)]
        pub glowing: bool,
    }

    #[derive(Clone, PartialEq, prost::Message)]
    pub struct RecipeBook {
        #[prost(string, repeated, tag = 1)]
        pub recipes: Vec<String>,
        #[prost(string, repeated, tag = 2)]
        pub to_be_displayed: Vec<String>,
        #[prost(bool, required, tag = 3)]
        pub is_filtering_craftable: bool,
        #[prost(bool, required, tag = 4)]
        pub is_gui_open: bool,
        #[prost(bool, required, tag = 5)]
        pub is_furnace_filtering_craftable: bool,
        #[prost(bool, required, tag = 6)]
        pub is_furnace_gui_open: bool,
        #[prost(bool, required, tag = 7)]
        pub is_blasting_furnace_filtering_craftable: bool,
        #[prost(bool, required, tag = 8)]
        pub is_blasting_furnace_gui_open: bool,
        #[prost(bool, required, tag = 9)]
        pub is_smoker_filtering_craftable: bool,
        #[prost(bool, required, tag = 10)]
        pub is_smoker_gui_open: bool,
    }

    #[derive(Clone, PartialEq, prost::Message)]
    pub struct Player {
        #[prost(uint32, required, tag = 1)]
        pub game_type: u32,
        #[prost(uint32, required, tag = 2)]
        pub previous_game_type: u32,
        #[prost(sint64, required, tag = 3)]
        pub score: i64,
        #[prost(string, required, tag = 4)]
        pub dimension: String,
        #[prost(uint32, required, tag = 5)]
        pub selected_item_slot: u32,
        #[prost(message, required, tag = 6)]
        pub selected_item: Item,
        #[prost(string, optional, tag = 7)]
        pub spawn_dimension: Option<String>,
        #[prost(sint64, required, tag = 8)]
        pub spawn_x: i64,
        #[prost(sint64, required, tag = 9)]
        pub spawn_y: i64,
        #[prost(sint64, required, tag = 10)]
        pub spawn_z: i64,
        #[prost(bool, optional, tag = 11)]
        pub spawn_forced: Option<bool>,
        #[prost(uint32, required, tag = 12)]
        pub sleep_timer: u32,
        #[prost(float, required, tag = 13)]
        pub food_exhaustion_level: f32,
        #[prost(float, required, tag = 14)]
        pub food_saturation_level: f32,
        #[prost(uint32, required, tag = 15)]
        pub food_tick_timer: u32,
        #[prost(uint32, required, tag = 16)]
        pub xp_level: u32,
        #[prost(float, required, tag = 17)]
        pub xp_progress: f32,
        #[prost(sint32, required, tag = 18)]
        pub xp_total: i32,
        #[prost(sint32, required, tag = 19)]
        pub xp_seed: i32,
        #[prost(message, repeated, tag = 20)]
        pub inventory: Vec<Item>,
        #[prost(message, repeated, tag = 21)]
        pub ender_items: Vec<Item>,
        #[prost(message, required, tag = 22)]
        pub abilities: Abilities,
        #[prost(message, optional, tag = 23)]
        pub entered_nether_position: Option<Place>,
        #[prost(message, optional, tag = 24)]
        pub root_vehicle: Option<Vehicle>,
        #[prost(message, optional, tag = 25)]
        pub shoulder_entity_left: Option<Entity>,
        #[prost(message, optional, tag = 26)]
        pub shoulder_entity_right: Option<Entity>,
        #[prost(bool, required, tag = 27)]
        pub seen_credits: bool,
        #[prost(message, required, tag = 28)]
        pub recipe_book: RecipeBook,
    }

    #[derive(Clone, PartialEq, prost::Message)]
    pub struct Players {
        #[prost(message, repeated, tag = 1)]
        pub players: Vec<Player>,
    }
}

/// Between the values of the data sets and the fields of messages.
trait Field<P> {
    fn fill(&self) -> P;
    fn back(filled: P) -> Self;
}

macro_rules! same {
    ($($number:ty),*) => {$(
        impl Field<$number> for $number {
            fn fill(&self) -> $number {
                self.clone()
            }

            fn back(filled: $number) -> Self {
                filled
            }
        }
    )*};
}
same!(bool, u32, u64, i32, i64, f32, f64, String, Vec<u8>);

macro_rules! wider {
    ($($number:ty: $field:ty),*) => {$(
        impl Field<$field> for $number {
            fn fill(&self) -> $field {
                <$field>::from(*self)
            }

            fn back(filled: $field) -> Self {
                <$number>::try_from(filled).expect("a number of the type that was written")
            }
        }
    )*};
}
wider!(u8: u32, u16: u32, i8: i32, i16: i32);

macro_rules! enums {
    ($($kind:ty),*) => {$(
        impl Field<u32> for $kind {
            fn fill(&self) -> u32 {
                *self as u32
            }

            fn back(filled: u32) -> Self {
                <$kind>::ALL[filled as usize]
            }
        }
    )*};
}
enums!(minecraft::GameType, mk48::EntityType);

impl<T: Field<P>, P> Field<Vec<P>> for Vec<T> {
    fn fill(&self) -> Vec<P> {
        self.iter().map(T::fill).collect()
    }

    fn back(filled: Vec<P>) -> Self {
        filled.into_iter().map(T::back).collect()
    }
}

impl<T: Field<P>, P> Field<Option<P>> for Option<T> {
    fn fill(&self) -> Option<P> {
        self.as_ref().map(T::fill)
    }

    fn back(filled: Option<P>) -> Self {
        filled.map(T::back)
    }
}

macro_rules! tuples {
    ($(($($number:ident),+) => $message:ident { $($field:ident),+ })*) => {$(
        impl Field<proto::$message> for ($($number,)+) {
            fn fill(&self) -> proto::$message {
                let ($($field,)+) = self;
                proto::$message { $($field: $field.fill(),)+ }
            }

            fn back(filled: proto::$message) -> Self {
                ($(Field::back(filled.$field),)+)
            }
        }
    )*};
}
tuples! {
    (f32, f32) => Pair { x, y }
    (f64, f64, f64) => Place { x, y, z }
    (i8, i8) => Chunk { x, y }
}

impl Field<proto::Uuid> for [u32; 4] {
    fn fill(&self) -> proto::Uuid {
        let [a, b, c, d] = *self;
        proto::Uuid { a, b, c, d }
    }

    fn back(filled: proto::Uuid) -> Self {
        [filled.a, filled.b, filled.c, filled.d]
    }
}

impl Field<proto::Vehicle> for ([u32; 4], minecraft::Entity) {
    fn fill(&self) -> proto::Vehicle {
        proto::Vehicle { uuid: self.0.fill(), entity: self.1.fill() }
    }

    fn back(filled: proto::Vehicle) -> Self {
        (Field::back(filled.uuid), Field::back(filled.entity))
    }
}

macro_rules! messages {
    ($($set:ident::$name:ident { $($field:ident),+ })*) => {$(
        impl Field<proto::$name> for $set::$name {
            fn fill(&self) -> proto::$name {
                proto::$name { $($field: self.$field.fill(),)+ }
            }

            fn back(filled: proto::$name) -> Self {
                $set::$name { $($field: Field::back(filled.$field),)+ }
            }
        }
    )*};
}
messages! {
    log::Address { x0, x1, x2, x3 }
    log::Log { address, identity, user, date, request, status, size }
    log::Logs { logs }
    mesh::Vector { x, y, z }
    mesh::Triangle { a, b, c, normal }
    mesh::Mesh { triangles }
    mk48::Transform { altitude, angle, position, velocity }
    mk48::Guidance { angle, submerge, velocity }
    mk48::Contact { damage, entity_id, entity_type, guidance, player_id, reloads, transform, turret_angles }
    mk48::TerrainUpdate { chunk, data }
    mk48::Update { contacts, score, world_radius, terrain_updates }
    mk48::Updates { updates }
    minecraft::Abilities { walk_speed, fly_speed, may_fly, flying, invulnerable, may_build, instabuild }
    minecraft::Item { count, slot, id }
        minecraft::Entity { id, position, motion, rotation, fall_distance, fire, air, on_ground, no_gravity,
        invulnerable, portal_cooldown, uuid, custom_name, custom_name_visible, silent, glowing }
        minecraft::RecipeBook { recipes, to_be_displayed, is_filtering_craftable, is_gui_open,
        is_furnace_filtering_craftable, is_furnace_gui_open, is_blasting_furnace_filtering_craftable,
        is_blasting_furnace_gui_open, is_smoker_filtering_craftable, is_smoker_gui_open }
        minecraft::Player { game_type, previous_game_type, score, dimension, selected_item_slot, selected_item,
        spawn_dimension, spawn_x, spawn_y, spawn_z, spawn_forced, sleep_timer, food_exhaustion_level,
        food_saturation_level, food_tick_timer, xp_level, xp_progress, xp_total, xp_seed, inventory,
        ender_items, abilities, entered_nether_position, root_vehicle, shoulder_entity_left,
        shoulder_entity_right, seen_credits, recipe_book }
    minecraft::Players { players }
}

fn format<T: Field<P>, P: Message + Default + 'static>() -> Format<T> {
    Format::new(
        "prost",
        |value| value.fill().encode_to_vec(),
        |value| {
            let (message, mut out) = (value.fill(), Vec::new());
            Box::new(move || {
                out.clear();
                black_box(&message).encode(&mut out).expect("encoding");
                black_box(&out);
            })
        },
        |value| {
            let message = value.fill();
            Box::new(move || {
                black_box(black_box(&message).encode_to_vec());
            })
        },
        |bytes| T::back(decode(bytes)),
        task!(decode::<P>),
    )
}

fn decode<P: Message + Default>(bytes: &[u8]) -> P {
    P::decode(bytes).expect("decoding")
}

pub fn log() -> Vec<Format<log::Logs>> {
    vec![format::<_, proto::Logs>()]
}

pub fn mesh() -> Vec<Format<mesh::Mesh>> {
    vec![format::<_, proto::Mesh>()]
}

pub fn minecraft() -> Vec<Format<minecraft::Players>> {
    vec![format::<_, proto::Players>()]
}

pub fn mk48() -> Vec<Format<mk48::Updates>> {
    vec![format::<_, proto::Updates>()]
}
