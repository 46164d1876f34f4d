//! A request as its transport delivers it, and the way to its reply.

use std::sync::Arc;

use crate::builds::Build;
use crate::events::EVENT_STREAM;
use crate::job::{Job, Reply};
use crate::limits::Client;
use crate::params::Params;
use crate::problem::Problem;
use crate::routes::Route;
use crate::service::Service;

/// A request as its transport delivers it.
#[derive(Clone, Debug)]
pub struct Call<'a> {
    /// The client.
    pub client: Client,
    /// The route of the address.
    pub route: &'static Route,
    /// The path, and the query string after `?`.
    pub address: &'a str,
    /// The header `Accept`, or an empty text.
    pub accept: &'a str,
    /// The body, which may be empty, or the error of reading it.
    pub body: Result<&'a [u8], Problem>,
}

/// A request that was read and checked.
#[derive(Debug)]
pub enum Prepared {
    /// The request is done.
    Done(Reply),
    /// Work, which may run on any thread.
    Job(Job),
    /// A build, whose states are [sent as events](Build::send_events) until it has ended.
    Build(Arc<Build>),
}

/// Reads and checks a request.
pub fn prepare(service: &Service, call: &Call<'_>) -> Prepared {
    let prepared = if call.route.for_builders && !call.client.may_build {
        Err(Problem::new(403, service.catalogue.place().build_refusal()))
    } else {
        (call.route.prepare)(service, call)
    };
    prepared.unwrap_or_else(|problem| Prepared::Done(problem.into()))
}

impl Call<'_> {
    /// Reads the parameters, which have these names.
    pub(crate) fn params(&self, known: &[&str]) -> Result<Params, Problem> {
        let query = self.address.split_once('?').map_or("", |(_, query)| query);
        Params::read(query)?.only(known)
    }

    /// Reads the number in the path.
    pub(crate) fn id(&self) -> Result<u64, Problem> {
        let path = self.address.split('?').next().unwrap_or_default();
        let id = self.route.matched(path).unwrap_or_default();
        let problem = |_| Problem::bad(format!("Invalid URL: Cannot parse `{id}` to a `u64`"));
        id.parse().map_err(problem)
    }

    /// Returns whether the client wants events. Others get a record: many clients send no header.
    pub(crate) fn wants_events(&self) -> bool {
        self.accept.contains(EVENT_STREAM) && !self.accept.contains(Reply::JSON)
    }
}
