//! Cap'n Proto, read in place: pointers and text are checked when they are followed, so opening checks little. There are
//! no owned values to decode to. The readers and builders are capnp's: see `schemas/`.

use crate::records::format::{Format, View, reading, task};
use crate::records::log::Logs;
use crate::records::mesh::{Mesh, Vector};
use crate::records::minecraft::{Entity, Item, Player, Players, RecipeBook};
use crate::records::mk48::{Contact, Updates};
use crate::records::read::{ReadAll, sum};
use crate::records_capnp as schema;
use capnp::message::{Builder, HeapAllocator, Reader, ReaderOptions, ScratchSpaceHeapAllocator};
use capnp::serialize::BufferSegments;
use capnp::{text, text_list};
use std::hint::black_box;

/// A data set as the root of a message.
trait Root: 'static {
    fn build<A: capnp::message::Allocator>(&self, message: &mut Builder<A>);
}

fn format<T: Root>() -> Format<T> {
    Format::in_place(
        "capnp",
        |value| {
            let mut message = Builder::new(HeapAllocator::new());
            value.build(&mut message);
            capnp::serialize::write_message_to_words(&message)
        },
        |value: &T| {
            let mut message = Builder::new(HeapAllocator::new());
            value.build(&mut message);
            // The whole message fits into the first segment, which is cleared and used again.
            let words = capnp::serialize::compute_serialized_size_in_words(&message);
            let scratch = capnp::Word::allocate_zeroed_vec(words + 1024);
            let mut scratch = Scratch { words: scratch, out: Vec::new() };
            Box::new(move || scratch.write(black_box(value)))
        },
        task!(|value: &T| {
            let mut message = Builder::new(HeapAllocator::new());
            value.build(&mut message);
            capnp::serialize::write_message_to_words(&message)
        }),
    )
}

/// What is kept from message to message.
struct Scratch {
    words: Vec<capnp::Word>,
    out: Vec<u8>,
}

impl Scratch {
    fn write<T: Root>(&mut self, value: &T) {
        let words = capnp::Word::words_to_bytes_mut(&mut self.words);
        let mut message = Builder::new(ScratchSpaceHeapAllocator::new(words));
        value.build(&mut message);
        self.out.clear();
        capnp::serialize::write_message(&mut self.out, &message).expect("encoding");
        black_box(&self.out);
    }
}

fn message(mut bytes: &[u8]) -> Reader<BufferSegments<&[u8]>> {
    let mut options = ReaderOptions::new();
    options.traversal_limit_in_words(None);
    capnp::serialize::read_message_from_flat_slice(&mut bytes, options).expect("a message")
}

/// The format of a root whose records are a list.
macro_rules! viewed {
    ($root:ident, $get:ident) => {
        format().view(View {
            name: "capnp",
            open: task!(|bytes| {
                let message = message(bytes);
                black_box(
                    message
                        .get_root::<schema::$root::Reader<'_>>()
                        .expect("a root")
                        .$get()
                        .expect("a list")
                        .len(),
                )
            }),
            read: reading!(|bytes| {
                let message = message(bytes);
                sum(message
                    .get_root::<schema::$root::Reader<'_>>()
                    .expect("a root")
                    .$get()
                    .expect("a list")
                    .iter())
            }),
            ends: reading!(|bytes| {
                let message = message(bytes);
                let records =
                    message.get_root::<schema::$root::Reader<'_>>().expect("a root").$get().expect("a list");
                records.get(0).read_all().wrapping_add(records.get(records.len() - 1).read_all())
            }),
        })
    };
}

pub fn log() -> Vec<Format<Logs>> {
    vec![viewed!(logs, get_logs)]
}

pub fn mesh() -> Vec<Format<Mesh>> {
    vec![viewed!(mesh, get_triangles)]
}

pub fn minecraft() -> Vec<Format<Players>> {
    vec![viewed!(players, get_players)]
}

pub fn mk48() -> Vec<Format<Updates>> {
    vec![viewed!(updates, get_updates)]
}

fn len<T>(items: &[T]) -> u32 {
    u32::try_from(items.len()).expect("a list of fewer than 4 Gi items")
}

impl Root for Logs {
    fn build<A: capnp::message::Allocator>(&self, message: &mut Builder<A>) {
        let mut logs = message.init_root::<schema::logs::Builder<'_>>().init_logs(len(&self.logs));
        for (index, log) in (0..).zip(&self.logs) {
            let mut out = logs.reborrow().get(index);
            let mut address = out.reborrow().init_address();
            address.set_x0(log.address.x0);
            address.set_x1(log.address.x1);
            address.set_x2(log.address.x2);
            address.set_x3(log.address.x3);
            out.set_identity(&log.identity);
            out.set_user(&log.user);
            out.set_date(&log.date);
            out.set_request(&log.request);
            out.set_status(log.status);
            out.set_size(log.size);
        }
    }
}

