//! CUDA C++ Programming Guide "Address Space Predicate Functions", "Address Space Conversion
//! Functions".

use super::functions;
use crate::ir::AddressOp::*;
use crate::ir::Builtin::Address;
use crate::ir::builtin::Window::*;
use crate::sema::builtin::ty::*;

functions! {
    "__isGlobal": UINT(const_ptr(VOID)) => Address(IsIn(Global));
    "__isShared": UINT(const_ptr(VOID)) => Address(IsIn(Shared));
    "__isCtaShared": UINT(const_ptr(VOID)) => Address(IsIn(Shared));
    "__isClusterShared": UINT(const_ptr(VOID)) => Address(IsIn(ClusterShared));
    "__isConstant": UINT(const_ptr(VOID)) => Address(IsIn(Constant));
    "__isLocal": UINT(const_ptr(VOID)) => Address(IsIn(Local));
    "__isGridConstant": UINT(const_ptr(VOID)) => Address(IsIn(Param));
    "__cvta_generic_to_global": SIZE(const_ptr(VOID)) => Address(ToWindow(Global));
    "__cvta_generic_to_shared": SIZE(const_ptr(VOID)) => Address(ToWindow(Shared));
    "__cvta_generic_to_constant": SIZE(const_ptr(VOID)) => Address(ToWindow(Constant));
    "__cvta_generic_to_local": SIZE(const_ptr(VOID)) => Address(ToWindow(Local));
    "__cvta_generic_to_grid_constant": SIZE(const_ptr(VOID)) => Address(ToWindow(Param));
    "__cvta_global_to_generic": VOID_PTR(SIZE) => Address(FromWindow(Global));
    "__cvta_shared_to_generic": VOID_PTR(SIZE) => Address(FromWindow(Shared));
    "__cvta_constant_to_generic": VOID_PTR(SIZE) => Address(FromWindow(Constant));
    "__cvta_local_to_generic": VOID_PTR(SIZE) => Address(FromWindow(Local));
    "__cvta_grid_constant_to_generic": VOID_PTR(SIZE) => Address(FromWindow(Param));
}
