// The structs of the data set log, for those who say what `owned!`, `small!` and `borrowed!` derive.

owned! {
    #[derive(Copy)]
    #[repr(C)]
    pub struct Address {
        #[n(0)]
        pub x0: u8,
        #[n(1)]
        pub x1: u8,
        #[n(2)]
        pub x2: u8,
        #[n(3)]
        pub x3: u8,
    }

    pub struct Log {
        #[n(0)]
        pub address: Address,
        #[n(1)]
        pub identity: String,
        #[n(2)]
        pub user: String,
        #[n(3)]
        pub date: String,
        #[n(4)]
        pub request: String,
        #[n(5)]
        pub status: u16,
        #[n(6)]
        pub size: u64,
    }

    pub struct Logs {
        #[n(0)]
        pub logs: Vec<Log>,
    }
}

borrowed! {
    pub struct LogRef<'a> {
        #[n(0)]
        pub address: Address,
        #[b(1)]
        pub identity: &'a str,
        #[b(2)]
        pub user: &'a str,
        #[b(3)]
        pub date: &'a str,
        #[b(4)]
        pub request: &'a str,
        #[n(5)]
        pub status: u16,
        #[n(6)]
        pub size: u64,
    }

    pub struct LogsRef<'a> {
        #[b(0)]
        #[serde(borrow)]
        pub logs: Vec<LogRef<'a>>,
    }
}
