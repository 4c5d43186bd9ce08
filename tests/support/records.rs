//! The data sets of the benchmark of records, with the same structs, and the first records of each as they were drawn.
// Each test uses a part.
#![allow(dead_code)]

use kiln::Frozen;

#[derive(Frozen, Clone, Debug, PartialEq)]
#[repr(C)]
pub(crate) struct Address {
    pub(crate) x0: u8,
    pub(crate) x1: u8,
    pub(crate) x2: u8,
    pub(crate) x3: u8,
}

/// A form that owns its texts and lists, and one that borrows the texts.
macro_rules! log {
    ($text:ty, $log:ident $logs:ident $(<$life:lifetime>)?) => {
        #[derive(Frozen, Clone, Debug, PartialEq)]
        pub(crate) struct $log $(<$life>)? {
            pub(crate) address: Address,
            pub(crate) identity: $text,
            pub(crate) user: $text,
            pub(crate) date: $text,
            pub(crate) request: $text,
            pub(crate) status: u16,
            pub(crate) size: u64,
        }

        #[derive(Frozen, Clone, Debug, PartialEq)]
        pub(crate) struct $logs $(<$life>)? {
            pub(crate) logs: Vec<$log $(<$life>)?>,
        }
    };
}
log!(String, Log Logs);
log!(&'a str, LogRef LogsRef<'a>);

#[derive(Frozen, Clone, Debug, PartialEq)]
#[repr(C)]
pub(crate) struct Vector {
    pub(crate) x: f32,
    pub(crate) y: f32,
    pub(crate) z: f32,
}

#[derive(Frozen, Clone, Debug, PartialEq)]
#[repr(C)]
pub(crate) struct Triangle {
    pub(crate) a: Vector,
    pub(crate) b: Vector,
    pub(crate) c: Vector,
    pub(crate) normal: Vector,
}

#[derive(Frozen, Clone, Debug, PartialEq)]
pub(crate) struct Mesh {
    pub(crate) triangles: Vec<Triangle>,
}

#[derive(Frozen, Clone, Copy, Debug, PartialEq)]
#[repr(u8)]
pub(crate) enum GameType {
    Survival,
    Creative,
    Adventure,
    Spectator,
}

#[derive(Frozen, Clone, Debug, PartialEq)]
pub(crate) struct Abilities {
    pub(crate) walk_speed: f32,
    pub(crate) fly_speed: f32,
    pub(crate) may_fly: bool,
    pub(crate) flying: bool,
    pub(crate) invulnerable: bool,
    pub(crate) may_build: bool,
    pub(crate) instabuild: bool,
}

/// The owned and the borrowed form of the structs that hold text: they differ in the type of a text and no more.
macro_rules! forms {
    ($text:ty, $item:ident $entity:ident $recipes:ident $player:ident $players:ident $(<$life:lifetime>)?) => {
        #[derive(Frozen, Clone, Debug, PartialEq)]
        pub(crate) struct $item $(<$life>)? {
            pub(crate) count: i8,
            pub(crate) slot: u8,
            pub(crate) id: $text,
        }

        #[derive(Frozen, Clone, Debug, PartialEq)]
        pub(crate) struct $entity $(<$life>)? {
            pub(crate) id: $text,
            pub(crate) position: (f64, f64, f64),
            pub(crate) motion: (f64, f64, f64),
            pub(crate) rotation: (f32, f32),
            pub(crate) fall_distance: f32,
            pub(crate) fire: u16,
            pub(crate) air: u16,
            pub(crate) on_ground: bool,
            pub(crate) no_gravity: bool,
            pub(crate) invulnerable: bool,
            pub(crate) portal_cooldown: i32,
            pub(crate) uuid: [u32; 4],
            pub(crate) custom_name: Option<$text>,
            pub(crate) custom_name_visible: bool,
            pub(crate) silent: bool,
            pub(crate) glowing: bool,
        }

        #[derive(Frozen, Clone, Debug, PartialEq)]
        pub(crate) struct $recipes $(<$life>)? {
            pub(crate) recipes: Vec<$text>,
            pub(crate) to_be_displayed: Vec<$text>,
            pub(crate) is_filtering_craftable: bool,
            pub(crate) is_gui_open: bool,
            pub(crate) is_furnace_filtering_craftable: bool,
            pub(crate) is_furnace_gui_open: bool,
            pub(crate) is_blasting_furnace_filtering_craftable: bool,
            pub(crate) is_blasting_furnace_gui_open: bool,
            pub(crate) is_smoker_filtering_craftable: bool,
            pub(crate) is_smoker_gui_open: bool,
        }

        #[derive(Frozen, Clone, Debug, PartialEq)]
        pub(crate) struct $player $(<$life>)? {
            pub(crate) game_type: GameType,
            pub(crate) previous_game_type: GameType,
            pub(crate) score: i64,
            pub(crate) dimension: $text,
            pub(crate) selected_item_slot: u32,
            pub(crate) selected_item: $item $(<$life>)?,
            pub(crate) spawn_dimension: Option<$text>,
            pub(crate) spawn_x: i64,
            pub(crate) spawn_y: i64,
            pub(crate) spawn_z: i64,
            pub(crate) spawn_forced: Option<bool>,
            pub(crate) sleep_timer: u16,
            pub(crate) food_exhaustion_level: f32,
            pub(crate) food_saturation_level: f32,
            pub(crate) food_tick_timer: u32,
            pub(crate) xp_level: u32,
            pub(crate) xp_progress: f32,
            pub(crate) xp_total: i32,
            pub(crate) xp_seed: i32,
            pub(crate) inventory: Vec<$item $(<$life>)?>,
            pub(crate) ender_items: Vec<$item $(<$life>)?>,
            pub(crate) abilities: Abilities,
            pub(crate) entered_nether_position: Option<(f64, f64, f64)>,
            pub(crate) root_vehicle: Option<([u32; 4], $entity $(<$life>)?)>,
            pub(crate) shoulder_entity_left: Option<$entity $(<$life>)?>,
            pub(crate) shoulder_entity_right: Option<$entity $(<$life>)?>,
            pub(crate) seen_credits: bool,
            pub(crate) recipe_book: $recipes $(<$life>)?,
        }

        #[derive(Frozen, Clone, Debug, PartialEq)]
        pub(crate) struct $players $(<$life>)? {
            pub(crate) players: Vec<$player $(<$life>)?>,
        }
    };
}
forms!(String, Item Entity RecipeBook Player Players);
forms!(&'a str, ItemRef EntityRef RecipeBookRef PlayerRef PlayersRef<'a>);

