//! Ranks documents with the `bm25` crate. Reads one JSON object from standard input, writes one to standard output.

use std::error::Error;
use std::io::{stdin, stdout};
use std::time::Instant;

use bm25::{Document, Language, SearchEngineBuilder, SearchResult};
use serde::{Deserialize, Serialize};

#[derive(Deserialize)]
struct Input {
    documents: Vec<String>,
    queries: Vec<String>,
    limit: usize,
}

#[derive(Serialize)]
struct Output {
    answers: Vec<Answer>,
}

#[derive(Serialize)]
struct Answer {
    documents: Vec<usize>,
    microseconds: f64,
}

fn main() -> Result<(), Box<dyn Error>> {
    let Input { documents, queries, limit } = serde_json::from_reader(stdin().lock())?;
    let documents = documents.into_iter().enumerate().map(|(id, contents)| Document { id, contents });
    let engine = SearchEngineBuilder::<usize>::with_documents(Language::English, documents).build();
    let answers = queries.iter().map(|query| {
        // The time is that of a call as its users make it. The answer is taken from a second, unlimited one: the crate leaves
        // equal scores in the order of a hash map, and they can only be put in a fixed order before the list is cut.
        let begin = Instant::now();
        engine.search(query, limit);
        let microseconds = begin.elapsed().as_nanos() as f64 / 1000.0;
        Answer { documents: first(engine.search(query, None), limit), microseconds }
    });
    let output = Output { answers: answers.collect() };
    serde_json::to_writer(stdout().lock(), &output)?;
    Ok(())
}

fn first(mut results: Vec<SearchResult<usize>>, limit: usize) -> Vec<usize> {
    results.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.document.id.cmp(&b.document.id)));
    results.iter().take(limit).map(|result| result.document.id).collect()
}
