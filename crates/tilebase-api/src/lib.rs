//! Requests to Tilebase and their records, without a transport.
//!
//! The server and the page in the browser answer the same addresses with the same records, errors
//! and events, because both use this crate. It opens no file and no connection, starts no thread,
//! and knows no option of a program: a [`Place`] provides tables, room and words.
//!
//! ```
//! use std::sync::{Arc, Mutex};
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
//!     fn name(&self) -> &'static str {
//!         "example"
//!     }
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
//!     fn build_refusal(&self) -> String {
//!         "this example builds nothing".to_owned()
//!     }
//! }
//!
//! /// A response as text.
//! #[derive(Default)]
//! struct Text(Mutex<String>);
//!
//! impl Exchange for Text {
//!     fn respond(&self, Outcome { status, body, .. }: Outcome) {
//!         *self.0.lock().unwrap() = format!("{status} {}", str::from_utf8(&body).unwrap());
//!     }
//!     fn start_events(&self) {}
//!     fn send(&self, event: String, _: bool) -> bool {
//!         self.0.lock().unwrap().push_str(&event);
//!         true
//!     }
//! }
//!
//! let service = Service::new(Arc::new(Empty), |_| Err(Problem::conflict("nothing is built")));
//! let time = Duration::from_secs(10);
//! let limits = Limits { time, time_max: time, nodes: 1_000_000, memory_bytes: 1 << 20 };
//! let client = Client { limits, may_build: false };
//! let (method, address) = (Method::Get, "/v1/solve?board=1,2,3/4,5,6/0,7,8");
//! let call = Call { client, method, address, accept: Outcome::JSON, body: Ok(b"") };
//! let text = Arc::new(Text::default());
//! let exchange: Arc<dyn Exchange> = text.clone();
//! answer(&service, call, &exchange);
//! assert!(text.0.lock().unwrap().starts_with("200 {\"board\":\"1 2 3/4 5 6/0 7 8\""));
//! ```
//!
//! 1. [`ROUTES`] has all addresses. A route reads a request from its [`Params`] and the [`Limits`]
//!    of its [`Client`].
//! 2. [`answer`] starts the request. Its [`Task`] runs on any thread that the [`Exchange`] chooses.
//! 3. The [`Outcome`] is the response, or the last of its events.
//!
//! Read next: `answer`, then `routes` and `requests/boards`.
#![forbid(unsafe_code)]

mod advice;
mod answer;
mod builds;
mod cache;
mod catalogue;
mod events;
mod limits;
mod params;
mod place;
mod problem;
mod request;
mod requests;
mod routes;
mod service;

pub use advice::message;
pub use answer::{Call, Exchange, Task, answer};
pub use builds::{Build, BuildList, BuildState, BuildStatus, Stage, TableState, TableStatus};
pub use cache::Cache;
pub use catalogue::{Catalogue, HandleKey, NamedSpec};
pub use events::{EVENT_INTERVAL, EVENT_STREAM};
pub use limits::{Client, Limits};
pub use params::Params;
pub use place::{BuildCost, Place};
pub use problem::{Problem, ProblemBody};
pub use request::{Lane, Outcome, Request, RequestKey};
pub use routes::{Method, ROUTES, Route, Start};
pub use service::{RawRequest, Service, Work};
