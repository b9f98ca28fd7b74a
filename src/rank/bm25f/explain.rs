//! Why a match scores what it scores.

use super::lists::{As, lists};
use super::{BEST_CLAUSE, Ranked, coverage_bonus, name_bonus};
use crate::index::{FIELDS, Field, Index, Keywords};
use crate::rank::Explain;
use crate::rank::terms::Terms;
use crate::text;
use crate::tool::Tool;

impl Ranked {
    /// The addends of one match's score, by term and field.
    pub(crate) fn explain(
        &self,
        index: &Index,
        terms: &Terms,
        place: usize,
        tool: &Tool,
        keywords: &Keywords,
    ) -> Vec<Explain> {
        let Some(number) = index.number_of(tool) else { return Vec::new() };
        let (mut literal, mut hits, mut name_hits, mut name_gain) = (false, 0, 0, 0.0);
        // The addends of each clause.
        let mut clauses: Vec<(u32, Vec<Explain>)> = Vec::new();
        for term in terms.all() {
            let mut own: Vec<Explain> = Vec::new();
            let mut other: Vec<Explain> = Vec::new();
            lists(index, terms, term, &mut |how, id, weight| {
                let posting = match how {
                    As::Form => Index::find(index.of_form(id), number),
                    _ => Index::find(index.of_stem(id), number),
                };
                let Some(posting) = posting else { return };
                let gain = weight * f64::from(posting.weight());
                let shares = Index::fields_of(tool, keywords, &|word| match how {
                    As::Form => word == index.form_text(id),
                    _ => text::stem(word) == index.stem_text(id),
                });
                let total: f64 = shares.iter().sum();
                // The word that stands for it may be one of the user's keywords, which are never shown.
                let word = terms.word(term);
                let shown = if how == As::StandIn { format!("~{word}") } else { word.to_owned() };
                let addends = FIELDS.iter().zip(shares).filter(|(_, share)| *share > 0.0);
                let addends = addends.map(|(f, share)| Explain {
                    term: shown.clone(),
                    field: f.name,
                    weight: gain * share / total,
                });
                if how == As::StandIn {
                    if sum(&other) < gain {
                        other = addends.collect();
                    }
                    return;
                }
                own.extend(addends);
                literal = true;
                if how == As::Form || !term.counts {
                    return;
                }
                hits += 1;
                if posting.in_name() {
                    name_hits += 1;
                    name_gain += gain * how.stem_share();
                }
            });
            let gained = if sum(&other) > sum(&own) { other } else { own };
            match clauses.last_mut() {
                Some((clause, addends)) if *clause == term.clause => addends.extend(gained),
                _ => clauses.push((term.clause, gained)),
            }
        }
        let best = clauses.iter().map(|(_, addends)| sum(addends)).enumerate().max_by(|a, b| a.1.total_cmp(&b.1));
        for (at, (_, addends)) in clauses.iter_mut().enumerate() {
            if best.is_some_and(|(best, _)| best != at) {
                addends.iter_mut().for_each(|e| e.weight *= 1.0 - BEST_CLAUSE);
            }
        }
        let mut all: Vec<Explain> = clauses.into_iter().flat_map(|(_, addends)| addends).collect();
        let words = terms.all().iter().filter(|t| t.counts).count();
        let covered = sum(&all) * coverage_bonus(hits, words);
        if covered > 0.0 {
            all.push(Explain { term: format!("({hits} of {words} words)"), field: "query", weight: covered });
        }
        let name_words = index.name_words(number);
        let bonus = name_gain * name_bonus(name_hits, name_words);
        if bonus > 0.0 {
            let term = if name_hits == name_words { "(whole name)" } else { "(part of the name)" };
            all.push(Explain { term: term.to_owned(), field: Field::Name.name(), weight: bonus });
        }
        if !literal {
            all.iter_mut().for_each(|e| e.weight *= self.scale);
        }
        if let Some(lift) = self.lifted.iter().find(|l| l.place == place) {
            all.push(Explain { term: "(best for its part)".to_owned(), field: "query", weight: lift.score });
        }
        all
    }
}

fn sum(addends: &[Explain]) -> f64 {
    addends.iter().map(|e| e.weight).sum()
}
