//! What is made at its first use, and what is borrowed for a while. The module of the npm package has one thread, and none of what the
//! standard library does for several.

#[cfg(feature = "bindings")]
pub(crate) use std::cell::OnceCell as OnceLock;
#[cfg(not(feature = "bindings"))]
pub(crate) use std::sync::OnceLock;
