//! Searches a small catalog: `cargo run --example find -- open a ticket`.

use tool_search::{AddOptions, SearchOptions, ToolSearch};

const TRACKER: &str = r#"{"tools":[
    {"name":"create_issue","description":"Create a new issue in a project","inputSchema":{"type":"object","properties":{"title":{"type":"string"}}}},
    {"name":"list_issues","description":"List the issues of a project, by state or label"},
    {"name":"add_comment","description":"Comment on an issue"}]}"#;
const CHAT: &str = r#"{"tools":[
    {"name":"send_message","description":"Send a message to a channel"},
    {"name":"list_channels","description":"List the channels one may post to"}]}"#;

fn main() -> Result<(), tool_search::Error> {
    let mut search = ToolSearch::default();
    search.add_json(TRACKER, &AddOptions::server("tracker"))?;
    search.add_json(CHAT, &AddOptions::server("chat"))?;

    let words: Vec<String> = std::env::args().skip(1).collect();
    let query = if words.is_empty() { "open a ticket".to_owned() } else { words.join(" ") };
    let result = search.search(&query, &SearchOptions { explain: true, ..SearchOptions::default() })?;

    println!("{query}: {:?}, confidence {:?}", result.kind, result.confidence);
    for found in &result.matches {
        println!("{:7.3}  {}", found.score, found.tool.name());
        for part in found.explain.iter().flatten() {
            println!("         {:7.3}  {} in {}", part.weight, part.term, part.field);
        }
    }
    Ok(())
}
