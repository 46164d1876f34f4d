//! Slow, plain, obviously right answers for tests.
