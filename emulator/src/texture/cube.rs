//! From a direction to a place on a face of a cube (CUDA C++ Programming Guide "Cubemap Textures").

/// The face, by its number, and the coordinates there, from 0 to 1: the coordinate with the greatest magnitude says which face, and
/// the others are divided by it.
pub(super) fn face(direction: [f32; 3]) -> (u32, [f64; 2]) {
    let direction = direction.map(f64::from);
    let (face, [major, s, t]) = axes_of_face(direction);
    let [major, s, t] = [major, s, t].map(|axis| axis.of(direction));
    (face, [s, t].map(|along| (along / major + 1.0) / 2.0))
}

/// How far the place on the face goes when the direction changes by a step: the derivative of what [`face`] gives (OpenGL Shading
/// Language, "textureGrad": derivatives of cubemaps are those before the projection).
pub(super) fn step_on_face(direction: [f32; 3], step: [f32; 3]) -> [f64; 3] {
    let (direction, step) = (direction.map(f64::from), step.map(f64::from));
    let (_, [major, s, t]) = axes_of_face(direction);
    let (length, change) = (major.of(direction), major.of(step));
    let along = |axis: Axis| (axis.of(step) * length - axis.of(direction) * change) / (2.0 * length * length);
    [along(s), along(t), 0.0]
}

/// A coordinate of a direction, or its opposite.
#[derive(Clone, Copy)]
struct Axis {
    idx: usize,
    sign: f64,
}

impl Axis {
    fn of(self, [x, y, z]: [f64; 3]) -> f64 {
        self.sign * [x, y, z][self.idx]
    }
}

/// The number of the face, and which coordinates are the one with the greatest magnitude and those along the face.
fn axes_of_face([x, y, z]: [f64; 3]) -> (u32, [Axis; 3]) {
    let axis = |idx, sign| Axis { idx, sign };
    let (plus, minus) = (|idx| axis(idx, 1.0), |idx| axis(idx, -1.0));
    if x.abs() >= y.abs() && x.abs() >= z.abs() {
        if x >= 0.0 { (0, [plus(0), minus(2), minus(1)]) } else { (1, [minus(0), plus(2), minus(1)]) }
    } else if y.abs() >= z.abs() {
        if y >= 0.0 { (2, [plus(1), plus(0), plus(2)]) } else { (3, [minus(1), plus(0), minus(2)]) }
    } else if z >= 0.0 {
        (4, [plus(2), plus(0), minus(1)])
    } else {
        (5, [minus(2), minus(0), minus(1)])
    }
}

#[cfg(test)]
mod tests {
    use super::{face, step_on_face};

    #[test]
    fn axes_go_through_the_middles_of_the_faces() {
        let axes = [
            [1.0, 0.0, 0.0],
            [-1.0, 0.0, 0.0],
            [0.0, 1.0, 0.0],
            [0.0, -1.0, 0.0],
            [0.0, 0.0, 1.0],
            [0.0, 0.0, -1.0],
        ];
        for (number, axis) in (0..).zip(axes) {
            assert_eq!(face(axis), (number, [0.5, 0.5]));
        }
        assert_eq!(face([4.0, -2.0, 1.0]), (0, [0.375, 0.75]));
        assert_eq!(face([1.0, 2.0, -4.0]), (5, [0.375, 0.25]));
    }

    #[test]
    fn a_step_is_the_difference_of_two_places() {
        for direction in [
            [4.0, -2.0, 1.0],
            [-4.0, 1.0, 3.0],
            [1.0, 5.0, 2.0],
            [1.0, -5.0, 2.0],
            [0.5, 1.0, 2.0],
            [1.0, 0.5, -2.0],
        ] {
            let step = [0.0078125_f32, -0.015625, 0.00390625];
            let (_, from) = face(direction);
            let (_, to) = face(std::array::from_fn(|idx| direction[idx] + step[idx]));
            let found = step_on_face(direction, step);
            for axis in 0..2 {
                assert!((found[axis] - (to[axis] - from[axis])).abs() < 1e-4, "{direction:?}: {found:?}");
            }
        }
    }
}
