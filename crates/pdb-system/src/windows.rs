//! Windows.
#![allow(unsafe_code, reason = "it calls the system")]

use std::fs::File;
use std::io;
use std::os::windows::ffi::OsStrExt;
use std::os::windows::io::AsRawHandle;
use std::path::Path;
use std::sync::OnceLock;
use std::thread;
use std::time::Duration;

use windows_sys::Win32::Storage::FileSystem::{
    BY_HANDLE_FILE_INFORMATION, FILE_BASIC_INFO, FileBasicInfo, GetDiskFreeSpaceExW,
    GetFileInformationByHandle, GetFileInformationByHandleEx,
};
use windows_sys::Win32::System::Console::{CTRL_BREAK_EVENT, CTRL_C_EVENT, SetConsoleCtrlHandler};
use windows_sys::Win32::System::Memory::VirtualLock;
use windows_sys::Win32::System::ProcessStatus::{K32GetProcessMemoryInfo, PROCESS_MEMORY_COUNTERS};
use windows_sys::Win32::System::SystemInformation::{GlobalMemoryStatusEx, MEMORYSTATUSEX};
use windows_sys::Win32::System::Threading::GetCurrentProcess;
use windows_sys::core::BOOL;

/// Returns the error of the last call of this thread if a call failed.
fn checked(result: BOOL) -> io::Result<()> {
    if result == 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
}

/// State of an open file, without its content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileState {
    /// Serial number of the volume.
    pub volume: u64,
    /// Number of the file on its volume.
    pub index: u64,
    /// Length in bytes.
    pub bytes: u64,
    /// Time of modification: seconds since 1970, and nanoseconds.
    pub modified: (i64, i64),
    /// Time of the last change of content, names or attributes.
    pub changed: (i64, i64),
}

impl FileState {
    /// Returns the state of a file.
    ///
    /// # Errors
    /// The error of the system.
    pub fn of(file: &File) -> io::Result<Self> {
        let handle = file.as_raw_handle();
        let (mut times, mut id) =
            (FILE_BASIC_INFO::default(), BY_HANDLE_FILE_INFORMATION::default());
        let size = size_of::<FILE_BASIC_INFO>() as u32;
        // SAFETY: the handle is open, and the structure has the size that is given.
        checked(unsafe {
            GetFileInformationByHandleEx(handle, FileBasicInfo, (&raw mut times).cast(), size)
        })?;
        // SAFETY: the handle is open, and the structure is the one that is asked for.
        checked(unsafe { GetFileInformationByHandle(handle, &raw mut id) })?;
        // Windows counts steps of 100 ns since 1601.
        let time = |steps: i64| {
            (steps.div_euclid(10_000_000) - 11_644_473_600, steps.rem_euclid(10_000_000) * 100)
        };
        let joined = |high: u32, low: u32| u64::from(high) << 32 | u64::from(low);
        Ok(Self {
            volume: id.dwVolumeSerialNumber.into(),
            index: joined(id.nFileIndexHigh, id.nFileIndexLow),
            bytes: joined(id.nFileSizeHigh, id.nFileSizeLow),
            modified: time(times.LastWriteTime),
            changed: time(times.ChangeTime),
        })
    }
}

/// Keeps the pages of a range in memory until they are unmapped.
///
/// # Errors
/// The error of the system, which limits how much a process may lock.
pub fn lock_memory(bytes: &[u8]) -> io::Result<()> {
    // SAFETY: the range is borrowed, and locking it changes no byte.
    checked(unsafe { VirtualLock(bytes.as_ptr().cast(), bytes.len()) })
}

fn memory() -> Option<MEMORYSTATUSEX> {
    let mut status = MEMORYSTATUSEX {
        dwLength: size_of::<MEMORYSTATUSEX>() as u32,
        ..MEMORYSTATUSEX::default()
    };
    // SAFETY: the structure contains its size.
    checked(unsafe { GlobalMemoryStatusEx(&raw mut status) }).ok()?;
    Some(status)
}

/// Returns the memory of the machine, if the system reports it.
pub fn physical_memory_bytes() -> Option<u64> {
    memory().map(|status| status.ullTotalPhys)
}

/// Returns the free memory of the machine, if the system reports it.
pub fn available_memory_bytes() -> Option<u64> {
    memory().map(|status| status.ullAvailPhys)
}

/// Returns the peak memory of this process so far, if the system reports it.
pub fn peak_memory_bytes() -> Option<u64> {
    let mut counters = PROCESS_MEMORY_COUNTERS::default();
    let size = size_of::<PROCESS_MEMORY_COUNTERS>() as u32;
    // SAFETY: this process has the handle that the system returns, and the structure has the size
    // that is given.
    checked(unsafe { K32GetProcessMemoryInfo(GetCurrentProcess(), &raw mut counters, size) })
        .ok()?;
    Some(counters.PeakWorkingSetSize as u64)
}

/// Returns the disk space that this user may take in an existing folder, if the system reports it.
pub fn free_disk_bytes(folder: &Path) -> Option<u64> {
    let name: Vec<u16> = folder.as_os_str().encode_wide().chain([0]).collect();
    let mut bytes = 0;
    // SAFETY: the name ends in a zero; the other two figures are not asked for.
    checked(unsafe {
        let unused = std::ptr::null_mut();
        GetDiskFreeSpaceExW(name.as_ptr(), &raw mut bytes, unused, unused)
    })
    .ok()?;
    Some(bytes)
}

static ON_INTERRUPT: OnceLock<fn()> = OnceLock::new();

/// Calls `interrupted`, on a thread of the system, at Ctrl-C and Ctrl-Break, and when the console
/// is closed or the user logs off. Only the first call of this function chooses it.
///
/// # Errors
/// The error of the system.
pub fn on_interrupt(interrupted: fn()) -> io::Result<()> {
    ON_INTERRUPT.get_or_init(|| interrupted);
    // SAFETY: the handler has the signature that the system asks for, and lives as long as the
    // process. It runs on a thread of its own, where everything is allowed.
    checked(unsafe { SetConsoleCtrlHandler(Some(handle), 1) })
}

extern "system" fn handle(event: u32) -> BOOL {
    let Some(interrupted) = ON_INTERRUPT.get() else { return 0 };
    interrupted();
    if event != CTRL_C_EVENT && event != CTRL_BREAK_EVENT {
        // The console is closing: the system ends the process when this returns, or after some
        // seconds.
        thread::sleep(Duration::from_mins(1));
    }
    1
}
