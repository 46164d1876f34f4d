//! Build, verify, ship and install tables.
