//! Triangles.

use super::derive::owned;
use super::draw::Draw;
use super::format::Format;
use super::read::{ends, fields};
use super::{Set, formats};

include!("../../types/mesh.rs");

fields!(Vector, ArchivedVector => [x, y, z]);
fields!(Triangle, ArchivedTriangle => [a, b, c, normal]);
fields!(Mesh, ArchivedMesh => [triangles]);

impl Vector {
    fn minus(self, other: Self) -> Self {
        Vector { x: self.x - other.x, y: self.y - other.y, z: self.z - other.z }
    }

    fn cross(self, other: Self) -> Self {
        Vector {
            x: self.y * other.z - self.z * other.y,
            y: self.z * other.x - self.x * other.z,
            z: self.x * other.y - self.y * other.x,
        }
    }

    fn unit(self) -> Self {
        let length = (self.x * self.x + self.y * self.y + self.z * self.z).sqrt();
        if length == 0.0 {
            return Vector { x: 0.0, y: 0.0, z: 1.0 };
        }
        Vector { x: self.x / length, y: self.y / length, z: self.z / length }
    }
}

impl Triangle {
    fn draw(draw: &mut Draw) -> Self {
        let mut coordinate = |middle: f32, reach: f64| middle + draw.between(-reach, reach) as f32;
        let a = Vector { x: coordinate(0.0, 50.0), y: coordinate(0.0, 50.0), z: coordinate(0.0, 20.0) };
        let mut near =
            || Vector { x: coordinate(a.x, 0.5), y: coordinate(a.y, 0.5), z: coordinate(a.z, 0.5) };
        let (b, c) = (near(), near());
        Triangle { a, b, c, normal: b.minus(a).cross(c.minus(a)).unit() }
    }
}

impl Set for Mesh {
    const NAME: &'static str = "mesh";

    fn make() -> Self {
        let mut draw = Draw::new(2);
        Mesh { triangles: (0..125_000).map(|_| Triangle::draw(&mut draw)).collect() }
    }

    fn records(&self) -> usize {
        self.triangles.len()
    }

    fn ends(&self) -> u64 {
        ends(&self.triangles)
    }

    fn formats() -> Vec<Format<Self>> {
        formats::mesh()
    }
}
