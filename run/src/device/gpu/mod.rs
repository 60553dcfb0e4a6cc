//! An NVIDIA GPU as a device, through the CUDA driver.
//!
//! The driver is a library of the system that is loaded at run time: the build needs nothing of CUDA. The driver compiles and links
//! PTX for its GPU, and writes what kernels print to standard output itself.
//!
//! - this file: modules, memory, launches and their times
//! - [`objects`]: textures, surfaces and tensor maps

mod objects;

use std::ffi::{CStr, CString, c_void};
use std::ptr;
use std::time::{Duration, Instant};

use cudarc::driver::result::{self, DriverError};
use cudarc::driver::sys::{self, CUresult};
use weft_emulator::tensor::{MAP_SIZE, TensorMap};
use weft_emulator::texture::Object;

use super::{Device, Shape, Statistics, Watcher};
use crate::error::Error;
use objects::Objects;

/// The number of bytes kept of the driver's compilation log.
const LOG_BYTES: usize = 16 << 10;

/// A program on the first GPU, with its memory.
pub struct Gpu {
    _context: Context,
    module: sys::CUmodule,
    allocations: Vec<sys::CUdeviceptr>,
    objects: Objects,
    last: Option<Prepared>,
}

/// A launch that can be made again.
struct Prepared {
    function: sys::CUfunction,
    shape: Shape,
    shared: u32,
    args: Vec<Vec<u8>>,
}

/// The GPU's primary context, current on this thread.
struct Context {
    device: sys::CUdevice,
}

impl Gpu {
    /// Loads the driver, and the modules onto the first GPU: each with its name for messages.
    ///
    /// # Errors
    ///
    /// If there is no driver or no GPU, or the driver rejects the modules.
    pub fn new(modules: &[(&str, &str)]) -> Result<Self, Error> {
        // SAFETY: this opens and closes a library, which runs only the driver's own initializers.
        if !unsafe { sys::is_culib_present() } {
            return Err(Error::Device {
                message: "no CUDA driver: libcuda.so was not found".to_owned(),
                help: Some("install NVIDIA's driver, or run on the emulator: `--device emulator`".to_owned()),
            });
        }
        result::init().map_err(|error| failed("initialize the CUDA driver", error))?;
        let device = result::device::get(0).map_err(|error| failed("find a GPU", error))?;
        let context = Context::retain(device)?;
        let image = linked(modules)?;
        let mut module = ptr::null_mut();
        // SAFETY: the image is a complete cubin from the driver's own linker, and `module` is a valid output
        // pointer.
        let loaded = unsafe { sys::cuModuleLoadData(&raw mut module, image.as_ptr().cast()) }.result();
        loaded.map_err(|error| failed("load the program onto the GPU", error))?;
        let objects = Objects::default();
        Ok(Gpu { _context: context, module, allocations: Vec::new(), objects, last: None })
    }
}

/// The distinct compute capabilities of this machine's GPUs; empty without a driver or GPU.
pub fn capabilities() -> Vec<(u32, u32)> {
    use sys::CUdevice_attribute::{
        CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR as MAJOR,
        CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR as MINOR,
    };
    // SAFETY: as in `Gpu::new`.
    if !unsafe { sys::is_culib_present() } || result::init().is_err() {
        return Vec::new();
    }
    let mut found = Vec::new();
    for device in
        (0..result::device::get_count().unwrap_or(0)).filter_map(|idx| result::device::get(idx).ok())
    {
        // SAFETY: the device came from the driver.
        let of = |attribute| unsafe { result::device::get_attribute(device, attribute) }.ok();
        let number = |value: i32| u32::try_from(value).ok();
        let capability = of(MAJOR).and_then(number).zip(of(MINOR).and_then(number));
        found.extend(capability.filter(|it| !found.contains(it)));
    }
    found
}

