//! FlatBuffers, read in place after verification. Its builder is kept, and there are no owned values to decode to. The
//! accessors and the builder's structs are flatc's: see `schemas/`.

use crate::records::format::{Format, View, reading, task};
use crate::records::log::{Log, Logs};
use crate::records::mesh::{Mesh, Vector};
use crate::records::minecraft::{Entity, Item, Player, Players, RecipeBook};
use crate::records::mk48::{Contact, TerrainUpdate, Update, Updates};
use crate::records::read::{ReadAll, sum};
use crate::schemas::fb;
use ::flatbuffers::{FlatBufferBuilder, Follow, Verifiable, VerifierOptions, WIPOffset};
use std::hint::black_box;

/// A data set as a root table.
trait Root: 'static {
    fn build(&self, builder: &mut FlatBufferBuilder<'_>);
}

fn format<T: Root>() -> Format<T> {
    Format::in_place(
        "flatbuffers",
        |value| {
            let mut builder = FlatBufferBuilder::new();
            value.build(&mut builder);
            builder.finished_data().to_vec()
        },
        |value: &T| {
            let mut builder = FlatBufferBuilder::new();
            Box::new(move || {
                builder.reset();
                black_box(value).build(&mut builder);
                black_box(builder.finished_data());
            })
        },
        task!(|value: &T| {
            let mut builder = FlatBufferBuilder::new();
            value.build(&mut builder);
            builder.collapse()
        }),
    )
}

fn verified<'a, T: Follow<'a> + Verifiable + 'a>(bytes: &'a [u8]) -> T::Inner {
    let options = VerifierOptions { max_tables: 10_000_000, ..VerifierOptions::default() };
    ::flatbuffers::root_with_opts::<T>(&options, bytes).expect("access")
}

fn trusted<'a, T: Follow<'a> + 'a>(bytes: &'a [u8]) -> T::Inner {
    // SAFETY: what is read was written by this program as that table.
    unsafe { ::flatbuffers::root_unchecked::<T>(bytes) }
}