fn vector(mut out: schema::vector3::Builder<'_>, at: Vector) {
    out.set_x(at.x);
    out.set_y(at.y);
    out.set_z(at.z);
}

impl Root for Mesh {
    fn build<A: capnp::message::Allocator>(&self, message: &mut Builder<A>) {
        let root = message.init_root::<schema::mesh::Builder<'_>>();
        let mut triangles = root.init_triangles(len(&self.triangles));
        for (index, triangle) in (0..).zip(&self.triangles) {
            let mut out = triangles.reborrow().get(index);
            vector(out.reborrow().init_a(), triangle.a);
            vector(out.reborrow().init_b(), triangle.b);
            vector(out.reborrow().init_c(), triangle.c);
            vector(out.reborrow().init_normal(), triangle.normal);
        }
    }
}

fn place(mut out: schema::place::Builder<'_>, (x, y, z): (f64, f64, f64)) {
    out.set_x(x);
    out.set_y(y);
    out.set_z(z);
}

fn uuid(mut out: schema::uuid::Builder<'_>, [a, b, c, d]: [u32; 4]) {
    out.set_a(a);
    out.set_b(b);
    out.set_c(c);
    out.set_d(d);
}

fn item(mut out: schema::item::Builder<'_>, item: &Item) {
    out.set_count(item.count);
    out.set_slot(item.slot);
    out.set_id(&item.id);
}

fn texts(mut out: text_list::Builder<'_>, texts: &[String]) {
    for (index, text) in (0..).zip(texts) {
        out.set(index, text);
    }
}

fn entity(mut out: schema::entity::Builder<'_>, entity: &Entity) {
    out.set_id(&entity.id);
    place(out.reborrow().init_position(), entity.position);
    place(out.reborrow().init_motion(), entity.motion);
    let mut rotation = out.reborrow().init_rotation();
    rotation.set_x(entity.rotation.0);
    rotation.set_y(entity.rotation.1);
    uuid(out.reborrow().init_uuid(), entity.uuid);
    if let Some(name) = &entity.custom_name {
        out.set_custom_name(name);
    }
    out.set_fall_distance(entity.fall_distance);
    out.set_fire(entity.fire);
    out.set_air(entity.air);
    out.set_on_ground(entity.on_ground);
    out.set_no_gravity(entity.no_gravity);
    out.set_invulnerable(entity.invulnerable);
    out.set_portal_cooldown(entity.portal_cooldown);
    out.set_custom_name_visible(entity.custom_name_visible);
    out.set_silent(entity.silent);
    out.set_glowing(entity.glowing);
}

fn recipes(mut out: schema::recipe_book::Builder<'_>, book: &RecipeBook) {
    texts(out.reborrow().init_recipes(len(&book.recipes)), &book.recipes);
    texts(out.reborrow().init_to_be_displayed(len(&book.to_be_displayed)), &book.to_be_displayed);
    out.set_is_filtering_craftable(book.is_filtering_craftable);
    out.set_is_gui_open(book.is_gui_open);
    out.set_is_furnace_filtering_craftable(book.is_furnace_filtering_craftable);
    out.set_is_furnace_gui_open(book.is_furnace_gui_open);
    out.set_is_blasting_furnace_filtering_craftable(book.is_blasting_furnace_filtering_craftable);
    out.set_is_blasting_furnace_gui_open(book.is_blasting_furnace_gui_open);
    out.set_is_smoker_filtering_craftable(book.is_smoker_filtering_craftable);
    out.set_is_smoker_gui_open(book.is_smoker_gui_open);
}

