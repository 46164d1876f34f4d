//! Bytes of a table to meaning and back.
