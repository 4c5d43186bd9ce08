//! Saved players of a game of blocks.

use super::derive::{borrowed, owned, small};
use super::draw::Draw;
use super::format::Format;
use super::read::{ends, fields, small_enum};
use super::{Set, formats};
use std::hint::black_box;

include!("../../types/minecraft.rs");

small_enum!(GameType, ArchivedGameType);
fields!(Abilities, ArchivedAbilities => [walk_speed, fly_speed, may_fly, flying, invulnerable, may_build, instabuild]);
fields!(Item, ItemRef<'_>, ArchivedItem => [count, slot, id]);
fields!(Entity, EntityRef<'_>, ArchivedEntity => [id, position, motion, rotation, fall_distance, fire, air, on_ground, no_gravity,
    invulnerable, portal_cooldown, uuid, custom_name, custom_name_visible, silent, glowing]);
fields!(RecipeBook, RecipeBookRef<'_>, ArchivedRecipeBook => [recipes, to_be_displayed, is_filtering_craftable, is_gui_open,
    is_furnace_filtering_craftable, is_furnace_gui_open, is_blasting_furnace_filtering_craftable,
    is_blasting_furnace_gui_open, is_smoker_filtering_craftable, is_smoker_gui_open]);
fields!(Player, PlayerRef<'_>, ArchivedPlayer => [game_type, previous_game_type, score, dimension, selected_item_slot, selected_item,
    spawn_dimension, spawn_x, spawn_y, spawn_z, spawn_forced, sleep_timer, food_exhaustion_level,
    food_saturation_level, food_tick_timer, xp_level, xp_progress, xp_total, xp_seed, inventory, ender_items,
    abilities, entered_nether_position, root_vehicle, shoulder_entity_left, shoulder_entity_right, seen_credits,
    recipe_book]);