/// The format of a root table whose records are a vector, with two views: one that verifies, and one that trusts.
macro_rules! viewed {
    ($root:ident, $records:ident) => {
        format()
            .validate("flatbuffers, verified", task!(|bytes| verified::<fb::$root<'_>>(bytes)))
            .view(viewed!(@ "flatbuffers, verified", verified, $root, $records))
            .view(viewed!(@ "flatbuffers, not verified", trusted, $root, $records))
    };
    (@ $name:literal, $open:ident, $root:ident, $records:ident) => {
        View {
            name: $name,
            open: task!(|bytes| $open::<fb::$root<'_>>(bytes)),
            read: reading!(|bytes| sum($open::<fb::$root<'_>>(bytes).$records().iter())),
            ends: reading!(|bytes| {
                let records = $open::<fb::$root<'_>>(bytes).$records();
                records.get(0).read_all().wrapping_add(records.get(records.len() - 1).read_all())
            }),
        }
    };
}

pub fn log() -> Vec<Format<Logs>> {
    vec![viewed!(Logs, logs)]
}

pub fn mesh() -> Vec<Format<Mesh>> {
    vec![viewed!(Mesh, triangles)]
}

pub fn minecraft() -> Vec<Format<Players>> {
    vec![viewed!(Players, players)]
}

pub fn mk48() -> Vec<Format<Updates>> {
    vec![viewed!(Updates, updates)]
}

impl Root for Logs {
    fn build(&self, builder: &mut FlatBufferBuilder<'_>) {
        let logs: Vec<_> = self.logs.iter().map(|one| log_table(builder, one)).collect();
        let logs = Some(builder.create_vector(&logs));
        let root = fb::Logs::create(builder, &fb::LogsArgs { logs });
        builder.finish(root, None);
    }
}

fn log_table<'b>(builder: &mut FlatBufferBuilder<'b>, log: &Log) -> WIPOffset<fb::Log<'b>> {
    let address = log.address;
    let arguments = fb::LogArgs {
        address: Some(&fb::Address::new(address.x0, address.x1, address.x2, address.x3)),
        identity: Some(builder.create_string(&log.identity)),
        user: Some(builder.create_string(&log.user)),
        date: Some(builder.create_string(&log.date)),
        request: Some(builder.create_string(&log.request)),
        status: log.status,
        size_: log.size,
    };
    fb::Log::create(builder, &arguments)
}

impl Root for Mesh {
    fn build(&self, builder: &mut FlatBufferBuilder<'_>) {
        let vector = |at: Vector| fb::Vector3::new(at.x, at.y, at.z);
        let triangles = self.triangles.iter().map(|one| {
            fb::Triangle::new(&vector(one.a), &vector(one.b), &vector(one.c), &vector(one.normal))
        });
        let triangles = Some(builder.create_vector_from_iter(triangles));
        let root = fb::Mesh::create(builder, &fb::MeshArgs { triangles });
        builder.finish(root, None);
    }
}

impl Root for Players {
    fn build(&self, builder: &mut FlatBufferBuilder<'_>) {
        let players: Vec<_> = self.players.iter().map(|one| player_table(builder, one)).collect();
        let players = Some(builder.create_vector(&players));
        let root = fb::Players::create(builder, &fb::PlayersArgs { players });
        builder.finish(root, None);
    }
}

fn place((x, y, z): (f64, f64, f64)) -> fb::Place {
    fb::Place::new(x, y, z)
}

fn uuid([a, b, c, d]: [u32; 4]) -> fb::Uuid {
    fb::Uuid::new(a, b, c, d)
}

fn item_table<'b>(builder: &mut FlatBufferBuilder<'b>, item: &Item) -> WIPOffset<fb::Item<'b>> {
    let id = Some(builder.create_string(&item.id));
    fb::Item::create(builder, &fb::ItemArgs { count: item.count, slot: item.slot, id })
}

fn entity_table<'b>(builder: &mut FlatBufferBuilder<'b>, entity: &Entity) -> WIPOffset<fb::Entity<'b>> {
    let arguments = fb::EntityArgs {
        id: Some(builder.create_string(&entity.id)),
        position: Some(&place(entity.position)),
        motion: Some(&place(entity.motion)),
        rotation: Some(&fb::Pair::new(entity.rotation.0, entity.rotation.1)),
        uuid: Some(&uuid(entity.uuid)),
        custom_name: entity.custom_name.as_ref().map(|name| builder.create_string(name)),
        fall_distance: entity.fall_distance,
        fire: entity.fire,
        air: entity.air,
        on_ground: entity.on_ground,
        no_gravity: entity.no_gravity,
        invulnerable: entity.invulnerable,
        portal_cooldown: entity.portal_cooldown,
        custom_name_visible: entity.custom_name_visible,
        silent: entity.silent,
        glowing: entity.glowing,
    };
    fb::Entity::create(builder, &arguments)
}

fn recipes_table<'b>(
    builder: &mut FlatBufferBuilder<'b>,
    book: &RecipeBook,
) -> WIPOffset<fb::RecipeBook<'b>> {
    let recipes: Vec<_> = book.recipes.iter().map(|name| builder.create_string(name)).collect();
    let displayed: Vec<_> = book.to_be_displayed.iter().map(|name| builder.create_string(name)).collect();
    let arguments = fb::RecipeBookArgs {
        recipes: Some(builder.create_vector(&recipes)),
        to_be_displayed: Some(builder.create_vector(&displayed)),
        is_filtering_craftable: book.is_filtering_craftable,
        is_gui_open: book.is_gui_open,
        is_furnace_filtering_craftable: book.is_furnace_filtering_craftable,
        is_furnace_gui_open: book.is_furnace_gui_open,
        is_blasting_furnace_filtering_craftable: book.is_blasting_furnace_filtering_craftable,
        is_blasting_furnace_gui_open: book.is_blasting_furnace_gui_open,
        is_smoker_filtering_craftable: book.is_smoker_filtering_craftable,
        is_smoker_gui_open: book.is_smoker_gui_open,
    };
    fb::RecipeBook::create(builder, &arguments)
}

