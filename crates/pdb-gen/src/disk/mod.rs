//! Files: every change of the file system, the commit of a file, and tables on disk.
//!
//! All writing goes through this folder. It uses no other one, and does not depend on how a table
//! is built, packed or shipped.
//!
//! [`faults`] announces a change, [`changes`] makes it, in the way of the [`platform`], [`commit`]
//! makes files of changes, and [`table_file`] reads tables.

mod changes;
mod commit;
pub mod faults;
mod page_windows;
mod platform;
mod table_file;

pub(crate) use self::changes::{create, create_folder, remove_file, remove_folder, write_at};
pub use self::commit::{OwnedFile, check_output, write_file, write_output};
pub(crate) use self::commit::{
    PendingFile, WriteLock, confirm, end_commit, sync_folder, write_part,
};
pub(crate) use self::platform::read_exact_at;
pub use self::table_file::{TableFile, digest_of};
pub(crate) use self::table_file::{check_entry_count, open_regular, write_head};
