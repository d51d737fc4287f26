//! The world state as its users see it: whole tellings, read as a model reads them.

mod assembly;
mod cases;
mod corpus;
mod host;
mod knowledge;
mod reader;
mod rows;
