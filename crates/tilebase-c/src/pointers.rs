//! Conversion of pointers to references, with every check that a pointer allows.
//!
//! The caller is responsible for everything else; each function's `# Safety` section lists it.
#![allow(unsafe_code, reason = "it reads and writes through pointers of C")]

use std::ffi::{CStr, c_char};
use std::mem::MaybeUninit;
use std::{ptr, slice};

use tilebase::Shape;
use tilebase::pdb_core::CELLS_MAX;

use crate::failure::Failure;
use crate::types::{
    ANSWER_FIRST, Answer, Board, Code, OPEN_OPTIONS_FIRST, OpenOptions, SOLVE_OPTIONS_FIRST,
    SolveOptions, TILEBASE_CELLS_MAX,
};

const _: () = assert!(TILEBASE_CELLS_MAX == CELLS_MAX);

/// Upper limit on `struct_size`, in bytes. A larger value is one that was never set.
const STRUCT_SIZE_MAX: usize = 4096;

fn null(name: &str) -> Failure {
    Failure::new(Code::TilebaseErrorNull, format!("{name} is NULL: it has to lead somewhere"))
}

/// Returns what a pointer leads to.
///
/// # Safety
/// A pointer that is not null leads to a valid `T`, which does not change during `'a`.
pub(crate) unsafe fn reference<'a, T>(name: &str, pointer: *const T) -> Result<&'a T, Failure> {
    // SAFETY: the caller's promise is that of this function.
    unsafe { pointer.as_ref() }.ok_or_else(|| null(name))
}

/// Returns the memory that a pointer leads to, for a result.
///
/// # Safety
/// A pointer that is not null leads to memory for a `T`, which nothing else accesses during `'a`.
pub(crate) unsafe fn place<'a, T>(
    name: &str,
    pointer: *mut T,
) -> Result<&'a mut MaybeUninit<T>, Failure> {
    // SAFETY: as promised.
    unsafe { optional_place(pointer) }.ok_or_else(|| null(name))
}

/// Returns the memory that a pointer leads to, or nothing for a null pointer.
///
/// # Safety
/// As for [`place`].
pub(crate) unsafe fn optional_place<'a, T>(pointer: *mut T) -> Option<&'a mut MaybeUninit<T>> {
    // SAFETY: as promised; a `MaybeUninit` is valid whatever the memory holds.
    unsafe { pointer.cast::<MaybeUninit<T>>().as_mut() }
}

/// Returns the place of a position, which says that there is none until another one is written, or
/// nothing for a null pointer.
///
/// # Safety
/// As for [`place`].
pub(crate) unsafe fn position_place<'a>(pointer: *mut usize) -> Option<&'a mut usize> {
    // SAFETY: as promised.
    let place = unsafe { optional_place(pointer) }?;
    Some(place.write(usize::MAX))
}

/// Returns the board that a pointer leads to, checked.
///
/// # Safety
/// A pointer that is not null leads to a board, which does not change now. Bytes behind its last
/// cell may be uninitialized.
pub(crate) unsafe fn board(name: &str, pointer: *const Board) -> Result<tilebase::Board, Failure> {
    if pointer.is_null() {
        return Err(null(name));
    }
    // SAFETY: it is not null, so it leads to a board, as promised.
    let (rows, cols) = unsafe { ((*pointer).rows, (*pointer).cols) };
    let shape = Shape::new(rows.into(), cols.into())?;
    // SAFETY: as above; a shape has no more cells than a board has room for, and all of them are
    // set.
    let cells = unsafe {
        slice::from_raw_parts((&raw const (*pointer).cells).cast::<u8>(), shape.cell_count())
    };
    Ok(tilebase::Board::new(shape, cells)?)
}

/// Returns the text that a pointer leads to.
///
/// # Safety
/// A pointer that is not null leads to bytes that end with a zero, which do not change during `'a`.
pub(crate) unsafe fn text<'a>(name: &str, pointer: *const c_char) -> Result<&'a str, Failure> {
    // SAFETY: as promised.
    unsafe { optional_text(name, pointer) }?.ok_or_else(|| null(name))
}

/// Returns the text that a pointer leads to, or nothing for a null pointer.
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

/// Returns the `len` values that a pointer leads to. Without any, the pointer may be null.
///
/// # Safety
/// A pointer that is not null leads to `len` valid values in a row, which do not change during
/// `'a`.
pub(crate) unsafe fn values<'a, T>(
    name: &str,
    pointer: *const T,
    len: usize,
) -> Result<&'a [T], Failure> {
    if len == 0 {
        return Ok(&[]);
    }
    check_values(name, pointer, len)?;
    // SAFETY: checked not to be null and to be no longer than memory; it leads to that many values,
    // as promised.
    Ok(unsafe { slice::from_raw_parts(pointer, len) })
}

