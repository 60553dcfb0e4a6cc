//! Functions of CUDA's runtime library: nvcc declares them without an include.
//!
//! Nothing is known of them but their names, so that a use is refused for what it is.

/// What the host calls. Sorted.
#[rustfmt::skip]
const HOST: &[&str] = &[
    "cudaArrayGetInfo", "cudaArrayGetMemoryRequirements", "cudaArrayGetPlane",
    "cudaArrayGetSparseProperties", "cudaChooseDevice", "cudaCreateSurfaceObject",
    "cudaCreateTextureObject", "cudaCtxResetPersistingL2Cache", "cudaDestroyExternalMemory",
    "cudaDestroyExternalSemaphore", "cudaDestroySurfaceObject", "cudaDestroyTextureObject",
    "cudaDevResourceGenerateDesc", "cudaDevSmResourceSplit", "cudaDevSmResourceSplitByCount",
    "cudaDeviceCanAccessPeer", "cudaDeviceDisablePeerAccess", "cudaDeviceEnablePeerAccess",
    "cudaDeviceFlushGPUDirectRDMAWrites", "cudaDeviceGetByPCIBusId", "cudaDeviceGetDefaultMemPool",
    "cudaDeviceGetDevResource", "cudaDeviceGetExecutionCtx", "cudaDeviceGetGraphMemAttribute",
    "cudaDeviceGetHostAtomicCapabilities", "cudaDeviceGetMemPool",
    "cudaDeviceGetNvSciSyncAttributes", "cudaDeviceGetP2PAtomicCapabilities",
    "cudaDeviceGetP2PAttribute", "cudaDeviceGetPCIBusId", "cudaDeviceGetStreamPriorityRange",
    "cudaDeviceGetTexture1DLinearMaxWidth", "cudaDeviceGraphMemTrim",
    "cudaDeviceRegisterAsyncNotification", "cudaDeviceReset", "cudaDeviceSetCacheConfig",
    "cudaDeviceSetGraphMemAttribute", "cudaDeviceSetLimit", "cudaDeviceSetMemPool",
    "cudaDeviceSynchronize", "cudaDeviceUnregisterAsyncNotification", "cudaDriverGetVersion",
    "cudaEventCreate", "cudaEventElapsedTime", "cudaEventQuery", "cudaEventSynchronize",
    "cudaExecutionCtxDestroy", "cudaExecutionCtxGetDevResource", "cudaExecutionCtxGetDevice",
    "cudaExecutionCtxGetId", "cudaExecutionCtxRecordEvent", "cudaExecutionCtxStreamCreate",
    "cudaExecutionCtxSynchronize", "cudaExecutionCtxWaitEvent", "cudaExternalMemoryGetMappedBuffer",
    "cudaExternalMemoryGetMappedMipmappedArray", "cudaFreeArray", "cudaFreeAsync", "cudaFreeHost",
    "cudaFreeMipmappedArray", "cudaFuncGetName", "cudaFuncGetParamCount", "cudaFuncGetParamInfo",
    "cudaFuncSetAttribute", "cudaFuncSetCacheConfig", "cudaGetChannelDesc", "cudaGetDeviceFlags",
    "cudaGetDeviceProperties", "cudaGetDriverEntryPointByVersion", "cudaGetExportTable",
    "cudaGetFuncBySymbol", "cudaGetKernel", "cudaGetMipmappedArrayLevel",
    "cudaGetSurfaceObjectResourceDesc", "cudaGetSymbolAddress", "cudaGetSymbolSize",
    "cudaGetTextureObjectResourceDesc", "cudaGetTextureObjectResourceViewDesc",
    "cudaGetTextureObjectTextureDesc", "cudaGraphAddChildGraphNode", "cudaGraphAddDependencies",
    "cudaGraphAddEmptyNode", "cudaGraphAddEventRecordNode", "cudaGraphAddEventWaitNode",
    "cudaGraphAddExternalSemaphoresSignalNode", "cudaGraphAddExternalSemaphoresWaitNode",
    "cudaGraphAddHostNode", "cudaGraphAddKernelNode", "cudaGraphAddMemAllocNode",
    "cudaGraphAddMemFreeNode", "cudaGraphAddMemcpyNode", "cudaGraphAddMemcpyNode1D",
    "cudaGraphAddMemcpyNodeFromSymbol", "cudaGraphAddMemcpyNodeToSymbol", "cudaGraphAddMemsetNode",
    "cudaGraphAddNode", "cudaGraphChildGraphNodeGetGraph", "cudaGraphClone",
    "cudaGraphConditionalHandleCreate", "cudaGraphCreate", "cudaGraphDebugDotPrint",
    "cudaGraphDestroy", "cudaGraphDestroyNode", "cudaGraphEventRecordNodeGetEvent",
    "cudaGraphEventRecordNodeSetEvent", "cudaGraphEventWaitNodeGetEvent",
    "cudaGraphEventWaitNodeSetEvent", "cudaGraphExecChildGraphNodeSetParams",
    "cudaGraphExecDestroy", "cudaGraphExecEventRecordNodeSetEvent",
    "cudaGraphExecEventWaitNodeSetEvent", "cudaGraphExecExternalSemaphoresSignalNodeSetParams",
    "cudaGraphExecExternalSemaphoresWaitNodeSetParams", "cudaGraphExecGetFlags",
    "cudaGraphExecGetId", "cudaGraphExecHostNodeSetParams", "cudaGraphExecKernelNodeSetParams",
    "cudaGraphExecMemcpyNodeSetParams", "cudaGraphExecMemcpyNodeSetParams1D",
    "cudaGraphExecMemcpyNodeSetParamsFromSymbol", "cudaGraphExecMemcpyNodeSetParamsToSymbol",
    "cudaGraphExecMemsetNodeSetParams", "cudaGraphExecNodeSetParams", "cudaGraphExecUpdate",
    "cudaGraphExternalSemaphoresSignalNodeGetParams",
    "cudaGraphExternalSemaphoresSignalNodeSetParams",
    "cudaGraphExternalSemaphoresWaitNodeGetParams", "cudaGraphExternalSemaphoresWaitNodeSetParams",
    "cudaGraphGetEdges", "cudaGraphGetId", "cudaGraphGetNodes", "cudaGraphGetRootNodes",
    "cudaGraphHostNodeGetParams", "cudaGraphHostNodeSetParams", "cudaGraphInstantiate",
    "cudaGraphInstantiateWithFlags", "cudaGraphInstantiateWithParams",
    "cudaGraphKernelNodeCopyAttributes", "cudaGraphKernelNodeGetAttribute",
    "cudaGraphKernelNodeGetParams", "cudaGraphKernelNodeSetAttribute",
    "cudaGraphKernelNodeSetParams", "cudaGraphMemAllocNodeGetParams",
    "cudaGraphMemFreeNodeGetParams", "cudaGraphMemcpyNodeGetParams", "cudaGraphMemcpyNodeSetParams",
    "cudaGraphMemcpyNodeSetParams1D", "cudaGraphMemcpyNodeSetParamsFromSymbol",
    "cudaGraphMemcpyNodeSetParamsToSymbol", "cudaGraphMemsetNodeGetParams",
    "cudaGraphMemsetNodeSetParams", "cudaGraphNodeFindInClone", "cudaGraphNodeGetContainingGraph",
    "cudaGraphNodeGetDependencies", "cudaGraphNodeGetDependentNodes", "cudaGraphNodeGetEnabled",
    "cudaGraphNodeGetLocalId", "cudaGraphNodeGetParams", "cudaGraphNodeGetToolsId",
    "cudaGraphNodeGetType", "cudaGraphNodeSetEnabled", "cudaGraphNodeSetParams",
    "cudaGraphReleaseUserObject", "cudaGraphRemoveDependencies", "cudaGraphRetainUserObject",
    "cudaGraphUpload", "cudaGraphicsMapResources", "cudaGraphicsResourceGetMappedMipmappedArray",
    "cudaGraphicsResourceGetMappedPointer", "cudaGraphicsResourceSetMapFlags",
    "cudaGraphicsSubResourceGetMappedArray", "cudaGraphicsUnmapResources",
    "cudaGraphicsUnregisterResource", "cudaGreenCtxCreate", "cudaHostAlloc",
    "cudaHostGetDevicePointer", "cudaHostGetFlags", "cudaHostRegister", "cudaHostUnregister",
    "cudaImportExternalMemory", "cudaImportExternalSemaphore", "cudaInitDevice",
    "cudaIpcCloseMemHandle", "cudaIpcGetEventHandle", "cudaIpcGetMemHandle",
    "cudaIpcOpenEventHandle", "cudaIpcOpenMemHandle", "cudaKernelSetAttributeForDevice",
    "cudaLaunchCooperativeKernel", "cudaLaunchHostFunc", "cudaLaunchKernel", "cudaLaunchKernelExC",
    "cudaLibraryEnumerateKernels", "cudaLibraryGetGlobal", "cudaLibraryGetKernel",
    "cudaLibraryGetKernelCount", "cudaLibraryGetManaged", "cudaLibraryGetUnifiedFunction",
    "cudaLibraryLoadData", "cudaLibraryLoadFromFile", "cudaLibraryUnload", "cudaLogsCurrent",
    "cudaLogsDumpToFile", "cudaLogsDumpToMemory", "cudaLogsRegisterCallback",
    "cudaLogsUnregisterCallback", "cudaMalloc3D", "cudaMalloc3DArray", "cudaMallocArray",
    "cudaMallocAsync", "cudaMallocFromPoolAsync", "cudaMallocHost", "cudaMallocManaged",
    "cudaMallocMipmappedArray", "cudaMallocPitch", "cudaMemAdvise",
    "cudaMemDiscardAndPrefetchBatchAsync", "cudaMemDiscardBatchAsync", "cudaMemGetDefaultMemPool",
    "cudaMemGetInfo", "cudaMemGetLocationInfo", "cudaMemGetMemPool", "cudaMemPoolCreate",
    "cudaMemPoolDestroy", "cudaMemPoolExportPointer", "cudaMemPoolExportToShareableHandle",
    "cudaMemPoolGetAccess", "cudaMemPoolGetAttribute", "cudaMemPoolImportFromShareableHandle",
    "cudaMemPoolImportPointer", "cudaMemPoolSetAccess", "cudaMemPoolSetAttribute",
    "cudaMemPoolTrimTo", "cudaMemPrefetchAsync", "cudaMemPrefetchBatchAsync",
    "cudaMemRangeGetAttribute", "cudaMemRangeGetAttributes", "cudaMemSetMemPool", "cudaMemcpy",
    "cudaMemcpy2D", "cudaMemcpy2DArrayToArray", "cudaMemcpy2DFromArray",
    "cudaMemcpy2DFromArrayAsync", "cudaMemcpy2DToArray", "cudaMemcpy2DToArrayAsync", "cudaMemcpy3D",
    "cudaMemcpy3DBatchAsync", "cudaMemcpy3DPeer", "cudaMemcpy3DPeerAsync",
    "cudaMemcpy3DWithAttributesAsync", "cudaMemcpyBatchAsync", "cudaMemcpyFromSymbol",
    "cudaMemcpyFromSymbolAsync", "cudaMemcpyPeer", "cudaMemcpyPeerAsync", "cudaMemcpyToSymbol",
    "cudaMemcpyToSymbolAsync", "cudaMemcpyWithAttributesAsync", "cudaMemset", "cudaMemset2D",
    "cudaMemset3D", "cudaMipmappedArrayGetMemoryRequirements",
    "cudaMipmappedArrayGetSparseProperties", "cudaOccupancyAvailableDynamicSMemPerBlock",
    "cudaOccupancyMaxActiveClusters", "cudaOccupancyMaxPotentialClusterSize",
    "cudaPointerGetAttributes", "cudaSetDevice", "cudaSetDeviceFlags", "cudaSetValidDevices",
    "cudaSignalExternalSemaphoresAsync", "cudaStreamAddCallback", "cudaStreamAttachMemAsync",
    "cudaStreamBeginCapture", "cudaStreamBeginCaptureToGraph", "cudaStreamBeginRecaptureToGraph",
    "cudaStreamCopyAttributes", "cudaStreamCreate", "cudaStreamCreateWithPriority",
    "cudaStreamEndCapture", "cudaStreamGetAttribute", "cudaStreamGetCaptureInfo",
    "cudaStreamGetDevResource", "cudaStreamGetDevice", "cudaStreamGetFlags", "cudaStreamGetId",
    "cudaStreamGetPriority", "cudaStreamIsCapturing", "cudaStreamQuery", "cudaStreamSetAttribute",
    "cudaStreamSynchronize", "cudaStreamUpdateCaptureDependencies",
    "cudaThreadExchangeStreamCaptureMode", "cudaUserObjectCreate", "cudaUserObjectRelease",
    "cudaUserObjectRetain", "cudaWaitExternalSemaphoresAsync",
];