fn player(mut out: schema::player::Builder<'_>, player: &Player) {
    out.set_game_type(player.game_type as u8);
    out.set_previous_game_type(player.previous_game_type as u8);
    out.set_dimension(&player.dimension);
    item(out.reborrow().init_selected_item(), &player.selected_item);
    if let Some(name) = &player.spawn_dimension {
        out.set_spawn_dimension(name);
    }
    let mut forced = out.reborrow().init_spawn_forced();
    match player.spawn_forced {
        None => forced.set_none(()),
        Some(is) => forced.set_some(is),
    }
    let mut inventory = out.reborrow().init_inventory(len(&player.inventory));
    for (index, one) in (0..).zip(&player.inventory) {
        item(inventory.reborrow().get(index), one);
    }
    let mut ender_items = out.reborrow().init_ender_items(len(&player.ender_items));
    for (index, one) in (0..).zip(&player.ender_items) {
        item(ender_items.reborrow().get(index), one);
    }
    let mut abilities = out.reborrow().init_abilities();
    abilities.set_walk_speed(player.abilities.walk_speed);
    abilities.set_fly_speed(player.abilities.fly_speed);
    abilities.set_may_fly(player.abilities.may_fly);
    abilities.set_flying(player.abilities.flying);
    abilities.set_invulnerable(player.abilities.invulnerable);
    abilities.set_may_build(player.abilities.may_build);
    abilities.set_instabuild(player.abilities.instabuild);
    if let Some(at) = player.entered_nether_position {
        place(out.reborrow().init_entered_nether_position(), at);
    }
    if let Some((id, one)) = &player.root_vehicle {
        let mut vehicle = out.reborrow().init_root_vehicle();
        uuid(vehicle.reborrow().init_uuid(), *id);
        entity(vehicle.init_entity(), one);
    }
    if let Some(one) = &player.shoulder_entity_left {
        entity(out.reborrow().init_shoulder_entity_left(), one);
    }
    if let Some(one) = &player.shoulder_entity_right {
        entity(out.reborrow().init_shoulder_entity_right(), one);
    }
    recipes(out.reborrow().init_recipe_book(), &player.recipe_book);
    out.set_score(player.score);
    out.set_selected_item_slot(player.selected_item_slot);
    out.set_spawn_x(player.spawn_x);
    out.set_spawn_y(player.spawn_y);
    out.set_spawn_z(player.spawn_z);
    out.set_sleep_timer(player.sleep_timer);
    out.set_food_exhaustion_level(player.food_exhaustion_level);
    out.set_food_saturation_level(player.food_saturation_level);
    out.set_food_tick_timer(player.food_tick_timer);
    out.set_xp_level(player.xp_level);
    out.set_xp_progress(player.xp_progress);
    out.set_xp_total(player.xp_total);
    out.set_xp_seed(player.xp_seed);
    out.set_seen_credits(player.seen_credits);
}

impl Root for Players {
    fn build<A: capnp::message::Allocator>(&self, message: &mut Builder<A>) {
        let root = message.init_root::<schema::players::Builder<'_>>();
        let mut players = root.init_players(len(&self.players));
        for (index, one) in (0..).zip(&self.players) {
            player(players.reborrow().get(index), one);
        }
    }
}

fn contact(mut out: schema::contact::Builder<'_>, contact: &Contact) {
    out.set_damage(contact.damage);
    out.set_entity_id(contact.entity_id);
    let mut kind = out.reborrow().init_entity_type();
    match contact.entity_type {
        None => kind.set_none(()),
        Some(is) => kind.set_some(is as u8),
    }
    let mut guidance = out.reborrow().init_guidance();
    guidance.set_angle(contact.guidance.angle);
    guidance.set_submerge(contact.guidance.submerge);
    guidance.set_velocity(contact.guidance.velocity);
    let mut player = out.reborrow().init_player_id();
    match contact.player_id {
        None => player.set_none(()),
        Some(is) => player.set_some(is),
    }
    let mut reloads = out.reborrow().init_reloads(len(&contact.reloads));
    for (index, &one) in (0..).zip(&contact.reloads) {
        reloads.set(index, one);
    }
    let mut transform = out.reborrow().init_transform();
    transform.set_altitude(contact.transform.altitude);
    transform.set_angle(contact.transform.angle);
    transform.set_velocity(contact.transform.velocity);
    let mut position = transform.init_position();
    position.set_x(contact.transform.position.0);
    position.set_y(contact.transform.position.1);
    let mut angles = out.init_turret_angles(len(&contact.turret_angles));
    for (index, &one) in (0..).zip(&contact.turret_angles) {
        angles.set(index, one);
    }
}

impl Root for Updates {
    fn build<A: capnp::message::Allocator>(&self, message: &mut Builder<A>) {
        let root = message.init_root::<schema::updates::Builder<'_>>();
        let mut updates = root.init_updates(len(&self.updates));
        for (index, update) in (0..).zip(&self.updates) {
            let mut out = updates.reborrow().get(index);
            out.set_score(update.score);
            out.set_world_radius(update.world_radius);
            let mut contacts = out.reborrow().init_contacts(len(&update.contacts));
            for (index, one) in (0..).zip(&update.contacts) {
                contact(contacts.reborrow().get(index), one);
            }
            let mut terrain = out.init_terrain_updates(len(&update.terrain_updates));
            for (index, one) in (0..).zip(&update.terrain_updates) {
                let mut out = terrain.reborrow().get(index);
                let mut chunk = out.reborrow().init_chunk();
                chunk.set_x(one.chunk.0);
                chunk.set_y(one.chunk.1);
                out.set_data(&one.data);
            }
        }
    }
}