/// Returns the `len` values that a pointer leads to, for results. Without any, the pointer may be
/// null.
///
/// # Safety
/// A pointer that is not null leads to `len` valid values in a row, which nothing else accesses
/// during `'a`.
pub(crate) unsafe fn values_mut<'a, T>(
    name: &str,
    pointer: *mut T,
    len: usize,
) -> Result<&'a mut [T], Failure> {
    if len == 0 {
        return Ok(&mut []);
    }
    check_values(name, pointer, len)?;
    // SAFETY: as in `values`; nothing else accesses them, as promised.
    Ok(unsafe { slice::from_raw_parts_mut(pointer, len) })
}

/// Refuses a null pointer, and more values than memory holds.
fn check_values<T>(name: &str, pointer: *const T, len: usize) -> Result<(), Failure> {
    if pointer.is_null() {
        return Err(null(name));
    }
    let bytes = len.checked_mul(size_of::<T>()).and_then(|bytes| isize::try_from(bytes).ok());
    let too_long = || Failure::argument(format!("{name}: no memory holds {len} of them"));
    bytes.map(drop).ok_or_else(too_long)
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

/// A structure of options whose later versions may have more fields.
///
/// # Safety
/// It is `repr(C)`, begins with its size as a `usize`, has no padding before the end of its last
/// field, and is valid when all bytes but the size are zero.
pub(crate) unsafe trait Options: Copy {
    /// Its name in C.
    const NAME: &'static str;
    /// Size of its first published version in bytes, without padding at the end.
    const FIRST: usize;
}

// SAFETY: `repr(C)`; `struct_size` first; fields of eight bytes, or of the size of a pointer in
// even numbers between them; numbers, pointers and an optional function are all valid as zeros.
unsafe impl Options for OpenOptions {
    const NAME: &'static str = "tilebase_open_options";
    const FIRST: usize = OPEN_OPTIONS_FIRST;
}

// SAFETY: `repr(C)`; `struct_size` first; two of the size of a pointer, two of eight bytes, a
// pointer, one of eight bytes, which begins where the first version ended, and two of the size of a
// pointer; numbers, pointers and an optional function are all valid as zeros.
unsafe impl Options for SolveOptions {
    const NAME: &'static str = "tilebase_solve_options";
    const FIRST: usize = SOLVE_OPTIONS_FIRST;
}

/// Returns the size of a structure in the caller's version.
///
/// # Safety
/// A pointer that is not null leads to a structure whose size is set.
unsafe fn struct_size<T>(name: &str, first: usize, pointer: *const T) -> Result<usize, Failure> {
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

/// Reads options of this version or another one. Fields that the caller's version lacks are zero;
/// fields that this version lacks must be zero.
///
/// # Safety
/// A pointer that is not null leads to a structure of the size that it says, with all fields set.
pub(crate) unsafe fn read_options<T: Options>(pointer: *const T) -> Result<T, Failure> {
    // SAFETY: as promised.
    let size = unsafe { struct_size(T::NAME, T::FIRST, pointer) }?;
    let known = size.min(size_of::<T>());
    // SAFETY: a newer structure has that many bytes, all of them fields that are set.
    let rest = unsafe { slice::from_raw_parts(pointer.cast::<u8>().add(known), size - known) };
    if rest.iter().any(|&byte| byte != 0) {
        let message = format!("{} has a field that this library does not know", T::NAME);
        return Err(Failure::new(Code::TilebaseErrorStructSize, message));
    }
    let mut value = MaybeUninit::<T>::zeroed();
    // SAFETY: both have that many bytes, and `value` is ours alone. Zeros are valid, and so are the
    // whole fields, set by the caller, that replace them.
    unsafe {
        ptr::copy_nonoverlapping(pointer.cast::<u8>(), value.as_mut_ptr().cast::<u8>(), known);
        Ok(value.assume_init())
    }
}

/// Returns the size of the caller's answer, in bytes.
///
/// # Safety
/// A pointer that is not null leads to a structure whose size is set.
pub(crate) unsafe fn answer_size(pointer: *const Answer) -> Result<usize, Failure> {
    // SAFETY: as promised.
    unsafe { struct_size("tilebase_answer", ANSWER_FIRST, pointer) }
}

/// Writes the fields of an answer that the caller's version has, and zeros over those that only
/// that version has.
///
/// # Safety
/// The pointer leads to `size` bytes, which nothing else accesses now.
pub(crate) unsafe fn write_answer(pointer: *mut Answer, size: usize, answer: Answer) {
    let answer = Answer { struct_size: size, ..answer };
    let known = size.min(size_of::<Answer>());
    // SAFETY: both have that many bytes and do not overlap; the zeros follow within `size`.
    unsafe {
        ptr::copy_nonoverlapping((&raw const answer).cast::<u8>(), pointer.cast::<u8>(), known);
        pointer.cast::<u8>().add(known).write_bytes(0, size - known);
    }
}