impl Context {
    fn retain(device: sys::CUdevice) -> Result<Self, Error> {
        // SAFETY: the device came from the driver, and the context is released once, when this is dropped.
        let context = unsafe { result::primary_ctx::retain(device) }
            .map_err(|error| failed("make a context on the GPU", error))?;
        let owned = Context { device };
        // SAFETY: the context was just retained.
        unsafe { result::ctx::set_current(context) }.map_err(|error| failed("use the GPU", error))?;
        Ok(owned)
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        // SAFETY: it was retained once, and everything created in it is gone: `Gpu` is dropped before its
        // fields.
        let _ = unsafe { result::primary_ctx::release(self.device) };
    }
}

impl Drop for Gpu {
    fn drop(&mut self) {
        self.objects.destroy();
        for &address in &self.allocations {
            // SAFETY: the address came from the driver and is freed once.
            let _ = unsafe { result::free_sync(address) };
        }
        // SAFETY: the module was loaded, and nothing uses it any more.
        let _ = unsafe { sys::cuModuleUnload(self.module) };
    }
}

/// Compiles and links modules to a cubin for the GPU of the current context.
fn linked(modules: &[(&str, &str)]) -> Result<Vec<u8>, Error> {
    let mut log = vec![0_u8; LOG_BYTES];
    let mut options =
        [sys::CUjit_option::CU_JIT_ERROR_LOG_BUFFER, sys::CUjit_option::CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES];
    // The size is passed instead of a pointer: that is the driver's interface.
    let mut values = [log.as_mut_ptr().cast::<c_void>(), ptr::without_provenance_mut(LOG_BYTES)];
    let mut state = ptr::null_mut();
    // SAFETY: there are as many options as values, and the log outlives the linker, which is destroyed below.
    let created = unsafe {
        sys::cuLinkCreate_v2(options.len() as u32, options.as_mut_ptr(), values.as_mut_ptr(), &raw mut state)
    };
    created.result().map_err(|error| failed("start the driver's linker", error))?;
    let image = add_and_link(state, modules);
    // SAFETY: the state was created above, and is not used any more.
    let _ = unsafe { sys::cuLinkDestroy(state) };
    image.map_err(|(name, error)| {
        let said = CStr::from_bytes_until_nul(&log).map(CStr::to_string_lossy).unwrap_or_default();
        let said = said.trim();
        let message = if said.is_empty() { text(error) } else { said.to_owned() };
        Error::Module { module: name, at: None, message: format!("the CUDA driver rejects it: {message}") }
    })
}

/// In an error, the string is the name of the module.
fn add_and_link(state: sys::CUlinkState, modules: &[(&str, &str)]) -> Result<Vec<u8>, (String, DriverError)> {
    for (name, text) in modules {
        let text = CString::new(*text).unwrap_or_default();
        let shown = CString::new(*name).unwrap_or_default();
        let bytes = text.as_bytes_with_nul();
        // SAFETY: the text ends with a zero, which the size includes, and the driver only reads it.
        let added = unsafe {
            sys::cuLinkAddData_v2(
                state,
                sys::CUjitInputType::CU_JIT_INPUT_PTX,
                bytes.as_ptr().cast_mut().cast(),
                bytes.len(),
                shown.as_ptr(),
                0,
                ptr::null_mut(),
                ptr::null_mut(),
            )
        };
        added.result().map_err(|error| ((*name).to_owned(), error))?;
    }
    let (mut image, mut size) = (ptr::null_mut(), 0);
    // SAFETY: both are valid output pointers.
    let completed = unsafe { sys::cuLinkComplete(state, &raw mut image, &raw mut size) };
    let names: Vec<&str> = modules.iter().map(|(name, _)| *name).collect();
    completed.result().map_err(|error| (names.join(", "), error))?;
    // SAFETY: the image has this size, and lives until the linker is destroyed.
    Ok(unsafe { std::slice::from_raw_parts(image.cast::<u8>(), size) }.to_vec())
}

