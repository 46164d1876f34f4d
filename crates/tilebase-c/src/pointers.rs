//! From pointers to references and back: what can be checked about a pointer is checked here.
//!
//! What cannot be is the caller's to see to, and each function's `# Safety` says so.

use std::ffi::{CStr, c_char};
use std::mem::MaybeUninit;
use std::{ptr, slice};

use tilebase::Shape;
use tilebase::pdb_core::CELLS_MAX;

use crate::failure::Failure;
use crate::types::{ANSWER_FIRST, OPEN_OPTIONS_FIRST, SOLVE_OPTIONS_FIRST};
use crate::{Answer, Board, Code, OpenOptions, SolveOptions, TILEBASE_CELLS_MAX};

const _: () = assert!(TILEBASE_CELLS_MAX == CELLS_MAX);

/// No structure of any version is larger: what says so was not set.
const STRUCT_SIZE_MAX: usize = 4096;

fn null(name: &str) -> Failure {
    Failure::new(Code::TilebaseErrorNull, format!("{name} is NULL: it has to lead somewhere"))
}

/// What a pointer leads to.
///
/// # Safety
/// A pointer that is not null leads to a valid `T`, which nobody changes during `'a`.
pub(crate) unsafe fn reference<'a, T>(name: &str, pointer: *const T) -> Result<&'a T, Failure> {
    // SAFETY: the caller's promise is that of this function.
    unsafe { pointer.as_ref() }.ok_or_else(|| null(name))
}

/// The board that a pointer leads to, once it was checked.
///
/// # Safety
/// A pointer that is not null leads to a board, which nobody changes now. Bytes behind its last cell may never have been
/// written to.
pub(crate) unsafe fn board(name: &str, pointer: *const Board) -> Result<tilebase::Board, Failure> {
    if pointer.is_null() {
        return Err(null(name));
    }
    // SAFETY: it is not null, so it leads to a board, as promised.
    let (rows, cols) = unsafe { ((*pointer).rows, (*pointer).cols) };
    let shape = Shape::new(rows.into(), cols.into())?;
    // SAFETY: as above; a shape has no more cells than a board has room for, and all of them are set.
    let cells = unsafe {
        slice::from_raw_parts((&raw const (*pointer).cells).cast::<u8>(), shape.cell_count())
    };
    Ok(tilebase::Board::new(shape, cells)?)
}

/// The text that a pointer leads to.
///
/// # Safety
/// A pointer that is not null leads to bytes that end with a zero, which nobody changes during `'a`.
pub(crate) unsafe fn text<'a>(name: &str, pointer: *const c_char) -> Result<&'a str, Failure> {
    // SAFETY: as promised, a pointer that is not null leads to a zero-terminated text.
    unsafe { optional_text(name, pointer) }?.ok_or_else(|| null(name))
}

/// The text that a pointer leads to; nothing where it is null.
///
/// # Safety
/// As for [`text`].
pub(crate) unsafe fn optional_text<'a>(
    name: &str,
    pointer: *const c_char,
) -> Result<Option<&'a str>, Failure> {
    if pointer.is_null() {
        return Ok(None);
    }
    // SAFETY: it is not null, so it leads to a zero-terminated text, as promised.
    let text = unsafe { CStr::from_ptr(pointer) }.to_str();
    text.map(Some).map_err(|_| Failure::argument(format!("{name} is no UTF-8")))
}

/// `len` values that a pointer leads to. Where there are none, it may be null.
///
/// # Safety
/// A pointer that is not null leads to `len` valid values in a row, which nobody changes during `'a`.
pub(crate) unsafe fn values<'a, T>(
    name: &str,
    pointer: *const T,
    len: usize,
) -> Result<&'a [T], Failure> {
    if len == 0 {
        return Ok(&[]);
    }
    if pointer.is_null() {
        return Err(null(name));
    }
    check_len::<T>(name, len)?;
    // SAFETY: it is not null, and leads to so many values, as promised; no memory is longer than was just checked.
    Ok(unsafe { slice::from_raw_parts(pointer, len) })
}

/// The same, to be written to.
///
/// # Safety
/// A pointer that is not null leads to `len` valid values in a row, which nobody else touches during `'a`.
pub(crate) unsafe fn values_mut<'a, T>(
    name: &str,
    pointer: *mut T,
    len: usize,
) -> Result<&'a mut [T], Failure> {
    if len == 0 {
        return Ok(&mut []);
    }
    if pointer.is_null() {
        return Err(null(name));
    }
    check_len::<T>(name, len)?;
    // SAFETY: it is not null, and leads to so many values that are ours alone, as promised; no memory is longer than
    // was just checked.
    Ok(unsafe { slice::from_raw_parts_mut(pointer, len) })
}

fn check_len<T>(name: &str, len: usize) -> Result<(), Failure> {
    let bytes = len.checked_mul(size_of::<T>()).and_then(|bytes| isize::try_from(bytes).ok());
    let too_long = || Failure::argument(format!("{name}: no memory holds {len} of them"));
    bytes.map(drop).ok_or_else(too_long)
}

/// Refuses a place that nothing can be written to, before there is anything to write.
pub(crate) fn check_place<T>(name: &str, pointer: *mut T) -> Result<(), Failure> {
    if pointer.is_null() { Err(null(name)) } else { Ok(()) }
}

