//! Updates of a game of ships, as a server sends them.

use super::draw::Draw;
use super::format::Format;
use super::read::{ReadAll, ends, fields, small_enum};
use super::{Set, formats};

macro_rules! entity_types {
    ($($name:ident),* $(,)?) => {
        #[derive(Clone, Copy, Debug, PartialEq, Eq, kiln::Frozen)]
        #[derive(bitcode::Encode, bitcode::Decode, wincode::SchemaWrite, wincode::SchemaRead)]
        #[repr(u8)]
        pub enum EntityType {
            $($name,)*
        }

        impl EntityType {
            const ALL: &[Self] = &[$(EntityType::$name,)*];
        }
    };
}
entity_types!(
    Barrel, Battleship, Buoy, Carrier, Clipper, Coin, Crate, Cruiser, Cutter, Depot, Destroyer, Dredger,
    Ferry, Fighter, Flare, Freighter, Frigate, Gunboat, Helicopter, Hovercraft, Lighthouse, Mine, Missile,
    Platform, Rocket, Seaplane, Shell, Submarine, Tanker, Torpedo, Trawler, Tug
);

#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    kiln::Frozen,
    bitcode::Encode,
    bitcode::Decode,
    wincode::SchemaWrite,
    wincode::SchemaRead,
)]
pub struct Transform {
    pub altitude: i8,
    pub angle: u16,
    pub position: (f32, f32),
    pub velocity: i16,
}

#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    kiln::Frozen,
    bitcode::Encode,
    bitcode::Decode,
    wincode::SchemaWrite,
    wincode::SchemaRead,
)]
pub struct Guidance {
    pub angle: u16,
    pub submerge: bool,
    pub velocity: i16,
}

#[derive(
    Clone,
    Debug,
    PartialEq,
    kiln::Frozen,
    bitcode::Encode,
    bitcode::Decode,
    wincode::SchemaWrite,
    wincode::SchemaRead,
)]
pub struct Contact {
    pub damage: u8,
    pub entity_id: u32,
    pub entity_type: Option<EntityType>,
    pub guidance: Guidance,
    pub player_id: Option<u16>,
    pub reloads: Vec<bool>,
    pub transform: Transform,
    pub turret_angles: Vec<u16>,
}

#[derive(
    Clone,
    Debug,
    PartialEq,
    kiln::Frozen,
    bitcode::Encode,
    bitcode::Decode,
    wincode::SchemaWrite,
    wincode::SchemaRead,
)]
pub struct TerrainUpdate {
    pub chunk: (i8, i8),
    #[kiln(bytes)]
    pub data: Vec<u8>,
}

#[derive(
    Clone,
    Debug,
    PartialEq,
    kiln::Frozen,
    bitcode::Encode,
    bitcode::Decode,
    wincode::SchemaWrite,
    wincode::SchemaRead,
)]
pub struct Update {
    pub contacts: Vec<Contact>,
    pub score: u32,
    pub world_radius: f32,
    pub terrain_updates: Vec<TerrainUpdate>,
}

#[derive(
    Clone,
    Debug,
    PartialEq,
    kiln::Frozen,
    bitcode::Encode,
    bitcode::Decode,
    wincode::SchemaWrite,
    wincode::SchemaRead,
)]
pub struct Updates {
    pub updates: Vec<Update>,
}

small_enum!(EntityType);
fields!(Transform => [altitude, angle, position, velocity]);
fields!(Guidance => [angle, submerge, velocity]);
fields!(Contact => [damage, entity_id, entity_type, guidance, player_id, reloads, transform, turret_angles]);
fields!(Update => [contacts, score, world_radius, terrain_updates]);
fields!(Updates => [updates]);

impl ReadAll for TerrainUpdate {
    fn read_all(&self) -> u64 {
        self.chunk.read_all().wrapping_add(self.data.as_slice().read_all())
    }
}

impl Transform {
    fn draw(draw: &mut Draw) -> Self {
        Transform {
            altitude: draw.of(0..256) as i8,
            angle: draw.bits() as u16,
            position: (draw.between(-2000.0, 2000.0) as f32, draw.between(-2000.0, 2000.0) as f32),
            velocity: draw.of(0..4000) as i16 - 1000,
        }
    }
}

impl Guidance {
    fn draw(draw: &mut Draw) -> Self {
        Guidance {
            angle: draw.bits() as u16,
            submerge: draw.once_in(2),
            velocity: draw.of(0..4000) as i16 - 1000,
        }
    }
}

impl Contact {
    fn draw(draw: &mut Draw) -> Self {
        Contact {
            damage: draw.bits() as u8,
            entity_id: draw.bits() as u32,
            entity_type: (!draw.once_in(4)).then(|| *draw.pick(EntityType::ALL)),
            guidance: Guidance::draw(draw),
            player_id: draw.maybe(2, |draw| draw.bits() as u16),
            reloads: draw.list(0..32, |draw| draw.once_in(2)),
            transform: Transform::draw(draw),
            turret_angles: draw.list(0..16, |draw| draw.bits() as u16),
        }
    }
}

impl TerrainUpdate {
    fn draw(draw: &mut Draw) -> Self {
        TerrainUpdate {
            chunk: (draw.bits() as i8, draw.bits() as i8),
            data: draw.list(0..256, |draw| draw.bits() as u8),
        }
    }
}

impl Update {
    fn draw(draw: &mut Draw) -> Self {
        Update {
            contacts: draw.list(0..32, Contact::draw),
            score: draw.of(0..100_000) as u32,
            world_radius: draw.between(1000.0, 10_000.0) as f32,
            terrain_updates: draw.list(0..5, TerrainUpdate::draw),
        }
    }
}

impl Set for Updates {
    const NAME: &'static str = "mk48";

    fn make() -> Self {
        let mut draw = Draw::new(4);
        Updates { updates: (0..1000).map(|_| Update::draw(&mut draw)).collect() }
    }

    fn records(&self) -> usize {
        self.updates.len()
    }

    fn ends(&self) -> u64 {
        ends(&self.updates)
    }

    fn formats() -> Vec<Format<Self>> {
        formats::mk48()
    }
}
