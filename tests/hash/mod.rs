//! Hashlines end to end: print, change, verify.

mod changes;
mod history;
mod naive;
mod printed;
mod since;
