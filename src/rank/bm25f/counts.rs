//! Which tools have some number of a query's words.

/// For each block the tools that have at least so many words, counted for all of them at once.
#[derive(Debug, Default)]
pub(super) struct Counts {
    /// 64 counters side by side for each block: first the lowest bit of all, then the next. They begin where the last of the steps that are
    /// asked for overflows.
    counters: Vec<u64>,
    /// Those whose counter did.
    reached: Vec<u64>,
    /// Those that have the word whose turn it is.
    last: Vec<u64>,
}

impl Counts {
    /// Begins to count up to `least`, 1 or more.
    pub(super) fn begin(&mut self, blocks: usize, least: usize) {
        let bits = least.ilog2() as usize + 1;
        let start = (1 << bits) - least;
        self.counters.resize(blocks * bits, 0);
        for (bit, counters) in self.counters.chunks_exact_mut(blocks.max(1)).enumerate() {
            counters.fill(if start >> bit & 1 == 1 { !0 } else { 0 });
        }
        self.reached.resize(blocks, 0);
        self.reached.fill(0);
    }

    /// Begins a word that is found in several ways, of which each tool counts one.
    pub(super) fn begin_word(&mut self) {
        self.last.resize(self.reached.len(), 0);
        self.last.fill(0);
    }

    /// Of such a word, the tools that it was not found in before.
    pub(super) fn fresh(&mut self, block: usize, tools: u64) -> u64 {
        let fresh = tools & !self.last[block];
        self.last[block] |= tools;
        fresh
    }

    /// Counts one word of some tools.
    pub(super) fn add(&mut self, block: usize, tools: u64) {
        let (mut carry, mut at) = (tools, block);
        while let Some(counter) = self.counters.get_mut(at) {
            (*counter, carry) = (*counter ^ carry, *counter & carry);
            at += self.reached.len();
        }
        self.reached[block] |= carry;
    }

    pub(super) fn reached(&self, block: usize) -> u64 {
        self.reached[block]
    }
}