#[derive(Frozen, Clone, Copy, Debug, PartialEq)]
#[repr(u8)]
pub(crate) enum EntityType {
    Barrel,
    Battleship,
    Buoy,
    Carrier,
    Clipper,
    Coin,
    Crate,
    Cruiser,
    Cutter,
    Depot,
    Destroyer,
    Dredger,
    Ferry,
    Fighter,
    Flare,
    Freighter,
    Frigate,
    Gunboat,
    Helicopter,
    Hovercraft,
    Lighthouse,
    Mine,
    Missile,
    Platform,
    Rocket,
    Seaplane,
    Shell,
    Submarine,
    Tanker,
    Torpedo,
    Trawler,
    Tug,
}

#[derive(Frozen, Clone, Debug, PartialEq)]
pub(crate) struct Transform {
    pub(crate) altitude: i8,
    pub(crate) angle: u16,
    pub(crate) position: (f32, f32),
    pub(crate) velocity: i16,
}

#[derive(Frozen, Clone, Debug, PartialEq)]
pub(crate) struct Guidance {
    pub(crate) angle: u16,
    pub(crate) submerge: bool,
    pub(crate) velocity: i16,
}

#[derive(Frozen, Clone, Debug, PartialEq)]
pub(crate) struct Contact {
    pub(crate) damage: u8,
    pub(crate) entity_id: u32,
    pub(crate) entity_type: Option<EntityType>,
    pub(crate) guidance: Guidance,
    pub(crate) player_id: Option<u16>,
    pub(crate) reloads: Vec<bool>,
    pub(crate) transform: Transform,
    pub(crate) turret_angles: Vec<u16>,
}

#[derive(Frozen, Clone, Debug, PartialEq)]
pub(crate) struct TerrainUpdate {
    pub(crate) chunk: (i8, i8),
    #[kiln(bytes)]
    pub(crate) data: Vec<u8>,
}

#[derive(Frozen, Clone, Debug, PartialEq)]
pub(crate) struct Update {
    pub(crate) contacts: Vec<Contact>,
    pub(crate) score: u32,
    pub(crate) world_radius: f32,
    pub(crate) terrain_updates: Vec<TerrainUpdate>,
}

#[derive(Frozen, Clone, Debug, PartialEq)]
pub(crate) struct Updates {
    pub(crate) updates: Vec<Update>,
}

/// The first three records.
pub(crate) fn logs() -> Logs {
    Logs {
        logs: vec![
            Log {
                address: Address { x0: 224, x1: 133, x2: 73, x3: 203 },
                identity: "-".into(),
                user: "-".into(),
                date: "01/Nov/2026:00:03:23 +0530".into(),
                request: "HEAD /search HTTP/1.1".into(),
                status: 304,
                size: 45493790,
            },
            Log {
                address: Address { x0: 226, x1: 16, x2: 20, x3: 126 },
                identity: "-".into(),
                user: "-".into(),
                date: "01/Nov/2026:00:06:33 -0500".into(),
                request: "GET /index.html HTTP/2.0".into(),
                status: 200,
                size: 4790118,
            },
            Log {
                address: Address { x0: 101, x1: 112, x2: 64, x3: 135 },
                identity: "-".into(),
                user: "user3741".into(),
                date: "01/Nov/2026:00:09:38 -0500".into(),
                request: "HEAD / HTTP/1.1".into(),
                status: 404,
                size: 66857346,
            },
        ],
    }
}