fields!(Players, PlayersRef<'_>, ArchivedPlayers => [players]);

const DIMENSIONS: [&str; 3] = ["minecraft:overworld", "minecraft:the_nether", "minecraft:the_end"];

const ITEMS: [&str; 12] = [
    "minecraft:dirt",
    "minecraft:stone",
    "minecraft:cobblestone",
    "minecraft:oak_log",
    "minecraft:torch",
    "minecraft:diamond",
    "minecraft:redstone",
    "minecraft:iron_pickaxe",
    "minecraft:diamond_sword",
    "minecraft:cooked_porkchop",
    "minecraft:golden_apple",
    "minecraft:white_wool",
];

const ENTITIES: [&str; 8] = [
    "minecraft:cow",
    "minecraft:sheep",
    "minecraft:parrot",
    "minecraft:horse",
    "minecraft:pig",
    "minecraft:zombie_horse",
    "minecraft:boat",
    "minecraft:minecart",
];

const RECIPES: [&str; 10] = [
    "minecraft:crafting_table",
    "minecraft:furnace",
    "minecraft:oak_planks",
    "minecraft:stick",
    "minecraft:iron_ingot_from_smelting_iron_ore",
    "minecraft:diamond_pickaxe",
    "minecraft:bread",
    "minecraft:white_bed",
    "minecraft:chest",
    "minecraft:stone_bricks_from_stone_stonecutting",
];

const NAMES: [&str; 5] = ["Bessie", "Rex", "Polly", "Thunder", "Sir Oinks"];

fn place(draw: &mut Draw) -> (f64, f64, f64) {
    (draw.between(-30_000.0, 30_000.0), draw.between(0.0, 256.0), draw.between(-30_000.0, 30_000.0))
}

fn uuid(draw: &mut Draw) -> [u32; 4] {
    [(); 4].map(|()| draw.bits() as u32)
}

fn id(draw: &mut Draw, names: &[&str]) -> String {
    (*draw.pick(names)).into()
}

impl GameType {
    pub const ALL: &[Self] =
        &[GameType::Survival, GameType::Creative, GameType::Adventure, GameType::Spectator];

    fn draw(draw: &mut Draw) -> Self {
        *draw.pick(Self::ALL)
    }
}

impl Item {
    fn draw(draw: &mut Draw) -> Self {
        Item { count: draw.of(1..65) as i8, slot: draw.of(0..36) as u8, id: id(draw, &ITEMS) }
    }
}

impl Abilities {
    fn draw(draw: &mut Draw) -> Self {
        Abilities {
            walk_speed: 0.1,
            fly_speed: draw.between(0.0, 0.1) as f32,
            may_fly: draw.once_in(2),
            flying: draw.once_in(2),
            invulnerable: draw.once_in(2),
            may_build: draw.once_in(2),
            instabuild: draw.once_in(2),
        }
    }
}

impl Entity {
    fn draw(draw: &mut Draw) -> Self {
        Entity {
            id: id(draw, &ENTITIES),
            position: place(draw),
            motion: (draw.between(-1.0, 1.0), draw.between(-1.0, 1.0), draw.between(-1.0, 1.0)),
            rotation: (draw.between(-180.0, 180.0) as f32, draw.between(-90.0, 90.0) as f32),
            fall_distance: draw.between(0.0, 10.0) as f32,
            fire: draw.of(0..20) as u16,
            air: draw.of(0..300) as u16,
            on_ground: draw.once_in(2),
            no_gravity: draw.once_in(2),
            invulnerable: draw.once_in(2),
            portal_cooldown: draw.of(0..300) as i32,
            uuid: uuid(draw),
            custom_name: draw.maybe(2, |draw| id(draw, &NAMES)),
            custom_name_visible: draw.once_in(2),
            silent: draw.once_in(2),
            glowing: draw.once_in(2),
        }
    }
}

impl RecipeBook {
    fn draw(draw: &mut Draw) -> Self {
        RecipeBook {
            recipes: draw.list(0..30, |draw| id(draw, &RECIPES)),
            to_be_displayed: draw.list(0..10, |draw| id(draw, &RECIPES)),
            is_filtering_craftable: draw.once_in(2),
            is_gui_open: draw.once_in(2),
            is_furnace_filtering_craftable: draw.once_in(2),
            is_furnace_gui_open: draw.once_in(2),
            is_blasting_furnace_filtering_craftable: draw.once_in(2),
            is_blasting_furnace_gui_open: draw.once_in(2),
            is_smoker_filtering_craftable: draw.once_in(2),
            is_smoker_gui_open: draw.once_in(2),
        }
    }
}

impl Player {
    fn draw(draw: &mut Draw) -> Self {
        Player {
            game_type: GameType::draw(draw),
            previous_game_type: GameType::draw(draw),
            score: draw.of(0..100_000) as i64,
            dimension: id(draw, &DIMENSIONS),
            selected_item_slot: draw.of(0..9) as u32,
            selected_item: Item::draw(draw),
            spawn_dimension: draw.maybe(2, |draw| id(draw, &DIMENSIONS)),
            spawn_x: draw.of(0..60_000) as i64 - 30_000,
            spawn_y: draw.of(0..256) as i64,
            spawn_z: draw.of(0..60_000) as i64 - 30_000,
            spawn_forced: draw.maybe(2, |draw| draw.once_in(2)),
            sleep_timer: draw.of(0..100) as u16,
            food_exhaustion_level: draw.between(0.0, 4.0) as f32,
            food_saturation_level: draw.between(0.0, 20.0) as f32,
            food_tick_timer: draw.of(0..80) as u32,
            xp_level: draw.of(0..60) as u32,
            xp_progress: draw.unit() as f32,
            xp_total: draw.of(0..10_000) as i32,
            xp_seed: draw.bits() as i32,
            inventory: draw.list(0..37, Item::draw),
            ender_items: draw.list(0..28, Item::draw),
            abilities: Abilities::draw(draw),
            entered_nether_position: draw.maybe(2, place),
            root_vehicle: draw.maybe(4, |draw| (uuid(draw), Entity::draw(draw))),
            shoulder_entity_left: draw.maybe(4, Entity::draw),
            shoulder_entity_right: draw.maybe(4, Entity::draw),
            seen_credits: draw.once_in(2),
            recipe_book: RecipeBook::draw(draw),
        }
    }
}

impl Players {
    /// The borrowed form of owned values: what a borrowed decode must write at the least.
    pub fn borrowed(&self) -> PlayersRef<'_> {
        PlayersRef { players: self.players.iter().map(Player::borrowed).collect() }
    }
}