/// Reads every field: of values as they are, of pointers what they lead to, of pointers that may be null what is there.
macro_rules! readers {
    ($($kind:ident: [$($value:ident),*] [$($pointer:ident),*] [$($has:ident $optional:ident),*];)*) => {$(
        impl ReadAll for schema::$kind::Reader<'_> {
            #[inline]
            fn read_all(&self) -> u64 {
                let sum = 0u64
                    $(.wrapping_add(self.$value().read_all()))*
                    $(.wrapping_add(self.$pointer().expect("what is led to").read_all()))*;
                $(let sum = if self.$has() {
                    sum.wrapping_add(self.$optional().expect("what is led to").read_all()).wrapping_add(1)
                } else {
                    sum
                };)*
                sum
            }
        }
    )*};
}
readers! {
    address: [get_x0, get_x1, get_x2, get_x3] [] [];
    log: [get_status, get_size] [get_address, get_identity, get_user, get_date, get_request] [];
    vector3: [get_x, get_y, get_z] [] [];
    triangle: [] [get_a, get_b, get_c, get_normal] [];
    pair: [get_x, get_y] [] [];
    place: [get_x, get_y, get_z] [] [];
    abilities: [get_walk_speed, get_fly_speed, get_may_fly, get_flying, get_invulnerable, get_may_build, get_instabuild] [] [];
    item: [get_count, get_slot] [get_id] [];
    entity: [get_fall_distance, get_fire, get_air, get_on_ground, get_no_gravity, get_invulnerable, get_portal_cooldown, get_custom_name_visible, get_silent, get_glowing]
        [get_id, get_position, get_motion, get_rotation, get_uuid] [has_custom_name get_custom_name];
    vehicle: [] [get_uuid, get_entity] [];
    recipe_book: [get_is_filtering_craftable, get_is_gui_open, get_is_furnace_filtering_craftable, get_is_furnace_gui_open, get_is_blasting_furnace_filtering_craftable, get_is_blasting_furnace_gui_open, get_is_smoker_filtering_craftable, get_is_smoker_gui_open]
        [get_recipes, get_to_be_displayed] [];
    player: [get_game_type, get_previous_game_type, get_spawn_forced, get_score, get_selected_item_slot, get_spawn_x, get_spawn_y, get_spawn_z, get_sleep_timer, get_food_exhaustion_level, get_food_saturation_level, get_food_tick_timer, get_xp_level, get_xp_progress, get_xp_total, get_xp_seed, get_seen_credits]
        [get_dimension, get_selected_item, get_inventory, get_ender_items, get_abilities, get_recipe_book]
        [has_spawn_dimension get_spawn_dimension, has_entered_nether_position get_entered_nether_position,
            has_root_vehicle get_root_vehicle, has_shoulder_entity_left get_shoulder_entity_left,
            has_shoulder_entity_right get_shoulder_entity_right];
    transform: [get_altitude, get_angle, get_velocity] [get_position] [];
    guidance: [get_angle, get_submerge, get_velocity] [] [];
    chunk: [get_x, get_y] [] [];
    contact: [get_damage, get_entity_id, get_entity_type, get_player_id]
        [get_guidance, get_reloads, get_transform, get_turret_angles] [];
    terrain_update: [] [get_chunk, get_data] [];
    update: [get_score, get_world_radius] [get_contacts, get_terrain_updates] [];
}

/// Four numbers, which are a list elsewhere.
impl ReadAll for schema::uuid::Reader<'_> {
    fn read_all(&self) -> u64 {
        [self.get_a(), self.get_b(), self.get_c(), self.get_d()].read_all()
    }
}

macro_rules! unions {
    ($($outer:ident::$kind:ident),*) => {$(
        impl ReadAll for schema::$outer::$kind::Reader<'_> {
            #[inline]
            fn read_all(&self) -> u64 {
                match self.which().expect("a case that is known") {
                    schema::$outer::$kind::None(()) => 0,
                    schema::$outer::$kind::Some(some) => some.read_all().wrapping_add(1),
                }
            }
        }
    )*};
}
unions!(player::spawn_forced, contact::entity_type, contact::player_id);

impl ReadAll for text::Reader<'_> {
    #[inline]
    fn read_all(&self) -> u64 {
        self.to_str().expect("UTF-8").read_all()
    }
}

macro_rules! lists {
    ($($list:ty),*) => {$(
        impl ReadAll for $list {
            #[inline]
            fn read_all(&self) -> u64 {
                sum(self.iter())
            }
        }
    )*};
}
lists!(
    capnp::struct_list::Reader<'_, schema::item::Owned>,
    capnp::struct_list::Reader<'_, schema::contact::Owned>,
    capnp::struct_list::Reader<'_, schema::terrain_update::Owned>,
    capnp::primitive_list::Reader<'_, bool>,
    capnp::primitive_list::Reader<'_, u16>
);

impl ReadAll for text_list::Reader<'_> {
    #[inline]
    fn read_all(&self) -> u64 {
        sum(self.iter().map(|text| text.expect("what is led to")))
    }
}
