//! The addresses of requests.

use crate::call::{Call, Prepared};
use crate::problem::Problem;
use crate::requests::{about, animation, boards, builds, rate, scramble, specs, tables};
use crate::service::Service;

/// Method of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Asks for a record.
    Get,
    /// Sends a body.
    Post,
    /// Cancels.
    Delete,
}

/// An address with a method, and how its requests are read.
#[derive(Clone, Copy, Debug)]
pub struct Route {
    /// The method.
    pub method: Method,
    /// The path. `{id}` stands for a number.
    pub path: &'static str,
    /// Content type of the body, if requests have one.
    pub body: Option<&'static str>,
    /// Whether only clients that may build tables have access.
    pub for_builders: bool,
    /// Reads a request. The client has access.
    pub(crate) prepare: PrepareFn,
}

/// Function that reads a request.
type PrepareFn = fn(&Service, &Call<'_>) -> Result<Prepared, Problem>;

const TOML: &str = "application/toml";
const JSON: &str = "application/json";

/// All addresses. Those with the same path stand together.
pub const ROUTES: [Route; 17] = [
    get("/v1/moves", boards::moves),
    get("/v1/solve", boards::solve),
    get("/v1/solutions", boards::solutions),
    get("/v1/check", boards::check),
    get("/v1/explain", boards::explain),
    get("/v1/scramble", scramble::scramble),
    get("/v1/specs", specs::list),
    Route { method: Method::Post, body: Some(TOML), ..get("/v1/specs", specs::draw) },
    get("/v1/estimate", specs::estimate),
    get("/v1/rate", rate::rate),
    get("/v1/tables", tables::list),
    Route {
        method: Method::Post,
        body: Some(JSON),
        for_builders: true,
        ..get("/v1/builds", builds::create)
    },
    get("/v1/builds", builds::list),
    get("/v1/builds/{id}", builds::show),
    Route { method: Method::Delete, for_builders: true, ..get("/v1/builds/{id}", builds::cancel) },
    get("/v1/animation", animation::animation),
    get("/healthz", about::health),
];

const fn get(path: &'static str, prepare: PrepareFn) -> Route {
    Route { method: Method::Get, path, body: None, for_builders: false, prepare }
}

impl Route {
    /// Finds the route of a path.
    ///
    /// # Errors
    /// A [`Problem`] if there is none, or none with this method.
    pub fn find(method: Method, path: &str) -> Result<&'static Self, Problem> {
        let mut routes = ROUTES.iter().filter(|route| route.matched(path).is_some()).peekable();
        if routes.peek().is_none() {
            return Err(Problem::not_found());
        }
        routes.find(|route| route.method == method).ok_or_else(Problem::method_not_allowed)
    }

    /// Matches a path. Returns the text in place of the number, which is empty if the path has
    /// none.
    pub(crate) fn matched<'a>(&self, path: &'a str) -> Option<&'a str> {
        match self.path.strip_suffix("{id}") {
            Some(start) => {
                path.strip_prefix(start).filter(|id| !id.is_empty() && !id.contains('/'))
            }
            None => (self.path == path).then_some(""),
        }
    }
}