/// Writes to where a pointer leads, if it leads anywhere.
///
/// # Safety
/// A pointer that is not null leads to memory for a `T` that nobody else touches now.
pub(crate) unsafe fn write_if_there<T>(pointer: *mut T, value: T) {
    if !pointer.is_null() {
        // SAFETY: it is not null, and so may be written to, as promised; what was there needs no drop.
        unsafe { pointer.write(value) };
    }
}

/// Writes a text and the zero that ends it.
pub(crate) fn write_text(name: &str, buffer: &mut [u8], text: &str) -> Result<(), Failure> {
    let Some(place) = buffer.get_mut(..=text.len()) else {
        let (needed, size) = (text.len() + 1, buffer.len());
        let message = format!("{name} has {size} bytes, but {needed} are needed");
        return Err(Failure::new(Code::TilebaseErrorBuffer, message));
    };
    let (letters, end) = place.split_at_mut(text.len());
    letters.copy_from_slice(text.as_bytes());
    end[0] = 0;
    Ok(())
}

/// A structure that may grow: its size comes first, and new fields come last.
///
/// # Safety
/// It is `repr(C)`, begins with its size as a `usize`, has no bytes between its fields up to the end of the last one, and
/// is valid when all bytes but the size are zero.
pub(crate) unsafe trait Grows: Copy {
    /// What it is called in C.
    const NAME: &'static str;
    /// The size that it was published with, without bytes behind its last field.
    const FIRST: usize;
}

// SAFETY: `repr(C)`; `struct_size` first; fields of eight bytes, or of the size of a pointer in even numbers between them;
// numbers, pointers and an optional function are all valid as zeros.
unsafe impl Grows for OpenOptions {
    const NAME: &'static str = "tilebase_open_options";
    const FIRST: usize = OPEN_OPTIONS_FIRST;
}

// SAFETY: `repr(C)`; `struct_size` first; two of the size of a pointer, two of eight bytes, a pointer; all valid as zeros.
unsafe impl Grows for SolveOptions {
    const NAME: &'static str = "tilebase_solve_options";
    const FIRST: usize = SOLVE_OPTIONS_FIRST;
}

/// The size that the caller knows a structure with.
///
/// # Safety
/// A pointer that is not null leads to a structure whose size is set.
unsafe fn size_of_given<T>(name: &str, first: usize, pointer: *const T) -> Result<usize, Failure> {
    if pointer.is_null() {
        return Err(null(name));
    }
    // SAFETY: it is not null, and every structure begins with its size.
    let size = unsafe { pointer.cast::<usize>().read() };
    if (first..=STRUCT_SIZE_MAX).contains(&size) {
        return Ok(size);
    }
    let message = format!("struct_size of {name} is {size}: set it to sizeof, at least {first}");
    Err(Failure::new(Code::TilebaseErrorStructSize, message))
}

/// Reads a structure of this or another version: fields that the caller does not know are zero, and those that this
/// library does not know must be.
///
/// # Safety
/// A pointer that is not null leads to a structure of the size that it says, and all its fields are set.
pub(crate) unsafe fn read_grown<T: Grows>(pointer: *const T) -> Result<T, Failure> {
    // SAFETY: as promised.
    let size = unsafe { size_of_given(T::NAME, T::FIRST, pointer) }?;
    let known = size.min(size_of::<T>());
    // SAFETY: a newer structure has that many bytes, all of them fields that are set.
    let rest = unsafe { slice::from_raw_parts(pointer.cast::<u8>().add(known), size - known) };
    if rest.iter().any(|&byte| byte != 0) {
        let message = format!("{} has a field that this library does not know", T::NAME);
        return Err(Failure::new(Code::TilebaseErrorStructSize, message));
    }
    let mut value = MaybeUninit::<T>::zeroed();
    // SAFETY: both have so many bytes, and `value` is ours alone.
    unsafe {
        ptr::copy_nonoverlapping(pointer.cast::<u8>(), value.as_mut_ptr().cast::<u8>(), known);
    }
    // SAFETY: zeros are valid, and what was copied over them are whole fields that the caller has set.
    Ok(unsafe { value.assume_init() })
}

/// Refuses a place that no answer can be written to.
///
/// # Safety
/// A pointer that is not null leads to a structure whose size is set.
pub(crate) unsafe fn check_answer(pointer: *const Answer) -> Result<(), Failure> {
    // SAFETY: as promised.
    unsafe { size_of_given("tilebase_answer", ANSWER_FIRST, pointer) }.map(drop)
}

/// Writes as much of an answer as the caller knows; what only the caller knows becomes zero.
///
/// # Safety
/// The pointer leads to memory of the size that it says there, which nobody else touches now.
pub(crate) unsafe fn write_answer(pointer: *mut Answer, answer: Answer) -> Result<(), Failure> {
    // SAFETY: as promised.
    let size = unsafe { size_of_given("tilebase_answer", ANSWER_FIRST, pointer.cast_const()) }?;
    let answer = Answer { struct_size: size, ..answer };
    let known = size.min(size_of::<Answer>());
    // SAFETY: both have so many bytes, and what the caller lent does not overlap with ours.
    unsafe {
        ptr::copy_nonoverlapping((&raw const answer).cast::<u8>(), pointer.cast::<u8>(), known);
    }
    // SAFETY: these bytes follow within the size that the caller has set.
    unsafe { pointer.cast::<u8>().add(known).write_bytes(0, size - known) };
    Ok(())
}
