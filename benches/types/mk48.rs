// The structs of the data set mk48, for those who say what `owned!`, `small!` and `borrowed!` derive.

macro_rules! entity_types {
    ($($name:ident),* $(,)?) => {
        small! {
            pub enum EntityType {
                $($name,)*
            }
        }

        impl EntityType {
            pub const ALL: &[Self] = &[$(EntityType::$name,)*];
        }
    };
}
entity_types!(
    Barrel, Battleship, Buoy, Carrier, Clipper, Coin, Crate, Cruiser, Cutter, Depot, Destroyer, Dredger,
    Ferry, Fighter, Flare, Freighter, Frigate, Gunboat, Helicopter, Hovercraft, Lighthouse, Mine, Missile,
    Platform, Rocket, Seaplane, Shell, Submarine, Tanker, Torpedo, Trawler, Tug
);

owned! {
    #[derive(Copy)]
    pub struct Transform {
        #[n(0)]
        pub altitude: i8,
        #[n(1)]
        pub angle: u16,
        #[n(2)]
        pub position: (f32, f32),
        #[n(3)]
        pub velocity: i16,
    }

    #[derive(Copy)]
    pub struct Guidance {
        #[n(0)]
        pub angle: u16,
        #[n(1)]
        pub submerge: bool,
        #[n(2)]
        pub velocity: i16,
    }

    pub struct Contact {
        #[n(0)]
        pub damage: u8,
        #[n(1)]
        pub entity_id: u32,
        #[n(2)]
        pub entity_type: Option<EntityType>,
        #[n(3)]
        pub guidance: Guidance,
        #[n(4)]
        pub player_id: Option<u16>,
        #[n(5)]
        pub reloads: Vec<bool>,
        #[n(6)]
        pub transform: Transform,
        #[n(7)]
        pub turret_angles: Vec<u16>,
    }

    pub struct TerrainUpdate {
        #[n(0)]
        pub chunk: (i8, i8),
        #[n(1)]
        #[cbor(with = "minicbor::bytes")]
        #[kiln(bytes)]
        #[serde(with = "serde_bytes")]
        pub data: Vec<u8>,
    }

    pub struct Update {
        #[n(0)]
        pub contacts: Vec<Contact>,
        #[n(1)]
        pub score: u32,
        #[n(2)]
        pub world_radius: f32,
        #[n(3)]
        pub terrain_updates: Vec<TerrainUpdate>,
    }

    pub struct Updates {
        #[n(0)]
        pub updates: Vec<Update>,
    }
}
