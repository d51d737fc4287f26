//! Threads from outside: every scenario as a whole request, live against resumed, known faults.

mod agent_loop;
mod cancel;
mod cases;
mod cases_resumed;
mod corpus;
mod flow;
mod observers;
mod random;
mod scenarios;
mod support;
