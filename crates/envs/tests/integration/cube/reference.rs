//! Reference implementation of cube turns: each sticker is a point with a normal, which turns rotate in space.

use vivarium_envs::cube::{CubeSize, Face, FaceTurn};

type Vector = [i32; 3];

/// Cube as a list of stickers, each with its position in space, normal and color.
#[derive(Clone, Debug)]
pub struct ReferenceCube {
    size: CubeSize,
    stickers: Vec<Sticker>,
}

#[derive(Clone, Debug)]
struct Sticker {
    /// Position of the sticker's piece; the center of the cube is 0, its sides are at ±1. x points right, y up, z to
    /// the front.
    at: Vector,
    /// Outward unit normal of the sticker.
    facing: Vector,
    color: Face,
}

/// Returns three unit vectors of a face: its outward normal, and its right and down directions as viewed from outside.
fn directions(face: Face) -> [Vector; 3] {
    match face {
        Face::U => [[0, 1, 0], [1, 0, 0], [0, 0, 1]],
        Face::R => [[1, 0, 0], [0, 0, -1], [0, -1, 0]],
        Face::F => [[0, 0, 1], [1, 0, 0], [0, -1, 0]],
        Face::D => [[0, -1, 0], [1, 0, 0], [0, 0, -1]],
        Face::L => [[-1, 0, 0], [0, 0, 1], [0, -1, 0]],
        Face::B => [[0, 0, -1], [-1, 0, 0], [0, -1, 0]],
    }
}

fn dot(a: Vector, b: Vector) -> i32 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Returns the vector `v` rotated by a quarter turn about `axis`, clockwise as viewed against the axis.
fn rotated(v: Vector, axis: Vector) -> Vector {
    let along = dot(v, axis);
    let cross = |i: usize, j: usize| v[i] * axis[j] - v[j] * axis[i];
    [cross(1, 2) + along * axis[0], cross(2, 0) + along * axis[1], cross(0, 1) + along * axis[2]]
}

impl ReferenceCube {
    pub fn solved(size: CubeSize) -> Self {
        let cells: &[i32] = if size == CubeSize::Two { &[-1, 1] } else { &[-1, 0, 1] };
        let mut stickers = Vec::new();
        for face in Face::ALL {
            let [facing, right, down] = directions(face);
            for row in cells {
                for column in cells {
                    let at = [0, 1, 2].map(|i| facing[i] + column * right[i] + row * down[i]);
                    stickers.push(Sticker { at, facing, color: face });
                }
            }
        }
        Self { size, stickers }
    }

    pub fn turn(&mut self, turn: FaceTurn) {
        let axis = directions(turn.face())[0];
        self.rotate(axis, turn.quarters(), |at| dot(at, axis) == 1);
    }

    /// Rotates the whole cube by a quarter turn about the axis of `face`, clockwise as viewed from outside.
    pub fn turn_whole(&mut self, face: Face) {
        self.rotate(directions(face)[0], 1, |_| true);
    }

    /// Rotates layers about the axis of `face`, clockwise as viewed from outside. A layer is 1 at the face, 0 in the
    /// middle and -1 at the opposite face.
    pub fn turn_layers(&mut self, face: Face, layers: &[i32], quarters: u8) {
        let axis = directions(face)[0];
        self.rotate(axis, quarters, |at| layers.contains(&dot(at, axis)));
    }

    fn rotate(&mut self, axis: Vector, quarters: u8, moves: impl Fn(Vector) -> bool) {
        for sticker in self.stickers.iter_mut().filter(|sticker| moves(sticker.at)) {
            for _ in 0..quarters {
                sticker.at = rotated(sticker.at, axis);
                sticker.facing = rotated(sticker.facing, axis);
            }
        }
    }

    /// Returns the color at each sticker position. Positions are listed face by face in the order of [`Face::ALL`],
    /// each face row by row.
    pub fn colors(&self) -> Vec<Face> {
        let places = Self::solved(self.size).stickers;
        let color = |place: &Sticker| {
            let there = |sticker: &&Sticker| sticker.at == place.at && sticker.facing == place.facing;
            self.stickers.iter().find(there).map(|sticker| sticker.color)
        };
        places.iter().map(|place| color(place).expect("every position has a sticker")).collect()
    }

    pub fn text(&self) -> String {
        self.colors().iter().map(Face::to_string).collect()
    }
}
