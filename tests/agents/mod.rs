//! The interface for agents: the guide, the tools, walks by `next`, and XML that parsers read.

#![cfg(unix)]

mod economy;
mod guide;
mod hints;
mod pages;
mod tasks;
mod tools;
mod walks;
mod xml;