/// What device code calls in the device's runtime library, or as instructions. Sorted.
#[rustfmt::skip]
const DEVICE: &[&str] = &[
    "cudaDeviceGetAttribute", "cudaDeviceGetCacheConfig", "cudaDeviceGetLimit",
    "cudaDeviceGetSharedMemConfig", "cudaEventCreateWithFlags", "cudaEventDestroy",
    "cudaEventRecord", "cudaEventRecordWithFlags", "cudaFree", "cudaFuncGetAttributes",
    "cudaGetCurrentGraphExec", "cudaGetDevice", "cudaGetDeviceCount", "cudaGetErrorName",
    "cudaGetErrorString", "cudaGetLastError", "cudaGetParameterBuffer", "cudaGetParameterBufferV2",
    "cudaGraphLaunch", "cudaGraphSetConditional",
    "cudaLaunchDevice", "cudaLaunchDeviceV2", "cudaMalloc", "cudaMemcpy2DAsync",
    "cudaMemcpy3DAsync", "cudaMemcpyAsync", "cudaMemset2DAsync", "cudaMemset3DAsync",
    "cudaMemsetAsync", "cudaOccupancyMaxActiveBlocksPerMultiprocessor",
    "cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags", "cudaPeekAtLastError",
    "cudaRuntimeGetVersion", "cudaStreamCreateWithFlags", "cudaStreamDestroy",
    "cudaStreamWaitEvent",
];

/// Whether the name is that of a function that the host alone can call.
pub(in crate::sema) fn is_host(name: &str) -> bool {
    HOST.binary_search(&name).is_ok()
}

/// Whether the name is that of a function of device code.
pub(super) fn is_device(name: &str) -> bool {
    DEVICE.binary_search(&name).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_sorted_and_in_no_other_table() {
        assert!(HOST.is_sorted() && DEVICE.is_sorted());
        for name in HOST {
            assert!(!is_device(name) && crate::sema::builtin::named(name).next().is_none(), "{name}");
        }
    }
}
