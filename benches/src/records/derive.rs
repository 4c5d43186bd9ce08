//! What the structs of all data sets derive, in one place.

/// Structs that own what they hold: every format writes and reads them.
macro_rules! owned {
    ($($item:item)*) => {$(
        #[derive(Clone, Debug, PartialEq, kiln::Frozen)]
        #[derive(bincode::Encode, bincode::Decode)]
        #[derive(bitcode::Encode, bitcode::Decode)]
        #[derive(borsh::BorshSerialize, borsh::BorshDeserialize)]
        #[derive(databuf::Encode, databuf::Decode)]
        #[derive(minicbor::Encode, minicbor::Decode)]
        #[derive(nanoserde::SerBin, nanoserde::DeBin)]
        #[derive(rkyv::Archive, rkyv::Serialize, rkyv::Deserialize)]
        #[derive(savefile_derive::Savefile)]
        #[derive(serde::Serialize, serde::Deserialize)]
        #[derive(speedy::Readable, speedy::Writable)]
        #[derive(wincode::SchemaWrite, wincode::SchemaRead)]
        $item
    )*};
}
pub(crate) use owned;

/// Enums without data, which take a byte where the format lets them.
macro_rules! small {
    ($item:item) => {
        #[derive(
            Clone,
            Copy,
            Debug,
            PartialEq,
            Eq,
            kiln::Frozen,
            bincode::Encode,
            bincode::Decode,
            bitcode::Encode,
            bitcode::Decode,
            borsh::BorshSerialize,
            borsh::BorshDeserialize,
            databuf::Encode,
            databuf::Decode,
            nanoserde::SerBin,
            nanoserde::DeBin,
            rkyv::Archive,
            rkyv::Serialize,
            rkyv::Deserialize,
            savefile_derive::Savefile,
            serde::Serialize,
            serde::Deserialize,
            speedy::Readable,
            speedy::Writable,
            wincode::SchemaWrite,
            wincode::SchemaRead,
        )]
        #[repr(u8)]
        #[rkyv(derive(Clone, Copy))]
        #[speedy(tag_type = u8)]
        $item
    };
}
pub(crate) use small;

/// Structs that borrow text: the formats that can read them.
macro_rules! borrowed {
    ($($item:item)*) => {$(
        #[derive(Clone, Debug, PartialEq, kiln::Frozen)]
        #[derive(bincode::BorrowDecode)]
        #[derive(bitcode::Encode, bitcode::Decode)]
        #[derive(databuf::Decode)]
        #[derive(minicbor::Decode)]
        #[derive(serde::Serialize, serde::Deserialize)]
        #[derive(speedy::Readable)]
        #[derive(wincode::SchemaWrite, wincode::SchemaRead)]
        $item
    )*};
}
pub(crate) use borrowed;
