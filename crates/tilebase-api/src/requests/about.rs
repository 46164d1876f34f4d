//! Health.

use serde::Serialize;

use crate::params::Params;
use crate::problem::Problem;
use crate::request::Outcome;
use crate::service::{RawRequest, Service, Work};

#[derive(Debug, Serialize)]
struct Health {
    status: &'static str,
    version: &'static str,
}

pub(crate) fn health(_: &Service, request: &RawRequest<'_>) -> Result<Work, Problem> {
    Params::read(request.query)?.only(&[])?;
    let health = Health { status: "ok", version: env!("CARGO_PKG_VERSION") };
    Ok(Work::Done(Outcome::of(&health)))
}
