//! What the server says about itself.

use serde_json::json;

use crate::support::Fixture;

#[test]
fn the_server_is_well() {
    let reply = Fixture::new().get("/healthz");
    assert_eq!(reply.status, 200);
    assert_eq!(reply.json(), json!({"status": "ok", "version": env!("CARGO_PKG_VERSION")}));
}
