//! Queries of any text, with any search options, on catalogs that stay as they are.

use crate::{checks, shelf};
use tool_search::{QueryKind, SearchOptions, Tier, ToolSearch};

const LIMITS: [Option<f64>; 8] =
    [None, Some(1.0), Some(2.9), Some(50.0), Some(f64::NAN), Some(-3.0), Some(1e300), Some(7.0)];
const OFFSETS: [usize; 16] =
    [0, 1, 2, 3, 4, 5, 6, 7, 9, 12, 20, 50, 100, (1u64 << 32) as usize, usize::MAX - 1, usize::MAX];
const SERVERS: [&str; 4] = ["tracker", "down", "nobody", shelf::HIDDEN];
/// How often the query is repeated; a text of many words must not take longer than its words.
const TIMES: [usize; 16] = [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 3, 9, 90, 900];
const LONGEST: usize = 100_000;

/// Three bytes choose catalog and options, the rest is the query.
pub fn run(data: &[u8]) {
    let Some((&[catalog, cut, filter], query)) = data.split_first_chunk::<3>() else { return };
    let query = String::from_utf8_lossy(query);
    let times = TIMES[usize::from(cut >> 4)].min(LONGEST / query.len().max(1)).max(1);
    let query = query.repeat(times);
    let shelf = shelf::shelf(catalog);
    let list = |bit: u8, patterns: &[&str]| {
        let patterns = patterns.iter().map(|p| (*p).to_owned()).collect::<Vec<String>>();
        Some(patterns).filter(|_| filter & bit != 0)
    };
    let options = SearchOptions {
        limit: LIMITS[usize::from(cut & 7)],
        offset: OFFSETS[usize::from(cut >> 3 & 1) * usize::from(catalog >> 4)],
        allow: list(1, &["*issue*", "mcp__chat__*", "the", "report_1?", "mcp__hush*"]),
        deny: list(2, &[shelf::HIDE]).into_iter().chain(list(4, &["close", "*_fetch"])).flatten().collect(),
        server: (filter & 8 != 0).then(|| SERVERS[usize::from(filter >> 6)].to_owned()),
        loaded: list(16, &["mcp__tracker__create_issue", "report_3", "mcp__chat__send"]).unwrap_or_default(),
        regex: catalog & 8 != 0,
        explain: catalog & 4 != 0,
    };
    let answer = shelf.full.search(&query, &options);
    checks::answer(&shelf.full, &query, &options, &answer);
    let told = checks::told(&answer);
    assert_eq!(told, checks::told(&shelf.full.search(&query, &options)), "asked again");
    assert_eq!(told, checks::told(&shelf.restored.search(&query, &options)), "restored");
    if times == 1 {
        pages(&shelf.full, &query, &options);
    }
    if filter & 2 != 0 {
        hides(shelf, &query, &options);
    }
}

/// An offset goes on where the limit ended, unless names stay in front.
fn pages(engine: &ToolSearch, query: &str, options: &SearchOptions) {
    let with = |limit: f64, offset| {
        engine.search(query, &SearchOptions { limit: Some(limit), offset, explain: false, ..options.clone() })
    };
    let Ok(all) = with(50.0, 0) else { return };
    if all.kind == QueryKind::Select || all.matches.iter().any(|m| m.tier < Tier::Keywords) {
        return;
    }
    let mut paged: Vec<String> = Vec::new();
    for offset in (0..all.matches.len()).step_by(2) {
        let Ok(page) = with(2.0, offset) else { panic!("a page fails") };
        assert_eq!(page.total, all.total);
        paged.extend(page.matches.iter().map(|m| m.tool.name().to_owned()));
    }
    let all: Vec<&str> = all.matches.iter().map(|m| m.tool.name()).collect();
    assert_eq!(paged, all);
}

/// Rule C9: with a server hidden the answer is that of a catalog without it, but for scores, which all tools have a share in.
fn hides(shelf: &shelf::Shelf, query: &str, options: &SearchOptions) {
    let [hidden, without] = [&shelf.full, &shelf.without].map(|engine| engine.search(query, options));
    match (hidden, without) {
        (Ok(hidden), Ok(without)) => {
            let facts = |r: &tool_search::SearchResult| {
                (
                    r.kind,
                    r.missing.clone(),
                    r.direct.clone(),
                    r.ambiguous.clone(),
                    r.unavailable.clone(),
                    r.unknown.clone(),
                )
            };
            assert_eq!(facts(&hidden), facts(&without));
            if hidden.kind != QueryKind::Keywords {
                let names = |r: &tool_search::SearchResult| {
                    r.matches.iter().map(|m| m.tool.name().to_owned()).collect::<Vec<_>>()
                };
                assert_eq!((names(&hidden), hidden.total), (names(&without), without.total));
            }
        }
        (hidden, without) => assert_eq!(checks::told(&hidden), checks::told(&without)),
    }
}
