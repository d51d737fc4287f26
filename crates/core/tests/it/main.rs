//! Threads from outside: every scenario as a whole request, live against resumed, known faults.

mod flow;
mod random;
mod scenarios;
mod support;