/// The first three records.
pub(crate) fn mesh() -> Mesh {
    Mesh {
        triangles: vec![
            Triangle {
                a: Vector { x: 9.118974, y: 24.914968, z: 3.8255231 },
                b: Vector { x: 9.384393, y: 24.726557, z: 3.6721454 },
                c: Vector { x: 9.345327, y: 25.154057, z: 3.5758355 },
                normal: Vector { x: 0.60318106, y: 0.2273541, z: 0.7645147 },
            },
            Triangle {
                a: Vector { x: 22.761597, y: -16.051838, z: -2.486952 },
                b: Vector { x: 22.817389, y: -16.178034, z: -2.054951 },
                c: Vector { x: 22.464987, y: -16.351704, z: -2.6227205 },
                normal: Vector { x: 0.7428915, y: -0.61062425, z: -0.27431777 },
            },
            Triangle {
                a: Vector { x: -12.217443, y: -28.981127, z: -18.07202 },
                b: Vector { x: -12.190031, y: -29.10012, z: -18.241331 },
                c: Vector { x: -11.801249, y: -28.740881, z: -18.046783 },
                normal: Vector { x: 0.38388026, y: -0.72508097, z: 0.57174605 },
            },
        ],
    }
}

/// The first two records.
pub(crate) fn players() -> Players {
    Players {
        players: vec![
            Player {
                game_type: GameType::Survival,
                previous_game_type: GameType::Adventure,
                score: 61297,
                dimension: "minecraft:overworld".into(),
                selected_item_slot: 1,
                selected_item: Item { count: 41, slot: 4, id: "minecraft:golden_apple".into() },
                spawn_dimension: Some("minecraft:the_end".into()),
                spawn_x: 11906,
                spawn_y: 182,
                spawn_z: -1191,
                spawn_forced: Some(false),
                sleep_timer: 79,
                food_exhaustion_level: 1.2242167,
                food_saturation_level: 2.0781083,
                food_tick_timer: 13,
                xp_level: 35,
                xp_progress: 0.81942517,
                xp_total: 9357,
                xp_seed: -1751309933,
                inventory: vec![
                    Item { count: 40, slot: 32, id: "minecraft:cobblestone".into() },
                    Item { count: 8, slot: 23, id: "minecraft:golden_apple".into() },
                    Item { count: 45, slot: 26, id: "minecraft:cobblestone".into() },
                    Item { count: 58, slot: 15, id: "minecraft:cobblestone".into() },
                    Item { count: 31, slot: 24, id: "minecraft:torch".into() },
                    Item { count: 24, slot: 5, id: "minecraft:redstone".into() },
                    Item { count: 46, slot: 30, id: "minecraft:oak_log".into() },
                ],
                ender_items: vec![
                    Item { count: 58, slot: 0, id: "minecraft:redstone".into() },
                    Item { count: 10, slot: 24, id: "minecraft:diamond_sword".into() },
                    Item { count: 35, slot: 19, id: "minecraft:torch".into() },
                    Item { count: 28, slot: 5, id: "minecraft:diamond_sword".into() },
                    Item { count: 39, slot: 13, id: "minecraft:torch".into() },
                    Item { count: 13, slot: 31, id: "minecraft:torch".into() },
                    Item { count: 33, slot: 13, id: "minecraft:redstone".into() },
                    Item { count: 57, slot: 26, id: "minecraft:diamond".into() },
                    Item { count: 20, slot: 2, id: "minecraft:redstone".into() },
                    Item { count: 30, slot: 11, id: "minecraft:dirt".into() },
                    Item { count: 34, slot: 7, id: "minecraft:torch".into() },
                    Item { count: 50, slot: 28, id: "minecraft:oak_log".into() },
                    Item { count: 21, slot: 7, id: "minecraft:diamond_sword".into() },
                    Item { count: 57, slot: 0, id: "minecraft:golden_apple".into() },
                    Item { count: 26, slot: 7, id: "minecraft:white_wool".into() },
                    Item { count: 62, slot: 13, id: "minecraft:diamond_sword".into() },
                ],
                abilities: Abilities {
                    walk_speed: 0.1,
                    fly_speed: 0.0029882456,
                    may_fly: false,
                    flying: false,
                    invulnerable: true,
                    may_build: false,
                    instabuild: true,
                },
                entered_nether_position: None,
                root_vehicle: Some((
                    [1566170804, 2962057870, 212958881, 1098926796],
                    Entity {
                        id: "minecraft:parrot".into(),
                        position: (12489.2811548131, 252.07438216919547, -15535.03443887474),
                        motion: (-0.10439687719560609, -0.13633711542900828, 0.33674942293600907),
                        rotation: (-120.31094, -22.781775),
                        fall_distance: 4.1695323,
                        fire: 4,
                        air: 78,
                        on_ground: true,
                        no_gravity: false,
                        invulnerable: true,
                        portal_cooldown: 31,
                        uuid: [392267386, 1396223137, 2562167151, 1194491799],
                        custom_name: Some("Rex".into()),
                        custom_name_visible: true,
                        silent: false,
                        glowing: false,
                    },
                )),
                shoulder_entity_left: None,
                shoulder_entity_right: None,
                seen_credits: false,
                recipe_book: RecipeBook {
                    recipes: vec![
                        "minecraft:diamond_pickaxe".into(),
                        "minecraft:crafting_table".into(),
                        "minecraft:stone_bricks_from_stone_stonecutting".into(),
                        "minecraft:white_bed".into(),
                        "minecraft:crafting_table".into(),
                        "minecraft:stick".into(),
                        "minecraft:white_bed".into(),
                        "minecraft:stick".into(),
                        "minecraft:stick".into(),
                        "minecraft:chest".into(),
                        "minecraft:stick".into(),
                        "minecraft:white_bed".into(),
                        "minecraft:stone_bricks_from_stone_stonecutting".into(),
                        "minecraft:crafting_table".into(),
                        "minecraft:furnace".into(),
                        "minecraft:stone_bricks_from_stone_stonecutting".into(),
                        "minecraft:diamond_pickaxe".into(),
                        "minecraft:chest".into(),
                        "minecraft:stick".into(),
                        "minecraft:crafting_table".into(),
                        "minecraft:white_bed".into(),
                        "minecraft:oak_planks".into(),
                        "minecraft:white_bed".into(),
                        "minecraft:furnace".into(),
                        "minecraft:chest".into(),
                    ],
                    to_be_displayed: vec![
                        "minecraft:bread".into(),
                        "minecraft:stone_bricks_from_stone_stonecutting".into(),
                        "minecraft:stone_bricks_from_stone_stonecutting".into(),
                        "minecraft:stick".into(),
                        "minecraft:furnace".into(),
                        "minecraft:chest".into(),
                        "minecraft:iron_ingot_from_smelting_iron_ore".into(),
                        "minecraft:furnace".into(),
                        "minecraft:stick".into(),
                    ],
                    is_filtering_craftable: true,
                    is_gui_open: true,
                    is_furnace_filtering_craftable: true,
                    is_furnace_gui_open: true,
                    is_blasting_furnace_filtering_craftable: true,
                    is_blasting_furnace_gui_open: true,
                    is_smoker_filtering_craftable: true,
                    is_smoker_gui_open: false,
                },
            },
            Player {
                game_type: GameType::Creative,
                previous_game_type: GameType::Creative,
                score: 8629,
                dimension: "minecraft:the_nether".into(),
                selected_item_slot: 1,
                selected_item: Item { count: 39, slot: 23, id: "minecraft:cobblestone".into() },
                spawn_dimension: None,
                spawn_x: -775,
                spawn_y: 111,
                spawn_z: 15010,
                spawn_forced: Some(false),
                sleep_timer: 75,
                food_exhaustion_level: 0.78999543,
                food_saturation_level: 2.8410714,
                food_tick_timer: 49,
                xp_level: 19,
                xp_progress: 0.18257163,
                xp_total: 1945,
                xp_seed: 1018554886,
                inventory: vec![
                    Item { count: 5, slot: 21, id: "minecraft:cobblestone".into() },
                    Item { count: 46, slot: 24, id: "minecraft:redstone".into() },
                    Item { count: 36, slot: 13, id: "minecraft:dirt".into() },
                    Item { count: 60, slot: 8, id: "minecraft:redstone".into() },
                    Item { count: 44, slot: 5, id: "minecraft:stone".into() },
                    Item { count: 42, slot: 10, id: "minecraft:cobblestone".into() },
                    Item { count: 44, slot: 25, id: "minecraft:diamond_sword".into() },
                    Item { count: 41, slot: 10, id: "minecraft:white_wool".into() },
                    Item { count: 35, slot: 32, id: "minecraft:iron_pickaxe".into() },
                    Item { count: 40, slot: 13, id: "minecraft:dirt".into() },
                    Item { count: 18, slot: 33, id: "minecraft:white_wool".into() },
                    Item { count: 27, slot: 30, id: "minecraft:diamond".into() },
                    Item { count: 23, slot: 21, id: "minecraft:oak_log".into() },
                    Item { count: 16, slot: 0, id: "minecraft:oak_log".into() },
                    Item { count: 30, slot: 2, id: "minecraft:white_wool".into() },
                    Item { count: 60, slot: 27, id: "minecraft:iron_pickaxe".into() },
                    Item { count: 3, slot: 27, id: "minecraft:dirt".into() },
                    Item { count: 37, slot: 6, id: "minecraft:diamond_sword".into() },
                    Item { count: 26, slot: 30, id: "minecraft:cooked_porkchop".into() },
                    Item { count: 62, slot: 29, id: "minecraft:cobblestone".into() },
                    Item { count: 10, slot: 34, id: "minecraft:white_wool".into() },
                    Item { count: 6, slot: 27, id: "minecraft:cobblestone".into() },
                    Item { count: 11, slot: 4, id: "minecraft:redstone".into() },
                ],
                ender_items: vec![
                    Item { count: 34, slot: 22, id: "minecraft:redstone".into() },
                    Item { count: 42, slot: 2, id: "minecraft:cobblestone".into() },
                    Item { count: 56, slot: 2, id: "minecraft:cooked_porkchop".into() },
                    Item { count: 46, slot: 15, id: "minecraft:iron_pickaxe".into() },
                    Item { count: 14, slot: 24, id: "minecraft:torch".into() },
                    Item { count: 7, slot: 4, id: "minecraft:cobblestone".into() },
                    Item { count: 24, slot: 11, id: "minecraft:oak_log".into() },
                    Item { count: 59, slot: 27, id: "minecraft:stone".into() },
                    Item { count: 5, slot: 11, id: "minecraft:iron_pickaxe".into() },
                ],
                abilities: Abilities {
                    walk_speed: 0.1,
                    fly_speed: 0.029945858,
                    may_fly: false,
                    flying: true,
                    invulnerable: true,
                    may_build: false,
                    instabuild: true,
                },
                entered_nether_position: None,
                root_vehicle: None,
                shoulder_entity_left: None,
                shoulder_entity_right: None,
                seen_credits: true,
                recipe_book: RecipeBook {
                    recipes: vec!["minecraft:diamond_pickaxe".into()],
                    to_be_displayed: vec![
                        "minecraft:chest".into(),
                        "minecraft:stone_bricks_from_stone_stonecutting".into(),
                        "minecraft:white_bed".into(),
                        "minecraft:oak_planks".into(),
                    ],
                    is_filtering_craftable: true,
                    is_gui_open: false,
                    is_furnace_filtering_craftable: true,
                    is_furnace_gui_open: false,
                    is_blasting_furnace_filtering_craftable: false,
                    is_blasting_furnace_gui_open: true,
                    is_smoker_filtering_craftable: false,
                    is_smoker_gui_open: false,
                },
            },
        ],
    }
}