impl Device for Gpu {
    fn allocate(&mut self, n_bytes: u64, _name: &str, _is_written: bool) -> Result<u64, Error> {
        // The driver does not support empty allocations.
        let size = n_bytes.max(1) as usize;
        // SAFETY: the context is current; the address is freed once, when this is dropped.
        let address =
            unsafe { result::malloc_sync(size) }.map_err(|error| failed("allocate a buffer", error))?;
        self.allocations.push(address);
        // SAFETY: the allocation has this size.
        unsafe { result::memset_d8_sync(address, 0, size) }
            .map_err(|error| failed("clear a buffer", error))?;
        Ok(address)
    }

    fn write(&mut self, address: u64, bytes: &[u8]) -> Result<(), Error> {
        // SAFETY: the driver checks that the bytes are within an allocation.
        unsafe { result::memcpy_htod_sync(address, bytes) }.map_err(|error| failed("copy to the GPU", error))
    }

    fn read(&mut self, address: u64, bytes: &mut [u8]) -> Result<(), Error> {
        // SAFETY: the driver checks that the bytes are within an allocation.
        unsafe { result::memcpy_dtoh_sync(bytes, address) }
            .map_err(|error| failed("copy from the GPU", error))
    }

    fn variable(&mut self, symbol: &str) -> Result<Option<(u64, u64)>, Error> {
        let name = CString::new(symbol).unwrap_or_default();
        let (mut address, mut size) = (0, 0);
        // SAFETY: the module is loaded, the name ends with a zero, and both results are valid output
        // pointers.
        let found =
            unsafe { sys::cuModuleGetGlobal_v2(&raw mut address, &raw mut size, self.module, name.as_ptr()) };
        match found.result() {
            Ok(()) => Ok(Some((address, size as u64))),
            Err(DriverError(CUresult::CUDA_ERROR_NOT_FOUND)) => Ok(None),
            Err(error) => Err(failed("find a variable", error)),
        }
    }

    fn launch(
        &mut self,
        kernel: &str,
        shape: &Shape,
        args: &[Vec<u8>],
        _watcher: &mut dyn Watcher,
    ) -> Result<Statistics, Error> {
        let name = CString::new(kernel).unwrap_or_default();
        let mut function = ptr::null_mut();
        // SAFETY: the module is loaded, the name ends with a zero, and `function` is a valid output pointer.
        let found = unsafe { sys::cuModuleGetFunction(&raw mut function, self.module, name.as_ptr()) };
        found.result().map_err(|error| failed("find the kernel", error))?;
        let Ok(shared) = u32::try_from(shape.shared) else {
            return Err(Error::Launch("the launch asks for more shared memory than the GPU has".to_owned()));
        };
        // More than 48 KiB must be requested explicitly.
        let attribute = sys::CUfunction_attribute_enum::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
        // SAFETY: the function belongs to a loaded module.
        unsafe { result::function::set_function_attribute(function, attribute, shared as i32) }
            .map_err(stopped)?;
        let args = args.to_vec();
        let prepared = self.last.insert(Prepared { function, shape: *shape, shared, args });
        let start = Instant::now();
        prepared.start()?;
        synchronize()?;
        let elapsed = start.elapsed();
        self.objects.store_surfaces()?;
        Ok(Statistics { n_instructions: None, elapsed })
    }

    fn time(&mut self, n_launches: u32) -> Result<Vec<Duration>, Error> {
        let Some(prepared) = &mut self.last else { return Ok(Vec::new()) };
        let events = [Event::new()?, Event::new()?];
        let mut times = Vec::new();
        for _ in 0..n_launches {
            events[0].record()?;
            prepared.start()?;
            events[1].record()?;
            synchronize()?;
            times.push(Event::elapsed(&events)?);
        }
        Ok(times)
    }

    fn add_object(&mut self, object: Object) -> Result<u64, Error> {
        self.objects.add(&object)
    }

    fn tensor_map(&mut self, map: &TensorMap) -> Result<[u8; MAP_SIZE], Error> {
        objects::tensor_map(map)
    }

    fn bind_object(&mut self, _variable: &str, _object: Object) -> Result<bool, Error> {
        let message =
            "texture and surface variables are supported only on the emulator; pass an object to the kernel";
        Err(Error::Launch(message.to_owned()))
    }
}

