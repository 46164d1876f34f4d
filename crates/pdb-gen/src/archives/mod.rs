//! Archives: tables made ready for shipping, and installed from what was shipped.
//!
//! A folder of archives has a manifest, a digest list and perhaps a signature beside them. Nothing
//! that comes from such a folder is trusted before it is checked.
//!
//! This folder uses [`disk`](crate::disk) and neither builds nor verifies a table: whether its
//! digests are right is all that it asks.
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
