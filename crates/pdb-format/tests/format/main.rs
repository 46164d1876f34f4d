//! What a table's bytes mean, and what happens when they are damaged.

mod example;
