//! What words mean: a vector for every word of a vocabulary, so that `open a ticket` is near `create_issue` (feature `meaning`).
//!
//! A text's vector is the weighted sum of its words' vectors; how near two texts are is the cosine between theirs. Sums are of
//! whole numbers, so that every platform gets the same bits, with vector instructions or without.
//!
//! `lexicon` is the vocabulary, `space` the vectors of a catalog's tools. Without the feature neither is there, and no engine has a
//! space.

#[cfg(feature = "meaning")]
mod lexicon;
#[cfg(feature = "meaning")]
mod space;

#[cfg(not(feature = "meaning"))]
mod absent;

#[cfg(not(feature = "meaning"))]
pub(crate) use absent::{Sense, Space};
#[cfg(feature = "meaning")]
pub(crate) use space::{Sense, Space};
