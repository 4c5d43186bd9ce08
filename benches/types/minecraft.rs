// The structs of the data set minecraft_savedata, for those who say what `owned!`, `small!` and `borrowed!` derive.

small! {
    pub enum GameType {
        Survival,
        Creative,
        Adventure,
        Spectator,
    }
}

owned! {
    #[derive(Copy)]
    pub struct Abilities {
        #[n(0)]
        pub walk_speed: f32,
        #[n(1)]
        pub fly_speed: f32,
        #[n(2)]
        pub may_fly: bool,
        #[n(3)]
        pub flying: bool,
        #[n(4)]
        pub invulnerable: bool,
        #[n(5)]
        pub may_build: bool,
        #[n(6)]
        pub instabuild: bool,
    }
}

/// The owned and the borrowed form of the structs that hold text: they differ in the type of a text and no more.
macro_rules! forms {
    ($form:ident, [$($text:tt)*] [$($life:tt)*] [$($borrow:tt)*] $n:ident,
        $item:ident $entity:ident $recipes:ident $player:ident $players:ident) => {
        $form! {
            pub struct $item $($life)* {
                #[n(0)]
                pub count: i8,
                #[n(1)]
                pub slot: u8,
                #[$n(2)]
                pub id: $($text)*,
            }

            pub struct $entity $($life)* {
                #[$n(0)]
                pub id: $($text)*,
                #[n(1)]
                pub position: (f64, f64, f64),
                #[n(2)]
                pub motion: (f64, f64, f64),
                #[n(3)]
                pub rotation: (f32, f32),
                #[n(4)]
                pub fall_distance: f32,
                #[n(5)]
                pub fire: u16,
                #[n(6)]
                pub air: u16,
                #[n(7)]
                pub on_ground: bool,
                #[n(8)]
                pub no_gravity: bool,
                #[n(9)]
                pub invulnerable: bool,
                #[n(10)]
                pub portal_cooldown: i32,
                #[n(11)]
                pub uuid: [u32; 4],
                #[$n(12)]
                $($borrow)*
                pub custom_name: Option<$($text)*>,
                #[n(13)]
                pub custom_name_visible: bool,
                #[n(14)]
                pub silent: bool,
                #[n(15)]
                pub glowing: bool,
            }

            pub struct $recipes $($life)* {
                #[$n(0)]
                $($borrow)*
                pub recipes: Vec<$($text)*>,
                #[$n(1)]
                $($borrow)*
                pub to_be_displayed: Vec<$($text)*>,
                #[n(2)]
                pub is_filtering_craftable: bool,
                #[n(3)]
                pub is_gui_open: bool,
                #[n(4)]
                pub is_furnace_filtering_craftable: bool,
                #[n(5)]
                pub is_furnace_gui_open: bool,
                #[n(6)]
                pub is_blasting_furnace_filtering_craftable: bool,
                #[n(7)]
                pub is_blasting_furnace_gui_open: bool,
                #[n(8)]
                pub is_smoker_filtering_craftable: bool,
                #[n(9)]
                pub is_smoker_gui_open: bool,
            }

            pub struct $player $($life)* {
                #[n(0)]
                pub game_type: GameType,
                #[n(1)]
                pub previous_game_type: GameType,
                #[n(2)]
                pub score: i64,
                #[$n(3)]
                pub dimension: $($text)*,
                #[n(4)]
                pub selected_item_slot: u32,
                #[$n(5)]
                $($borrow)*
                pub selected_item: $item $($life)*,
                #[$n(6)]
                $($borrow)*
                pub spawn_dimension: Option<$($text)*>,
                #[n(7)]
                pub spawn_x: i64,
                #[n(8)]
                pub spawn_y: i64,
                #[n(9)]
                pub spawn_z: i64,
                #[n(10)]
                pub spawn_forced: Option<bool>,
                #[n(11)]
                pub sleep_timer: u16,
                #[n(12)]
                pub food_exhaustion_level: f32,
                #[n(13)]
                pub food_saturation_level: f32,
                #[n(14)]
                pub food_tick_timer: u32,
                #[n(15)]
                pub xp_level: u32,
                #[n(16)]
                pub xp_progress: f32,
                #[n(17)]
                pub xp_total: i32,
                #[n(18)]
                pub xp_seed: i32,
                #[$n(19)]
                $($borrow)*
                pub inventory: Vec<$item $($life)*>,
                #[$n(20)]
                $($borrow)*
                pub ender_items: Vec<$item $($life)*>,
                #[n(21)]
                pub abilities: Abilities,
                #[n(22)]
                pub entered_nether_position: Option<(f64, f64, f64)>,
                #[$n(23)]
                $($borrow)*
                pub root_vehicle: Option<([u32; 4], $entity $($life)*)>,
                #[$n(24)]
                $($borrow)*
                pub shoulder_entity_left: Option<$entity $($life)*>,
                #[$n(25)]
                $($borrow)*
                pub shoulder_entity_right: Option<$entity $($life)*>,
                #[n(26)]
                pub seen_credits: bool,
                #[$n(27)]
                $($borrow)*
                pub recipe_book: $recipes $($life)*,
            }

            pub struct $players $($life)* {
                #[$n(0)]
                $($borrow)*
                pub players: Vec<$player $($life)*>,
            }
        }
    };
}
forms!(owned, [String] [] [] n, Item Entity RecipeBook Player Players);
forms!(borrowed, [&'a str] [<'a>] [#[serde(borrow)]] b, ItemRef EntityRef RecipeBookRef PlayerRef PlayersRef);
