//! Drawn boards to a checked plan of tables.
