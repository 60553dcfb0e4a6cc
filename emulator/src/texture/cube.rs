//! From a direction to a place on a face of a cube (CUDA C++ Programming Guide "Cubemap Textures").

/// The face, by its number, and the coordinates there, from 0 to 1: the coordinate with the greatest magnitude says which face, and
/// the others are divided by it.
pub(super) fn face([x, y, z]: [f32; 3]) -> (u32, [f64; 2]) {
    let [x, y, z] = [x, y, z].map(f64::from);
    let (face, major, s, t) = if x.abs() >= y.abs() && x.abs() >= z.abs() {
        if x >= 0.0 { (0, x, -z, -y) } else { (1, -x, z, -y) }
    } else if y.abs() >= z.abs() {
        if y >= 0.0 { (2, y, x, z) } else { (3, -y, x, -z) }
    } else if z >= 0.0 {
        (4, z, x, -y)
    } else {
        (5, -z, -x, -y)
    };
    (face, [s, t].map(|along| (along / major + 1.0) / 2.0))
}

#[cfg(test)]
mod tests {
    use super::face;

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
}