/// The first two records.
pub(crate) fn updates() -> Updates {
    Updates {
        updates: vec![
            Update {
                contacts: vec![
                    Contact {
                        damage: 48,
                        entity_id: 2390459487,
                        entity_type: Some(EntityType::Ferry),
                        guidance: Guidance { angle: 58849, submerge: false, velocity: 794 },
                        player_id: Some(52229),
                        reloads: vec![
                            false, false, false, false, false, false, true, false, true, true, true, false,
                            true, false, false, false, false, true, false, false, true, true, true, false,
                            false,
                        ],
                        transform: Transform {
                            altitude: -99,
                            angle: 12951,
                            position: (1357.7434, -1203.1517),
                            velocity: 1983,
                        },
                        turret_angles: vec![
                            64721, 8237, 59249, 48900, 12136, 58022, 56888, 50029, 16148, 4396, 8691, 53886,
                            38087, 6543, 37485,
                        ],
                    },
                    Contact {
                        damage: 111,
                        entity_id: 3376404926,
                        entity_type: None,
                        guidance: Guidance { angle: 56667, submerge: true, velocity: 1647 },
                        player_id: Some(38672),
                        reloads: vec![true, true, false, true, false, true],
                        transform: Transform {
                            altitude: 95,
                            angle: 19358,
                            position: (-1975.0175, -1866.3872),
                            velocity: 415,
                        },
                        turret_angles: vec![
                            21796, 50311, 36952, 7841, 37564, 46534, 16995, 14368, 4358, 52052, 56412, 33454,
                            44767,
                        ],
                    },
                    Contact {
                        damage: 245,
                        entity_id: 3868367694,
                        entity_type: Some(EntityType::Flare),
                        guidance: Guidance { angle: 50071, submerge: true, velocity: 1997 },
                        player_id: None,
                        reloads: vec![],
                        transform: Transform {
                            altitude: -14,
                            angle: 12824,
                            position: (133.68802, 1608.7457),
                            velocity: -352,
                        },
                        turret_angles: vec![],
                    },
                    Contact {
                        damage: 154,
                        entity_id: 1931064652,
                        entity_type: Some(EntityType::Trawler),
                        guidance: Guidance { angle: 57506, submerge: true, velocity: 1881 },
                        player_id: Some(1247),
                        reloads: vec![
                            true, false, true, false, false, false, false, true, false, true, true, true,
                            true, true, true, true, true, false, false, true, false, false,
                        ],
                        transform: Transform {
                            altitude: -82,
                            angle: 62671,
                            position: (-1067.317, -1536.0215),
                            velocity: 974,
                        },
                        turret_angles: vec![2339, 20151, 6943],
                    },
                    Contact {
                        damage: 183,
                        entity_id: 3067607172,
                        entity_type: Some(EntityType::Battleship),
                        guidance: Guidance { angle: 30876, submerge: false, velocity: 76 },
                        player_id: None,
                        reloads: vec![
                            false, true, false, true, true, false, false, true, true, false, true, true,
                            false, false, true, false, true, false, false, false, false, false, false, false,
                        ],
                        transform: Transform {
                            altitude: -82,
                            angle: 27362,
                            position: (-1116.433, -1776.8627),
                            velocity: -520,
                        },
                        turret_angles: vec![63717, 53893, 53187, 32147],
                    },
                    Contact {
                        damage: 223,
                        entity_id: 1690521118,
                        entity_type: Some(EntityType::Fighter),
                        guidance: Guidance { angle: 45409, submerge: true, velocity: 800 },
                        player_id: Some(13925),
                        reloads: vec![true],
                        transform: Transform {
                            altitude: -90,
                            angle: 50029,
                            position: (-1877.948, -1972.349),
                            velocity: 2781,
                        },
                        turret_angles: vec![
                            41774, 34560, 24315, 10868, 1489, 54608, 12708, 49023, 15, 7846, 50898, 6575,
                        ],
                    },
                    Contact {
                        damage: 20,
                        entity_id: 441612270,
                        entity_type: Some(EntityType::Hovercraft),
                        guidance: Guidance { angle: 26901, submerge: true, velocity: 2945 },
                        player_id: Some(9384),
                        reloads: vec![
                            true, true, false, false, false, true, false, false, true, true, false, false,
                            true, true,
                        ],
                        transform: Transform {
                            altitude: -14,
                            angle: 55831,
                            position: (-239.37627, -1248.2654),
                            velocity: 673,
                        },
                        turret_angles: vec![31455, 15412, 11056, 21138],
                    },
                    Contact {
                        damage: 233,
                        entity_id: 1336393302,
                        entity_type: Some(EntityType::Trawler),
                        guidance: Guidance { angle: 38926, submerge: false, velocity: 2921 },
                        player_id: Some(6156),
                        reloads: vec![
                            false, false, false, false, true, false, false, true, true, false, true, false,
                            false, false, false, true, true, true, true, false, true, true, true,
                        ],
                        transform: Transform {
                            altitude: 31,
                            angle: 22738,
                            position: (1888.3973, -1109.298),
                            velocity: -334,
                        },
                        turret_angles: vec![11177, 2990, 499, 31955],
                    },
                    Contact {
                        damage: 207,
                        entity_id: 1988471648,
                        entity_type: Some(EntityType::Cutter),
                        guidance: Guidance { angle: 21906, submerge: false, velocity: 721 },
                        player_id: Some(7722),
                        reloads: vec![
                            true, false, true, true, true, true, true, true, false, true, true, false, true,
                            false, false, false, false, true, false, true, true, false, true, false, false,
                            false, false,
                        ],
                        transform: Transform {
                            altitude: 31,
                            angle: 20199,
                            position: (1858.3541, -1600.9363),
                            velocity: 1068,
                        },
                        turret_angles: vec![53114, 33123, 14922, 56187, 49158],
                    },
                    Contact {
                        damage: 121,
                        entity_id: 3853019659,
                        entity_type: Some(EntityType::Shell),
                        guidance: Guidance { angle: 49986, submerge: true, velocity: -197 },
                        player_id: Some(23494),
                        reloads: vec![
                            true, false, false, true, false, false, true, true, true, true, true, false,
                            false,
                        ],
                        transform: Transform {
                            altitude: 64,
                            angle: 25499,
                            position: (1741.7223, 1522.3),
                            velocity: 883,
                        },
                        turret_angles: vec![30313, 31827, 46474, 23511, 48182, 5746, 20133],
                    },
                    Contact {
                        damage: 47,
                        entity_id: 372386825,
                        entity_type: Some(EntityType::Seaplane),
                        guidance: Guidance { angle: 25723, submerge: true, velocity: 1229 },
                        player_id: Some(20042),
                        reloads: vec![true, true, false, true, true],
                        transform: Transform {
                            altitude: 28,
                            angle: 55799,
                            position: (682.5972, 368.74493),
                            velocity: 933,
                        },
                        turret_angles: vec![24345, 54487, 6132],
                    },
                    Contact {
                        damage: 252,
                        entity_id: 1850489028,
                        entity_type: Some(EntityType::Battleship),
                        guidance: Guidance { angle: 50292, submerge: true, velocity: 2223 },
                        player_id: None,
                        reloads: vec![
                            false, false, true, true, true, false, true, true, true, true, false, false,
                            false, false, true, true, true, true, false,
                        ],
                        transform: Transform {
                            altitude: -11,
                            angle: 14398,
                            position: (-1154.4923, -1097.1932),
                            velocity: 2728,
                        },
                        turret_angles: vec![],
                    },
                    Contact {
                        damage: 58,
                        entity_id: 2373136917,
                        entity_type: Some(EntityType::Submarine),
                        guidance: Guidance { angle: 16074, submerge: false, velocity: 526 },
                        player_id: Some(48048),
                        reloads: vec![true, true, true, true, false, true, true, true, true, false],
                        transform: Transform {
                            altitude: 125,
                            angle: 41140,
                            position: (-527.34705, -634.7431),
                            velocity: 1601,
                        },
                        turret_angles: vec![45052],
                    },
                ],
                score: 94533,
                world_radius: 6755.468,
                terrain_updates: vec![TerrainUpdate {
                    chunk: (95, -119),
                    data: vec![
                        175, 155, 174, 214, 124, 31, 111, 15, 80, 194, 240, 59, 140, 248, 234, 188, 239, 146,
                        179, 221, 25, 163, 4, 188, 91, 79, 118, 76, 167, 59, 34, 7, 212, 193, 76, 102, 24,
                        161, 244, 129, 162, 118, 204,
                    ],
                }],
            },
            Update {
                contacts: vec![
                    Contact {
                        damage: 11,
                        entity_id: 815583726,
                        entity_type: Some(EntityType::Platform),
                        guidance: Guidance { angle: 64830, submerge: true, velocity: 370 },
                        player_id: None,
                        reloads: vec![
                            true, false, false, false, false, true, false, true, true, false, false, true,
                            true, true, false, false, true, false,
                        ],
                        transform: Transform {
                            altitude: 123,
                            angle: 53488,
                            position: (-1820.2727, 475.4971),
                            velocity: -570,
                        },
                        turret_angles: vec![
                            2122, 14688, 55286, 51212, 38077, 40953, 43762, 3893, 43688, 3782, 32828, 32060,
                            42736, 3803,
                        ],
                    },
                    Contact {
                        damage: 140,
                        entity_id: 2964682266,
                        entity_type: None,
                        guidance: Guidance { angle: 29005, submerge: false, velocity: 1027 },
                        player_id: Some(48057),
                        reloads: vec![true, false, true, true, true, true, false],
                        transform: Transform {
                            altitude: -58,
                            angle: 35245,
                            position: (967.19855, -411.35687),
                            velocity: 1277,
                        },
                        turret_angles: vec![19864, 47051, 44590, 31930, 9868, 30680],
                    },
                    Contact {
                        damage: 9,
                        entity_id: 920378807,
                        entity_type: Some(EntityType::Torpedo),
                        guidance: Guidance { angle: 2525, submerge: true, velocity: 1396 },
                        player_id: Some(29273),
                        reloads: vec![
                            true, true, false, false, false, false, false, false, true, true, false, true,
                            true, true, false, true, true, true, true, true, true, true, true, true, true,
                            false, false, false, false, true, true,
                        ],
                        transform: Transform {
                            altitude: 124,
                            angle: 23253,
                            position: (-1459.1056, 1977.192),
                            velocity: 963,
                        },
                        turret_angles: vec![31093, 10302, 24449, 40421, 41025],
                    },
                    Contact {
                        damage: 74,
                        entity_id: 2578956472,
                        entity_type: Some(EntityType::Hovercraft),
                        guidance: Guidance { angle: 19808, submerge: false, velocity: 2723 },
                        player_id: None,
                        reloads: vec![false],
                        transform: Transform {
                            altitude: 16,
                            angle: 19216,
                            position: (1251.8296, 209.92905),
                            velocity: -908,
                        },
                        turret_angles: vec![2855, 34653, 1336],
                    },
                    Contact {
                        damage: 143,
                        entity_id: 4202466520,
                        entity_type: Some(EntityType::Hovercraft),
                        guidance: Guidance { angle: 35049, submerge: true, velocity: -297 },
                        player_id: Some(15080),
                        reloads: vec![
                            false, true, true, true, true, false, true, true, false, false, false, true,
                            false, true, false, false, false, true, true, false, false, false, false, false,
                            false, false, false, false, false,
                        ],
                        transform: Transform {
                            altitude: 82,
                            angle: 31533,
                            position: (1141.8953, 1650.9741),
                            velocity: -699,
                        },
                        turret_angles: vec![45762, 39121, 23436],
                    },
                    Contact {
                        damage: 69,
                        entity_id: 3021288474,
                        entity_type: Some(EntityType::Flare),
                        guidance: Guidance { angle: 42352, submerge: true, velocity: 1155 },
                        player_id: Some(36453),
                        reloads: vec![
                            true, true, true, true, true, false, true, false, true, false, true, true, true,
                            false, true, true, true,
                        ],
                        transform: Transform {
                            altitude: 120,
                            angle: 48624,
                            position: (-828.3288, 998.22455),
                            velocity: 427,
                        },
                        turret_angles: vec![49805, 62241, 51482, 33525, 64760],
                    },
                    Contact {
                        damage: 93,
                        entity_id: 1063533138,
                        entity_type: Some(EntityType::Crate),
                        guidance: Guidance { angle: 21273, submerge: true, velocity: 2998 },
                        player_id: Some(15057),
                        reloads: vec![
                            false, false, true, false, true, false, false, true, true, false, false, true,
                            false, true, true, true, false, false, false, false, true, false, false, false,
                            true, false, false, false, true,
                        ],
                        transform: Transform {
                            altitude: 17,
                            angle: 42961,
                            position: (-209.669, -580.3128),
                            velocity: -71,
                        },
                        turret_angles: vec![3157, 23873, 61956, 27558, 14748],
                    },
                    Contact {
                        damage: 2,
                        entity_id: 3534910037,
                        entity_type: Some(EntityType::Torpedo),
                        guidance: Guidance { angle: 11109, submerge: false, velocity: 1825 },
                        player_id: Some(36192),
                        reloads: vec![
                            false, false, true, true, false, true, false, false, true, false, false, false,
                            true, true, false, false, true, false, false, false,
                        ],
                        transform: Transform {
                            altitude: 27,
                            angle: 11376,
                            position: (902.0858, -1278.6327),
                            velocity: 264,
                        },
                        turret_angles: vec![
                            29273, 1646, 36888, 3632, 37938, 63023, 49582, 23167, 32729, 46906, 9693, 1181,
                            46515,
                        ],
                    },
                    Contact {
                        damage: 169,
                        entity_id: 1230532695,
                        entity_type: None,
                        guidance: Guidance { angle: 37042, submerge: true, velocity: -861 },
                        player_id: Some(59640),
                        reloads: vec![
                            true, false, true, true, true, true, true, true, false, false, true, false,
                            false, true, true, false, false, true, false, true, false, false, true, false,
                            true, true,
                        ],
                        transform: Transform {
                            altitude: -68,
                            angle: 60406,
                            position: (878.60486, -618.18085),
                            velocity: 2387,
                        },
                        turret_angles: vec![
                            54070, 19344, 4004, 17847, 30260, 43779, 40789, 41014, 55781, 54531, 571, 39286,
                            18350, 39425,
                        ],
                    },
                    Contact {
                        damage: 85,
                        entity_id: 479998228,
                        entity_type: None,
                        guidance: Guidance { angle: 30339, submerge: true, velocity: 1677 },
                        player_id: None,
                        reloads: vec![false, true, true, false, true, false, true, false, false, false, true],
                        transform: Transform {
                            altitude: -99,
                            angle: 22733,
                            position: (1206.574, 192.40852),
                            velocity: 2858,
                        },
                        turret_angles: vec![38709, 25764, 1595, 52010, 35366, 42057],
                    },
                    Contact {
                        damage: 18,
                        entity_id: 3887155139,
                        entity_type: Some(EntityType::Mine),
                        guidance: Guidance { angle: 50549, submerge: false, velocity: 402 },
                        player_id: Some(10559),
                        reloads: vec![
                            false, true, false, true, false, true, false, true, true, false, false, false,
                            true, true, false, false, false, true,
                        ],
                        transform: Transform {
                            altitude: -110,
                            angle: 15865,
                            position: (765.69464, -109.48649),
                            velocity: -724,
                        },
                        turret_angles: vec![10745, 9904, 42341, 62876, 29567],
                    },
                ],
                score: 51518,
                world_radius: 8312.971,
                terrain_updates: vec![TerrainUpdate {
                    chunk: (51, -114),
                    data: vec![
                        3, 134, 204, 184, 62, 32, 236, 71, 108, 188, 233, 67, 164, 162, 239, 132, 119, 26,
                        160, 112, 102, 56, 133, 51, 78, 235, 8, 184, 186, 125, 216, 50, 85, 131, 154, 161,
                        108, 139, 238, 181, 21, 229, 120, 36, 16, 75, 42, 251, 62, 73, 145, 44, 244, 84, 91,
                        83, 254, 195, 106, 169, 155, 141, 33, 117, 238, 141, 199, 185, 200, 72, 236, 255, 0,
                        206, 235, 36, 103, 134, 135, 249, 235, 248, 0, 172, 4, 83, 28, 78, 10, 5, 129, 253,
                        125, 176, 14, 72, 32, 118, 244, 195, 64, 225, 251, 106, 110,
                    ],
                }],
            },
        ],
    }
}
