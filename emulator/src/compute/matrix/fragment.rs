//! Which elements of a matrix a thread holds in which register (PTX ISA "Matrix Fragments for …").

use crate::compute::{Lanes, WARP_SIZE};
use crate::ptx::syntax::Type;

/// How large the matrices are: A has `m` rows and `k` columns, B `k` and `n`, C and D `m` and `n`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shape {
    pub(crate) m: usize,
    pub(crate) n: usize,
    pub(crate) k: usize,
}

impl Shape {
    /// The shape that a modifier names: `m16n8k8`.
    pub(crate) fn named(name: &str) -> Option<Shape> {
        let (m, rest) = name.strip_prefix('m')?.split_once('n')?;
        let (n, k) = rest.split_once('k')?;
        let size = |digits: &str| digits.parse::<usize>().ok().filter(|size| (1..=256).contains(size));
        Some(Shape { m: size(m)?, n: size(n)?, k: size(k)? })
    }
}

/// What a matrix consists of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Element {
    F16,
    Bf16,
    /// In the upper bits of a word: the lower 13 do not count.
    Tf32,
    F32,
    F64,
    E4m3,
    E5m2,
    /// In the lower six bits of a byte: the others do not count.
    E2m3,
    /// Likewise.
    E3m2,
    /// Two in a byte.
    E2m1,
    /// In the middle of a byte: the two bits on either side do not count.
    E2m1Byte,
    S8,
    U8,
    S4,
    U4,
    B1,
    S32,
}

impl Element {
    pub(crate) fn named(name: &str) -> Option<Element> {
        Some(match name {
            "f16" => Element::F16,
            "bf16" => Element::Bf16,
            "tf32" => Element::Tf32,
            "f32" => Element::F32,
            "f64" => Element::F64,
            "e4m3" => Element::E4m3,
            "e5m2" => Element::E5m2,
            "e2m3" => Element::E2m3,
            "e3m2" => Element::E3m2,
            "e2m1" => Element::E2m1,
            "s8" => Element::S8,
            "u8" => Element::U8,
            "s4" => Element::S4,
            "u4" => Element::U4,
            "b1" => Element::B1,
            "s32" => Element::S32,
            _ => return None,
        })
    }

    /// How large it is, in bits.
    pub(crate) fn n_bits(self) -> usize {
        match self {
            Element::F64 => 64,
            Element::F32 | Element::Tf32 | Element::S32 => 32,
            Element::F16 | Element::Bf16 => 16,
            Element::E4m3
            | Element::E5m2
            | Element::E2m3
            | Element::E3m2
            | Element::E2m1Byte
            | Element::S8
            | Element::U8 => 8,
            Element::E2m1 | Element::S4 | Element::U4 => 4,
            Element::B1 => 1,
        }
    }

    /// How many a register holds.
    pub(crate) fn n_per_register(self) -> usize {
        if self == Element::F64 { 1 } else { 32 / self.n_bits() }
    }

    /// The type of the registers, as ptxas takes them.
    pub(crate) fn register(self) -> Type {
        match self {
            Element::F64 => Type::B64,
            Element::F32 => Type::F32,
            Element::F16 => Type::F16x2,
            // Bits alone.
            Element::Bf16 | Element::Tf32 => Type::Bf16x2,
            Element::S32
            | Element::E4m3
            | Element::E5m2
            | Element::E2m3
            | Element::E3m2
            | Element::E2m1
            | Element::E2m1Byte
            | Element::S8
            | Element::U8
            | Element::S4
            | Element::U4
            | Element::B1 => Type::U32,
        }
    }
}

/// Which matrix it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    A,
    B,
    /// Also D.
    C,
}

/// Where the elements are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Arrangement {
    /// Groups of four threads have a row of A, C and D and a column of B: `mma` but for what follows.
    Groups,
    /// `mma.m8n8k4` of `.f16`: four products at once, each of which belongs to eight threads.
    Quarters { is_row: bool },
    /// `wmma`, of which the PTX ISA says nothing: here elements follow one another, along `k` in A and B, along the rows in C
    /// and D, and begin again where threads have room for more.
    Opaque,
}

/// The registers of a matrix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Fragment {
    pub(crate) role: Role,
    pub(crate) shape: Shape,
    pub(crate) element: Element,
    pub(crate) arrangement: Arrangement,
}