fn player_table<'b>(builder: &mut FlatBufferBuilder<'b>, player: &Player) -> WIPOffset<fb::Player<'b>> {
    let inventory: Vec<_> = player.inventory.iter().map(|item| item_table(builder, item)).collect();
    let ender_items: Vec<_> = player.ender_items.iter().map(|item| item_table(builder, item)).collect();
    let vehicle = player.root_vehicle.as_ref().map(|(id, entity)| {
        let entity = Some(entity_table(builder, entity));
        fb::Vehicle::create(builder, &fb::VehicleArgs { uuid: Some(&uuid(*id)), entity })
    });
    let abilities = player.abilities;
    let nether = player.entered_nether_position.map(place);
    let arguments = fb::PlayerArgs {
        game_type: player.game_type as u8,
        previous_game_type: player.previous_game_type as u8,
        dimension: Some(builder.create_string(&player.dimension)),
        selected_item: Some(item_table(builder, &player.selected_item)),
        spawn_dimension: player.spawn_dimension.as_ref().map(|name| builder.create_string(name)),
        inventory: Some(builder.create_vector(&inventory)),
        ender_items: Some(builder.create_vector(&ender_items)),
        abilities: Some(&fb::Abilities::new(
            abilities.walk_speed,
            abilities.fly_speed,
            abilities.may_fly,
            abilities.flying,
            abilities.invulnerable,
            abilities.may_build,
            abilities.instabuild,
        )),
        entered_nether_position: nether.as_ref(),
        root_vehicle: vehicle,
        shoulder_entity_left: player.shoulder_entity_left.as_ref().map(|at| entity_table(builder, at)),
        shoulder_entity_right: player.shoulder_entity_right.as_ref().map(|at| entity_table(builder, at)),
        recipe_book: Some(recipes_table(builder, &player.recipe_book)),
        score: player.score,
        selected_item_slot: player.selected_item_slot,
        spawn_x: player.spawn_x,
        spawn_y: player.spawn_y,
        spawn_z: player.spawn_z,
        spawn_forced: player.spawn_forced,
        sleep_timer: player.sleep_timer,
        food_exhaustion_level: player.food_exhaustion_level,
        food_saturation_level: player.food_saturation_level,
        food_tick_timer: player.food_tick_timer,
        xp_level: player.xp_level,
        xp_progress: player.xp_progress,
        xp_total: player.xp_total,
        xp_seed: player.xp_seed,
        seen_credits: player.seen_credits,
    };
    fb::Player::create(builder, &arguments)
}

impl Root for Updates {
    fn build(&self, builder: &mut FlatBufferBuilder<'_>) {
        let updates: Vec<_> = self.updates.iter().map(|one| update_table(builder, one)).collect();
        let updates = Some(builder.create_vector(&updates));
        let root = fb::Updates::create(builder, &fb::UpdatesArgs { updates });
        builder.finish(root, None);
    }
}

fn contact_table<'b>(builder: &mut FlatBufferBuilder<'b>, contact: &Contact) -> WIPOffset<fb::Contact<'b>> {
    let (guidance, transform) = (contact.guidance, contact.transform);
    let position = fb::Pair::new(transform.position.0, transform.position.1);
    let arguments = fb::ContactArgs {
        damage: contact.damage,
        entity_id: contact.entity_id,
        entity_type: contact.entity_type.map(|kind| kind as u8),
        guidance: Some(&fb::Guidance::new(guidance.angle, guidance.submerge, guidance.velocity)),
        player_id: contact.player_id,
        reloads: Some(builder.create_vector(&contact.reloads)),
        transform: Some(&fb::Transform::new(
            transform.altitude,
            transform.angle,
            &position,
            transform.velocity,
        )),
        turret_angles: Some(builder.create_vector(&contact.turret_angles)),
    };
    fb::Contact::create(builder, &arguments)
}

