//! A request as its transport delivers it, and what is left to do once it was read.

use std::sync::Arc;

use crate::builds::Build;
use crate::events::EVENT_STREAM;
use crate::job::{Job, Reply};
use crate::limits::Client;
use crate::params::Params;
use crate::problem::Problem;

/// A request as its transport delivers it.
#[derive(Clone, Debug)]
pub struct Call<'a> {
    /// The client.
    pub client: Client,
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

impl Call<'_> {
    /// Reads the parameters, which have these names.
    pub(crate) fn params(&self, known: &[&str]) -> Result<Params, Problem> {
        let query = self.address.split_once('?').map_or("", |(_, query)| query);
        Params::read(query)?.only(known)
    }

    /// Reads the number at the end of the path.
    pub(crate) fn id(&self) -> Result<u64, Problem> {
        let path = self.address.split_once('?').map_or(self.address, |(path, _)| path);
        let id = path.rsplit_once('/').map_or(path, |(_, id)| id);
        let problem = |_| Problem::bad(format!("Invalid URL: Cannot parse `{id}` to a `u64`"));
        id.parse().map_err(problem)
    }

    /// Returns whether the client wants events. Others get a record: many clients send no header.
    pub(crate) fn wants_events(&self) -> bool {
        self.accept.contains(EVENT_STREAM) && !self.accept.contains(Reply::JSON)
    }
}
