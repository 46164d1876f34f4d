//! Health.

use serde::Serialize;

use crate::call::{Call, Prepared};
use crate::job::Reply;
use crate::problem::Problem;
use crate::service::Service;

#[derive(Debug, Serialize)]
struct Health {
    status: &'static str,
    version: &'static str,
}

pub(crate) fn health(_: &Service, call: &Call<'_>) -> Result<Prepared, Problem> {
    call.params(&[])?;
    let health = Health { status: "ok", version: env!("CARGO_PKG_VERSION") };
    Ok(Prepared::Done(Reply::of(&health)))
}
