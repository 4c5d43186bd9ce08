//! The structs of the data sets, with the derives that the features ask for and without the attributes of others.

macro_rules! owned {
    ($(
        $(#[$attribute:meta])*
        pub struct $name:ident {
            $($(#[$others:meta])* pub $field:ident: $kind:ty,)*
        }
    )*) => {$(
        #[derive(Clone)]
        $(#[$attribute])*
        #[cfg_attr(feature = "kiln", derive(kiln::Frozen))]
        #[cfg_attr(feature = "rkyv", derive(rkyv::Archive, rkyv::Serialize, rkyv::Deserialize))]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        #[cfg_attr(feature = "wincode", derive(wincode::SchemaRead, wincode::SchemaWrite))]
        pub struct $name {
            $(pub $field: $kind,)*
        }
    )*};
}

macro_rules! small {
    (pub enum $name:ident { $($variant:ident,)* }) => {
        #[derive(Clone, Copy)]
        #[cfg_attr(feature = "kiln", derive(kiln::Frozen))]
        #[cfg_attr(feature = "rkyv", derive(rkyv::Archive, rkyv::Serialize, rkyv::Deserialize))]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        #[cfg_attr(feature = "wincode", derive(wincode::SchemaRead, wincode::SchemaWrite))]
        #[repr(u8)]
        pub enum $name {
            $($variant,)*
        }
    };
}

macro_rules! borrowed {
    ($($item:item)*) => {};
}

/// Entries of a web server's log.
pub mod log {
    include!("../../types/log.rs");
}

/// Triangles.
pub mod mesh {
    include!("../../types/mesh.rs");
}

/// Saved players.
pub mod minecraft {
    include!("../../types/minecraft.rs");
}

/// Updates of a game.
pub mod mk48 {
    include!("../../types/mk48.rs");
}
