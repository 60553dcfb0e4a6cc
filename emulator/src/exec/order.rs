//! The order of blocks and warps: ascending, or a permutation chosen by a seed.

/// The finalizer of SplitMix64, which mixes the bits of a number.
pub(super) fn mixed(seed: u64) -> u64 {
    let mixed = (seed ^ seed >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    mixed ^ mixed >> 31
}

/// A pseudorandom number generator.
#[derive(Clone, Copy, Debug)]
pub(super) struct Random {
    state: u64,
}

impl Random {
    /// A generator whose numbers depend on the seed and the stream.
    pub(super) fn new(seed: u64, stream: u64) -> Self {
        Random { state: mixed(seed ^ mixed(stream.wrapping_add(1))) }
    }

    /// A number less than `end`, which is not zero.
    pub(super) fn below(&mut self, end: u64) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        mixed(self.state) % end
    }

    /// Shuffles a slice.
    pub(super) fn shuffle<T>(&mut self, things: &mut [T]) {
        for end in (1..things.len()).rev() {
            things.swap(end, self.below(end as u64 + 1) as usize);
        }
    }
}

/// The order in which blocks start.
#[derive(Clone, Copy, Debug)]
pub(super) struct BlockOrder {
    /// The number of clusters along each axis.
    grid: [u32; 3],
    /// The number of blocks per cluster along each axis.
    cluster: [u32; 3],
    /// The number of clusters.
    pub(super) n_clusters: u64,
    /// The number of blocks.
    pub(super) n_blocks: u64,
    /// The cluster at position `i` is number `factor * i + offset` modulo `n_clusters`; the two are coprime,
    /// so that each cluster occurs once.
    factor: u64,
    offset: u64,
}

impl BlockOrder {
    /// The order for a grid of whole clusters. `None` if there are too many blocks to number.
    pub(super) fn new(grid: [u32; 3], cluster: [u32; 3], seed: Option<u64>) -> Option<Self> {
        let n_blocks = grid.iter().try_fold(1_u64, |n, &axis| n.checked_mul(u64::from(axis)))?;
        let grid: [u32; 3] = std::array::from_fn(|axis| grid[axis] / cluster[axis]);
        let n_clusters = grid.iter().map(|&axis| u64::from(axis)).product();
        let (mut factor, mut offset) = (1, 0);
        if let (Some(seed), 1..) = (seed, n_clusters) {
            let mut random = Random::new(seed, u64::MAX);
            offset = random.below(n_clusters);
            factor = 1 + random.below(n_clusters);
            while greatest_common_divisor(factor, n_clusters) != 1 {
                factor += 1;
            }
        }
        Some(BlockOrder { grid, cluster, n_clusters, n_blocks, factor, offset })
    }

    /// The number of blocks per cluster.
    pub(super) fn cluster_size(&self) -> u64 {
        self.cluster.iter().map(|&axis| u64::from(axis)).product()
    }

    /// The cluster of the block at a position, `%clusterid`, and the block in it, `%cluster_ctaid`.
    pub(super) fn in_cluster(&self, position: u64) -> ([u32; 3], [u32; 3]) {
        let (cluster, rank) = (position / self.cluster_size(), position % self.cluster_size());
        let number = u128::from(self.factor) * u128::from(cluster) + u128::from(self.offset);
        let number = (number % u128::from(self.n_clusters)) as u64;
        (along(self.grid, number), along(self.cluster, rank))
    }

    /// The index of the block at a position: `%ctaid`.
    pub(super) fn block_at(&self, position: u64) -> [u32; 3] {
        let (cluster, inside) = self.in_cluster(position);
        std::array::from_fn(|axis| cluster[axis] * self.cluster[axis] + inside[axis])
    }
}

/// The coordinates of a linear index, the first axis fastest.
fn along(axes: [u32; 3], number: u64) -> [u32; 3] {
    let [nx, ny, _] = axes.map(u64::from);
    [(number % nx) as u32, (number / nx % ny) as u32, (number / nx / ny) as u32]
}

fn greatest_common_divisor(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { greatest_common_divisor(b, a % b) }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn blocks(grid: [u32; 3], seed: Option<u64>) -> Vec<[u32; 3]> {
        let order = BlockOrder::new(grid, [1; 3], seed).expect("they are few");
        (0..order.n_blocks).map(|position| order.block_at(position)).collect()
    }

    #[test]
    fn blocks_begin_in_the_order_of_their_numbers() {
        let expected =
            [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0], [0, 0, 1], [1, 0, 1], [0, 1, 1], [1, 1, 1]];
        assert_eq!(blocks([2, 2, 2], None), expected);
    }

    #[test]
    fn a_seed_gives_each_block_its_turn() {
        let ordered = blocks([5, 4, 3], None);
        for seed in 0..20 {
            let shuffled = blocks([5, 4, 3], Some(seed));
            assert_eq!(shuffled, blocks([5, 4, 3], Some(seed)));
            assert_ne!(shuffled, ordered);
            assert_eq!(BTreeSet::from_iter(&shuffled), BTreeSet::from_iter(&ordered));
        }
    }

    #[test]
    fn there_may_be_no_blocks_and_too_many() {
        assert!(blocks([0, 7, 7], Some(1)).is_empty());
        assert!(BlockOrder::new([u32::MAX; 3], [1; 3], None).is_none());
    }

    #[test]
    fn blocks_of_a_cluster_begin_in_sequence() {
        for seed in [None, Some(1), Some(2)] {
            let order = BlockOrder::new([4, 6, 2], [2, 3, 1], seed).expect("they are few");
            assert_eq!((order.n_blocks, order.n_clusters, order.cluster_size()), (48, 8, 6));
            let all: Vec<_> = (0..48).map(|position| order.block_at(position)).collect();
            assert_eq!(BTreeSet::from_iter(&all).len(), 48);
            for cluster in all.chunks(6) {
                let [x, y, z] = cluster[0];
                assert_eq!((x % 2, y % 3), (0, 0));
                assert_eq!(cluster[1], [x + 1, y, z]);
                assert_eq!(cluster[5], [x + 1, y + 2, z]);
            }
        }
    }
}