fn terrain_table<'b>(
    builder: &mut FlatBufferBuilder<'b>,
    terrain: &TerrainUpdate,
) -> WIPOffset<fb::TerrainUpdate<'b>> {
    let data = Some(builder.create_vector(&terrain.data));
    let chunk = fb::Chunk::new(terrain.chunk.0, terrain.chunk.1);
    fb::TerrainUpdate::create(builder, &fb::TerrainUpdateArgs { chunk: Some(&chunk), data })
}

fn update_table<'b>(builder: &mut FlatBufferBuilder<'b>, update: &Update) -> WIPOffset<fb::Update<'b>> {
    let contacts: Vec<_> = update.contacts.iter().map(|one| contact_table(builder, one)).collect();
    let terrain: Vec<_> = update.terrain_updates.iter().map(|one| terrain_table(builder, one)).collect();
    let arguments = fb::UpdateArgs {
        contacts: Some(builder.create_vector(&contacts)),
        score: update.score,
        world_radius: update.world_radius,
        terrain_updates: Some(builder.create_vector(&terrain)),
    };
    fb::Update::create(builder, &arguments)
}

/// Reads every field of tables and structs.
macro_rules! accessors {
    ($($kind:ty => $($field:ident),+;)*) => {$(
        impl ReadAll for $kind {
            #[inline]
            fn read_all(&self) -> u64 {
                0u64 $(.wrapping_add(self.$field().read_all()))+
            }
        }
    )*};
}
accessors! {
    fb::Address => x0, x1, x2, x3;
    fb::Log<'_> => address, identity, user, date, request, status, size_;
    fb::Vector3 => x, y, z;
    fb::Triangle => a, b, c, normal;
    fb::Pair => x, y;
    fb::Place => x, y, z;
    fb::Abilities => walk_speed, fly_speed, may_fly, flying, invulnerable, may_build, instabuild;
    fb::Item<'_> => count, slot, id;
    fb::Entity<'_> => id, position, motion, rotation, fall_distance, fire, air, on_ground, no_gravity, invulnerable, portal_cooldown, uuid, custom_name, custom_name_visible, silent, glowing;
    fb::Vehicle<'_> => uuid, entity;
    fb::RecipeBook<'_> => recipes, to_be_displayed, is_filtering_craftable, is_gui_open, is_furnace_filtering_craftable, is_furnace_gui_open, is_blasting_furnace_filtering_craftable, is_blasting_furnace_gui_open, is_smoker_filtering_craftable, is_smoker_gui_open;
    fb::Player<'_> => game_type, previous_game_type, score, dimension, selected_item_slot, selected_item, spawn_dimension, spawn_x, spawn_y, spawn_z, spawn_forced, sleep_timer, food_exhaustion_level, food_saturation_level, food_tick_timer, xp_level, xp_progress, xp_total, xp_seed, inventory, ender_items, abilities, entered_nether_position, root_vehicle, shoulder_entity_left, shoulder_entity_right, seen_credits, recipe_book;
    fb::Transform => altitude, angle, position, velocity;
    fb::Guidance => angle, submerge, velocity;
    fb::Chunk => x, y;
    fb::Contact<'_> => damage, entity_id, entity_type, guidance, player_id, reloads, transform, turret_angles;
    fb::Update<'_> => contacts, score, world_radius, terrain_updates;
}

/// Four numbers, which are a list elsewhere.
impl ReadAll for fb::Uuid {
    fn read_all(&self) -> u64 {
        [self.a(), self.b(), self.c(), self.d()].read_all()
    }
}

impl ReadAll for fb::TerrainUpdate<'_> {
    fn read_all(&self) -> u64 {
        self.chunk().read_all().wrapping_add(self.data().bytes().read_all())
    }
}

impl<'a, T: Follow<'a, Inner: ReadAll> + 'a> ReadAll for ::flatbuffers::Vector<'a, T> {
    #[inline]
    fn read_all(&self) -> u64 {
        sum(self.iter())
    }
}
