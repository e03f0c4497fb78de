//! The interface for agents: the guide, calls of tools, walks by `next`, and XML that parsers read.

#![cfg(unix)]

mod call;
mod economy;
mod guide;
mod hints;
mod live;
mod pages;
mod tasks;
mod walks;
mod xml;