impl Item {
    fn borrowed(&self) -> ItemRef<'_> {
        ItemRef { count: self.count, slot: self.slot, id: &self.id }
    }
}

impl Entity {
    fn borrowed(&self) -> EntityRef<'_> {
        EntityRef {
            id: &self.id,
            position: self.position,
            motion: self.motion,
            rotation: self.rotation,
            fall_distance: self.fall_distance,
            fire: self.fire,
            air: self.air,
            on_ground: self.on_ground,
            no_gravity: self.no_gravity,
            invulnerable: self.invulnerable,
            portal_cooldown: self.portal_cooldown,
            uuid: self.uuid,
            custom_name: self.custom_name.as_deref(),
            custom_name_visible: self.custom_name_visible,
            silent: self.silent,
            glowing: self.glowing,
        }
    }
}

impl RecipeBook {
    fn borrowed(&self) -> RecipeBookRef<'_> {
        RecipeBookRef {
            recipes: self.recipes.iter().map(String::as_str).collect(),
            to_be_displayed: self.to_be_displayed.iter().map(String::as_str).collect(),
            is_filtering_craftable: self.is_filtering_craftable,
            is_gui_open: self.is_gui_open,
            is_furnace_filtering_craftable: self.is_furnace_filtering_craftable,
            is_furnace_gui_open: self.is_furnace_gui_open,
            is_blasting_furnace_filtering_craftable: self.is_blasting_furnace_filtering_craftable,
            is_blasting_furnace_gui_open: self.is_blasting_furnace_gui_open,
            is_smoker_filtering_craftable: self.is_smoker_filtering_craftable,
            is_smoker_gui_open: self.is_smoker_gui_open,
        }
    }
}

impl Player {
    fn borrowed(&self) -> PlayerRef<'_> {
        PlayerRef {
            game_type: self.game_type,
            previous_game_type: self.previous_game_type,
            score: self.score,
            dimension: &self.dimension,
            selected_item_slot: self.selected_item_slot,
            selected_item: self.selected_item.borrowed(),
            spawn_dimension: self.spawn_dimension.as_deref(),
            spawn_x: self.spawn_x,
            spawn_y: self.spawn_y,
            spawn_z: self.spawn_z,
            spawn_forced: self.spawn_forced,
            sleep_timer: self.sleep_timer,
            food_exhaustion_level: self.food_exhaustion_level,
            food_saturation_level: self.food_saturation_level,
            food_tick_timer: self.food_tick_timer,
            xp_level: self.xp_level,
            xp_progress: self.xp_progress,
            xp_total: self.xp_total,
            xp_seed: self.xp_seed,
            inventory: self.inventory.iter().map(Item::borrowed).collect(),
            ender_items: self.ender_items.iter().map(Item::borrowed).collect(),
            abilities: self.abilities,
            entered_nether_position: self.entered_nether_position,
            root_vehicle: self.root_vehicle.as_ref().map(|(uuid, entity)| (*uuid, entity.borrowed())),
            shoulder_entity_left: self.shoulder_entity_left.as_ref().map(Entity::borrowed),
            shoulder_entity_right: self.shoulder_entity_right.as_ref().map(Entity::borrowed),
            seen_credits: self.seen_credits,
            recipe_book: self.recipe_book.borrowed(),
        }
    }
}

impl Set for Players {
    const NAME: &'static str = "minecraft_savedata";

    fn make() -> Self {
        let mut draw = Draw::new(3);
        Players { players: (0..500).map(|_| Player::draw(&mut draw)).collect() }
    }

    fn records(&self) -> usize {
        self.players.len()
    }

    fn ends(&self) -> u64 {
        ends(&self.players)
    }

    fn floor(&self) -> Option<Box<dyn FnMut() + '_>> {
        Some(Box::new(move || {
            black_box(black_box(self).borrowed());
        }))
    }

    fn formats() -> Vec<Format<Self>> {
        formats::minecraft()
    }
}
