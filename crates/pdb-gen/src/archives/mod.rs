//! Archives: tables packed for shipping, and their installation.
//!
//! A folder of archives contains a manifest, a digest list and perhaps a signature. Nothing from
//! such a folder is trusted before it is checked.
//!
//! This folder uses [`disk`](crate::disk), and neither builds nor verifies a table: it only
//! compares digests.
//!
//! [`mod@ship`] writes the [`frames`] that [`mod@install`] reads; [`signature`] checks manifests
//! against a public key, and [`text`] reads the small files.

mod frames;
mod install;
mod ship;
mod signature;
mod text;

pub use self::install::{InstallReport, InstalledTable, KnownDigests, SignedManifest, install};
pub use self::ship::{ShipReport, ShippedTable, ship};
pub use self::signature::PublicKey;