impl Fragment {
    /// How many rows and columns the matrix has.
    pub(crate) fn size(&self) -> (usize, usize) {
        let Shape { m, n, k } = self.shape;
        match self.role {
            Role::A => (m, k),
            Role::B => (k, n),
            Role::C => (m, n),
        }
    }

    /// How many matrices the registers hold.
    pub(crate) fn n_matrices(&self) -> usize {
        match self.arrangement {
            Arrangement::Quarters { .. } => 4,
            Arrangement::Groups | Arrangement::Opaque => 1,
        }
    }

    /// How many registers each thread has.
    pub(crate) fn n_registers(&self) -> usize {
        // `wmma` has eight in any shape, and thus elements twice or more often.
        if self.arrangement == Arrangement::Opaque && self.element == Element::F16 && self.role != Role::C {
            return 8;
        }
        let (rows, cols) = self.size();
        rows * cols * self.n_matrices() / (WARP_SIZE * self.element.n_per_register())
    }

    /// How many elements each thread has.
    pub(crate) fn n_elements(&self) -> usize {
        self.n_registers() * self.element.n_per_register()
    }

    /// The matrix, the row and the column of an element of a thread.
    pub(crate) fn place(&self, lane: usize, idx: usize) -> (usize, usize, usize) {
        let (group, member) = (lane / 4, lane % 4);
        match self.arrangement {
            Arrangement::Groups => {
                let n_per_register = self.element.n_per_register();
                let (register, part) = (idx / n_per_register, idx % n_per_register);
                let along = |step: usize| (4 * step + member) * n_per_register + part;
                let n_halves = self.shape.m / 8;
                match self.role {
                    Role::A => (0, group + 8 * (register % n_halves), along(register / n_halves)),
                    Role::B => (0, along(register), group),
                    Role::C => (0, group + 8 * (idx / 2), 2 * member + idx % 2),
                }
            }
            Arrangement::Quarters { is_row } => {
                let high = 4 * (lane / 16);
                let (row, col) = match (self.role, is_row) {
                    (Role::A, true) => (member + high, idx),
                    (Role::A, false) => (idx + high, member),
                    (Role::B, true) => (member, idx + high),
                    (Role::B, false) => (idx, member + high),
                    (Role::C, _) if self.element == Element::F16 => (member + high, idx),
                    (Role::C, _) => ((lane & 1) + (idx & 2) + high, (idx & 4) + (lane & 2) + (idx & 1)),
                };
                (lane % 16 / 4, row, col)
            }
            Arrangement::Opaque => {
                let (rows, cols) = self.size();
                let number = (lane * self.n_elements() + idx) % (rows * cols);
                match self.role {
                    Role::A | Role::C => (0, number / cols, number % cols),
                    Role::B => (0, number % rows, number / rows),
                }
            }
        }
    }

    /// The bits of the elements of a matrix, row by row.
    pub(crate) fn gather(&self, registers: &[&Lanes], matrix: usize) -> Vec<u64> {
        let (rows, cols) = self.size();
        let mut elements = vec![0; rows * cols];
        let (n_bits, n_per_register) = (self.element.n_bits(), self.element.n_per_register());
        for idx in 0..self.n_elements() {
            let (register, shift) = (registers[idx / n_per_register], idx % n_per_register * n_bits);
            for (lane, word) in register.iter().enumerate() {
                let (of, row, col) = self.place(lane, idx);
                if of == matrix {
                    elements[row * cols + col] = word >> shift & (u64::MAX >> (64 - n_bits));
                }
            }
        }
        elements
    }

    /// Puts the elements of a matrix into registers that hold zeros.
    pub(crate) fn scatter(&self, elements: &[u64], matrix: usize, registers: &mut [Lanes]) {
        let (_, cols) = self.size();
        let (n_bits, n_per_register) = (self.element.n_bits(), self.element.n_per_register());
        for idx in 0..self.n_elements() {
            let (register, shift) = (&mut registers[idx / n_per_register], idx % n_per_register * n_bits);
            for (lane, word) in register.iter_mut().enumerate() {
                let (of, row, col) = self.place(lane, idx);
                if of == matrix {
                    *word |= elements[row * cols + col] << shift;
                }
            }
        }
    }
}
