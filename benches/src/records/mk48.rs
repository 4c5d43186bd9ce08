//! Updates of a game of ships, as a server sends them.

use super::derive::{owned, small};
use super::draw::Draw;
use super::format::Format;
use super::read::{ReadAll, ends, fields, small_enum};
use super::{Set, formats};

include!("../../types/mk48.rs");

small_enum!(EntityType, ArchivedEntityType);
fields!(Transform, ArchivedTransform => [altitude, angle, position, velocity]);
fields!(Guidance, ArchivedGuidance => [angle, submerge, velocity]);
fields!(Contact, ArchivedContact => [damage, entity_id, entity_type, guidance, player_id, reloads, transform, turret_angles]);
fields!(Update, ArchivedUpdate => [contacts, score, world_radius, terrain_updates]);
fields!(Updates, ArchivedUpdates => [updates]);

impl ReadAll for TerrainUpdate {
    fn read_all(&self) -> u64 {
        self.chunk.read_all().wrapping_add(self.data.as_slice().read_all())
    }
}

impl ReadAll for ArchivedTerrainUpdate {
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
