//! Data and helpers shared by the tests of the whole workspace.
