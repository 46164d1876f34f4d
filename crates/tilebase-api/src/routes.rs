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
    read: ReadFn,
}

/// Function that reads a request.
type ReadFn = fn(&Service, &Call<'_>) -> Result<Prepared, Problem>;

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

const fn get(path: &'static str, read: ReadFn) -> Route {
    Route { method: Method::Get, path, body: None, for_builders: false, read }
}

impl Route {
    /// Finds the route of an address.
    ///
    /// # Errors
    /// A [`Problem`] if there is none, or none with this method.
    pub fn find(method: Method, address: &str) -> Result<&'static Self, Problem> {
        let mut routes = ROUTES.iter().filter(|route| route.matches(address)).peekable();
        if routes.peek().is_none() {
            return Err(Problem::not_found());
        }
        routes.find(|route| route.method == method).ok_or_else(Problem::method_not_allowed)
    }

    /// Returns whether the route has the path of an address.
    fn matches(&self, address: &str) -> bool {
        let path = address.split_once('?').map_or(address, |(path, _)| path);
        match self.path.strip_suffix("{id}") {
            Some(start) => {
                path.strip_prefix(start).is_some_and(|id| !id.is_empty() && !id.contains('/'))
            }
            None => self.path == path,
        }
    }

    /// Reads and checks a request of this route.
    pub fn prepare(&self, service: &Service, call: &Call<'_>) -> Prepared {
        let refusal = call.client.build_refusal.filter(|_| self.for_builders);
        let prepared = match refusal {
            Some(refusal) => Err(Problem::new(403, refusal)),
            None => (self.read)(service, call),
        };
        prepared.unwrap_or_else(|problem| Prepared::Done(problem.into()))
    }
}
