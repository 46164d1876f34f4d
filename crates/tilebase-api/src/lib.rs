//! Requests to Tilebase and their records, without a transport.
//!
//! The server and the page in the browser answer the same addresses with the same records, errors
//! and events, because both use this crate. It opens no file and no connection, starts no thread,
//! and knows no option of a program: a [`Place`] provides tables, room and words.
//!
//! ```
//! use std::sync::Arc;
//! use std::time::Duration;
//!
//! use pdb_core::{Goal, TableKey};
//! use pdb_format::Header;
//! use tilebase::pdb_search::LimitKind;
//! use tilebase::shelf::MissingTables;
//! use tilebase::{Builder, Error, Tilebase};
//! use tilebase_api::*;
//!
//! /// A place without tables.
//! #[derive(Debug)]
//! struct Empty;
//!
//! impl Place for Empty {
//!     fn builder(&self) -> Builder {
//!         Tilebase::builder().tables(Vec::new())
//!     }
//!     fn header(&self, _: &TableKey) -> Option<Header> {
//!         None
//!     }
//!     fn headers(&self) -> Vec<Header> {
//!         Vec::new()
//!     }
//!     fn build_cost(&self, _: &pdb_spec::Spec) -> Result<BuildCost, pdb_gen::GenError> {
//!         let refusal = Some("there is no room".to_owned());
//!         Ok(BuildCost { missing_count: 1, disk_bytes: 0, memory_bytes: 0, refusal })
//!     }
//!     fn to_build(&self, _: &Tilebase, _: &Goal) -> Result<Option<MissingTables>, Error> {
//!         Ok(None)
//!     }
//!     fn epoch(&self) -> u64 {
//!         0
//!     }
//!     fn seed(&self) -> u64 {
//!         7
//!     }
//!     fn limit_text(&self, _: LimitKind, _: &Limits) -> String {
//!         "the limit of this example".to_owned()
//!     }
//! }
//!
//! let service = Service::new(Arc::new(Empty), |_| Err(Problem::conflict("nothing is built")));
//! let time = Duration::from_secs(10);
//! let limits = Limits { time, time_max: time, nodes: 1_000_000, memory_bytes: 1 << 20 };
//! let client = Client { limits, build_refusal: Some("this example builds nothing") };
//! let route = Route::find(Method::Get, "/v1/solve").unwrap();
//! let address = "/v1/solve?board=1,2,3/4,5,6/0,7,8";
//! let call = Call { client, address, accept: Reply::JSON, body: Ok(b"") };
//! let Prepared::Job(job) = route.prepare(&service, &call) else { panic!("a search is work") };
//! let Reply { status, body, .. } = job.run(&job.search);
//! assert_eq!(status, 200);
//! assert!(body.starts_with(b"{\"board\":\"1 2 3/4 5 6/0 7 8\""));
//! ```
//!
//! 1. [`ROUTES`] has all addresses. [`Route::prepare`] reads a request from its [`Params`] and the
//!    [`Limits`] of its [`Client`].
//! 2. A [`Job`] runs on any thread, and sends events if the client wants them.
//! 3. The [`Reply`] is the response, or the last of its events.
//!
//! Read next: `call`, then `routes` and `requests/boards`.

mod advice;
mod builds;
mod cache;
mod call;
mod catalogue;
mod events;
mod job;
mod limits;
mod params;
mod place;
mod problem;
mod requests;
mod routes;
mod service;

pub use advice::message;
pub use builds::{Build, BuildList, BuildState, BuildStatus, Stage, TableState, TableStatus};
pub use cache::Cache;
pub use call::{Call, Prepared};
pub use catalogue::{Catalogue, HandleKey};
pub use events::{EVENT_INTERVAL, EVENT_STREAM};
pub use job::{Job, Lane, Reply};
pub use limits::{Client, Limits};
pub use params::Params;
pub use place::{BuildCost, Place};
pub use problem::{Problem, ProblemBody};
pub use routes::{Method, ROUTES, Route};
pub use service::Service;
