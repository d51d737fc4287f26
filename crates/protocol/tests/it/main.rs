//! Integration tests of the wire types.

mod corpus;
