// The structs of the data set mesh, for those who say what `owned!`, `small!` and `borrowed!` derive.

owned! {
    #[derive(Copy)]
    #[repr(C)]
    pub struct Vector {
        #[n(0)]
        pub x: f32,
        #[n(1)]
        pub y: f32,
        #[n(2)]
        pub z: f32,
    }

    #[derive(Copy)]
    #[repr(C)]
    pub struct Triangle {
        #[n(0)]
        pub a: Vector,
        #[n(1)]
        pub b: Vector,
        #[n(2)]
        pub c: Vector,
        #[n(3)]
        pub normal: Vector,
    }

    pub struct Mesh {
        #[n(0)]
        pub triangles: Vec<Triangle>,
    }
}