impl Prepared {
    /// Starts the kernel, and does not wait for its end.
    fn start(&mut self) -> Result<(), Error> {
        let mut places: Vec<*mut c_void> = self.args.iter_mut().map(|arg| arg.as_mut_ptr().cast()).collect();
        let ([gx, gy, gz], [bx, by, bz]) = (self.shape.grid, self.shape.block);
        // SAFETY: there is an argument for each parameter, as large as PTX declares it (`crate::launch`); what the
        // kernel does with them, the GPU keeps within this context.
        let launched = unsafe {
            let (stream, args, shared) = (ptr::null_mut(), places.as_mut_ptr(), self.shared);
            let function = self.function;
            if self.shape.is_cooperative {
                sys::cuLaunchCooperativeKernel(function, gx, gy, gz, bx, by, bz, shared, stream, args)
            } else {
                sys::cuLaunchKernel(function, gx, gy, gz, bx, by, bz, shared, stream, args, ptr::null_mut())
            }
        };
        launched.result().map_err(stopped)
    }
}

/// Waits until the GPU has nothing left to do.
fn synchronize() -> Result<(), Error> {
    // SAFETY: the context is current.
    unsafe { sys::cuCtxSynchronize() }.result().map_err(stopped)
}

/// A point in time on the GPU.
struct Event(sys::CUevent);

impl Event {
    fn new() -> Result<Self, Error> {
        let mut event = ptr::null_mut();
        // SAFETY: the context is current, and `event` is there to be written.
        let created = unsafe { sys::cuEventCreate(&raw mut event, 0) };
        created.result().map_err(|error| failed("create an event", error))?;
        Ok(Event(event))
    }

    fn record(&self) -> Result<(), Error> {
        // SAFETY: the event is destroyed only when this is dropped.
        let recorded = unsafe { sys::cuEventRecord(self.0, ptr::null_mut()) };
        recorded.result().map_err(|error| failed("record an event", error))
    }

    /// The time between two events that have both happened.
    fn elapsed([from, to]: &[Event; 2]) -> Result<Duration, Error> {
        let mut milliseconds = 0.0;
        // SAFETY: both events are alive, and `milliseconds` is there to be written.
        let read = unsafe { sys::cuEventElapsedTime(&raw mut milliseconds, from.0, to.0) };
        read.result().map_err(|error| failed("read the time of an event", error))?;
        Ok(Duration::from_secs_f64(f64::from(milliseconds.max(0.0)) / 1e3))
    }
}

impl Drop for Event {
    fn drop(&mut self) {
        // SAFETY: the event was created once.
        let _ = unsafe { sys::cuEventDestroy_v2(self.0) };
    }
}

/// A failed call of the driver.
fn failed(what: &str, error: DriverError) -> Error {
    Error::Device { message: format!("cannot {what}: {}", text(error)), help: None }
}

/// The driver rejected the kernel, or the kernel was stopped.
fn stopped(error: DriverError) -> Error {
    let is_environment = matches!(
        error.0,
        CUresult::CUDA_ERROR_NO_BINARY_FOR_GPU
            | CUresult::CUDA_ERROR_OUT_OF_MEMORY
            | CUresult::CUDA_ERROR_ECC_UNCORRECTABLE
            | CUresult::CUDA_ERROR_SYSTEM_NOT_READY
    );
    if is_environment {
        return failed("run the kernel", error);
    }
    Error::Launch(format!("the GPU stopped the kernel: {}; run it on the emulator to see where", text(error)))
}

/// The driver's text for an error.
fn text(error: DriverError) -> String {
    match error.error_string() {
        Ok(text) => text.to_string_lossy().into_owned(),
        Err(_) => format!("error {}", error.0 as u32),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_a_driver_it_says_so() {
        // SAFETY: as above.
        if unsafe { sys::is_culib_present() } {
            return;
        }
        let error = Gpu::new(&[]).err().expect("there is no driver");
        assert!(error.is_environment());
        assert!(error.to_string().starts_with("no CUDA driver: libcuda.so was not found"), "{error}");
    }
}
