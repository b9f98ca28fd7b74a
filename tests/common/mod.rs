//! What the tests share: small catalogs of the project's own, and short ways to ask.
#![allow(dead_code, reason = "each test binary uses its part")]

use tool_search::{
    AddOptions, Defer, Error, LoadRule, Options, PlanOptions, SearchOptions, SearchResult, Session, SessionOptions,
    ToolSearch,
};

/// A definition from name and description.
pub fn tool(name: &str, description: &str) -> String {
    serde_json::json!({ "name": name, "description": description, "inputSchema": { "type": "object", "properties": {} } }).to_string()
}

pub fn add(search: &mut ToolSearch, server: &str, tools: &[String]) -> tool_search::CatalogDelta {
    let refs: Vec<&str> = tools.iter().map(String::as_str).collect();
    let options = if server.is_empty() { AddOptions::default() } else { AddOptions::server(server) };
    search.add(&refs, &options).unwrap()
}

/// Defers whatever there is.
pub fn deferring() -> ToolSearch {
    let mut options = Options::default();
    options.defer = Defer::Always;
    ToolSearch::new(options).unwrap()
}

/// Two servers, built-in tools, one of them direct.
pub fn small() -> ToolSearch {
    let mut search = deferring();
    let direct = AddOptions { load: LoadRule::Direct(vec!["readFile".into()]), ..AddOptions::default() };
    search
        .add(&[&tool("readFile", "Reads a file"), &tool("webSearch", "Searches the web for pages")], &direct)
        .unwrap();
    add(
        &mut search,
        "tracker",
        &[
            tool("create_issue", "Opens an issue in a project"),
            tool("list_issues", "Lists the issues of a project"),
            tool("close_issue", "Closes an issue"),
        ],
    );
    add(
        &mut search,
        "chat",
        &[tool("send_message", "Sends a message to a channel"), tool("list_channels", "Lists channels")],
    );
    search
}

pub fn find(search: &ToolSearch, query: &str) -> SearchResult {
    search.search(query, &SearchOptions::default()).unwrap()
}

pub fn names(result: &SearchResult) -> Vec<&str> {
    result.matches.iter().map(|m| m.tool.name()).collect()
}

pub fn session(search: &ToolSearch) -> Session {
    search.session(SessionOptions::default()).unwrap()
}

/// An engine with options changed.
pub fn engine(change: impl FnOnce(&mut Options)) -> ToolSearch {
    let mut options = Options::default();
    change(&mut options);
    ToolSearch::new(options).unwrap()
}

/// What a search call with a query is answered.
pub fn ask(session: &mut Session, search: &ToolSearch, query: &str) -> tool_search::SearchReply {
    session.handle(search, &query.into())
}

/// The section of a session that defers.
pub fn session_prompt(search: &ToolSearch) -> String {
    let options =
        SessionOptions { plan: PlanOptions { defer: Some(Defer::Always), ..Default::default() }, ..Default::default() };
    search.session(options).unwrap().prompt().to_owned()
}

/// An engine with built-in tools alone.
pub fn holding(tools: &[String]) -> ToolSearch {
    let mut search = deferring();
    let tools: Vec<&str> = tools.iter().map(String::as_str).collect();
    search.add(&tools, &AddOptions::default()).unwrap();
    search
}

/// A search with other options.
pub fn with(search: &ToolSearch, query: &str, change: impl FnOnce(&mut SearchOptions)) -> Result<SearchResult, Error> {
    let mut options = SearchOptions::default();
    change(&mut options);
    search.search(query, &options)
}
