//! A module without word vectors: no space can be made, and what would use one is not compiled in.

use crate::index::Field;
use crate::snapshot::{Input, Output};
use crate::vocabulary::Vocabulary;

/// There is none.
#[derive(Debug)]
pub(crate) enum Space {}

/// There is none.
#[derive(Debug)]
pub(crate) enum Sense {}

impl Sense {
    pub(crate) fn known(&self) -> f64 {
        match *self {}
    }
}

impl Space {
    pub(crate) fn new() -> Option<Self> {
        None
    }

    pub(crate) fn read(_: &mut Input<'_>, _: usize) -> Option<Self> {
        None
    }

    pub(crate) fn write(&self, _: &mut Output) {
        match *self {}
    }

    pub(crate) fn begin(&mut self) {
        match *self {}
    }

    pub(crate) fn note(&mut self, _: u32, _: Field) {
        match *self {}
    }

    pub(crate) fn add(&mut self, _: &Vocabulary) {
        match *self {}
    }

    pub(crate) fn sense<'i>(&self, _: &str, _: &dyn Fn(&str) -> Option<&'i str>) -> Option<Sense> {
        match *self {}
    }

    pub(crate) fn nearness(&self, _: &Sense, _: u32) -> f64 {
        match *self {}
    }
}
