//! Special registers (PTX ISA "Special Registers"): which there are, what they hold, and as which types they are read.

use super::code::{Axis, Special};
use super::layout::size_of;
use crate::ptx::syntax::Type;

/// How large a special register is, in bytes.
pub(super) fn special_size(name: &str) -> u64 {
    match name {
        "%is_explicit_cluster" => 1,
        "%clock64" | "%globaltimer" | "%gridid" | "%current_graph_exec" => 8,
        name if name.ends_with("_64") => 8,
        _ => 4,
    }
}

/// Whether `mov` reads it as a type: some were smaller once.
pub(super) fn is_read_as(name: &str, ty: Type) -> bool {
    let is_integer = !matches!(ty, Type::F16 | Type::F32 | Type::F64 | Type::Pred);
    match (name, size_of(ty)) {
        ("%is_explicit_cluster", _) => ty == Type::Pred,
        ("%gridid", 2 | 4) | ("%tid" | "%ntid" | "%ctaid" | "%nctaid", 2) => is_integer,
        (name, size) => is_integer && size == special_size(name),
    }
}

/// Special registers that hold the same everywhere: what stands for a driver, for counters that nobody has set up, and
/// for a fourth axis.
pub(super) fn fixed(name: &str, part: Option<&str>) -> Option<u64> {
    let numbered = |prefix: &str, suffix: &str, limit: u32| {
        let number = name.strip_prefix(prefix).and_then(|rest| rest.strip_suffix(suffix));
        number.is_some_and(|number| number.parse::<u32>().is_ok_and(|n| n < limit && n.to_string() == number))
    };
    Some(match (name, part) {
        ("%tid" | "%ntid" | "%ctaid" | "%nctaid" | "%clusterid" | "%nclusterid", Some("w")) => 0,
        ("%cluster_ctaid" | "%cluster_nctaid", Some("w")) => 0,
        ("%current_graph_exec", None) => 0,
        ("%reserved_smem_offset_begin" | "%reserved_smem_offset_end" | "%reserved_smem_offset_cap", None) => {
            0
        }
        _ if part.is_none() && numbered("%reserved_smem_offset_", "", 2) => 0,
        _ if part.is_none() && numbered("%envreg", "", 32) => 0,
        _ if part.is_none() && (numbered("%pm", "", 8) || numbered("%pm", "_64", 8)) => 0,
        _ => return None,
    })
}

/// Whether a special register is a vector of four.
pub(super) fn is_special_vector(name: &str) -> bool {
    fixed(name, Some("w")).is_some()
}

/// PTX ISA "Special Registers".
pub(super) fn special(name: &str, part: Option<&str>) -> Option<Special> {
    let axis = match part {
        Some("x") => Axis::X,
        Some("y") => Axis::Y,
        Some("z") => Axis::Z,
        Some(_) => return None,
        None => {
            return Some(match name {
                "%laneid" => Special::LaneId,
                "%warpid" => Special::WarpId,
                "%nwarpid" => Special::NWarpId,
                "%lanemask_eq" => Special::LaneMaskEq,
                "%lanemask_le" => Special::LaneMaskLe,
                "%lanemask_lt" => Special::LaneMaskLt,
                "%lanemask_ge" => Special::LaneMaskGe,
                "%lanemask_gt" => Special::LaneMaskGt,
                "%dynamic_smem_size" => Special::DynamicSharedSize,
                // No part of shared memory is reserved.
                "%total_smem_size" | "%aggr_smem_size" => Special::TotalSharedSize,
                "%smid" => Special::SmId,
                "%nsmid" => Special::NSmId,
                "%gridid" => Special::GridId,
                "%envreg1" => Special::GridWorkspaceHigh,
                "%envreg2" => Special::GridWorkspaceLow,
                "%cluster_ctarank" => Special::ClusterRank,
                "%cluster_nctarank" => Special::ClusterSize,
                "%is_explicit_cluster" => Special::IsExplicitCluster,
                _ => return None,
            });
        }
    };
    Some(match name {
        "%tid" => Special::Tid(axis),
        "%ntid" => Special::Ntid(axis),
        "%ctaid" => Special::Ctaid(axis),
        "%nctaid" => Special::Nctaid(axis),
        "%clusterid" => Special::ClusterId(axis),
        "%nclusterid" => Special::NClusterId(axis),
        "%cluster_ctaid" => Special::ClusterCtaid(axis),
        "%cluster_nctaid" => Special::ClusterNctaid(axis),
        _ => return None,
    })
}

/// A counter of the warp: by how many bits it is shifted, and which are kept (PTX ISA "%clock64", "%globaltimer").
pub(super) fn counter(name: &str) -> Option<(u32, u64)> {
    let low = u64::from(u32::MAX);
    match name {
        "%clock64" | "%globaltimer" => Some((0, u64::MAX)),
        "%clock" | "%globaltimer_lo" => Some((0, low)),
        "%clock_hi" | "%globaltimer_hi" => Some((32, low)),
        _ => None,
    }
}
