//! Map a table and look a board up.
