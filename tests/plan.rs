//! Rules D1 to D4, G2 and G3: whether to defer, and what each choice costs.

mod common;

use common::{add, ask, engine, session, session_prompt, small, tool};
use std::sync::Arc;
use tool_search::{
    AddOptions, Defer, LoadRule, Options, PlanOptions, PlanReason, ServerStatus, Threshold, TokenOptions, ToolSearch,
};

#[test]
fn d1_equality_defers() {
    let mut search = small();
    let deferrable = search.plan(&PlanOptions::default()).unwrap().tokens.deferrable;
    for (threshold, reason) in [
        (Threshold::Tokens(deferrable), PlanReason::AboveThreshold),
        (Threshold::Tokens(deferrable + 1), PlanReason::BelowThreshold),
        (Threshold::Count(6), PlanReason::AboveThreshold),
        (Threshold::Count(7), PlanReason::BelowThreshold),
        (Threshold::Percent(0.0), PlanReason::AboveThreshold),
        (Threshold::Percent(100.0), PlanReason::BelowThreshold),
    ] {
        let mut other = engine(|o| o.threshold = threshold);
        copy(&search, &mut other);
        assert_eq!(other.plan(&PlanOptions::default()).unwrap().reason, reason, "{threshold:?}");
    }
    // The threshold follows the context window that is asked about.
    let mut auto = engine(|o| o.defer = Defer::Auto);
    copy(&search, &mut auto);
    let at =
        |window: u64| auto.plan(&PlanOptions { context_window: Some(window), ..Default::default() }).unwrap().deferring;
    assert!(at(100) && at(deferrable * 10) && !at(deferrable * 10 + 10) && !at(10_000_000));
    assert!(auto.plan(&PlanOptions { context_window: Some(0), ..Default::default() }).is_err());
    search.remove_server("chat");
}

#[test]
fn g1_providers_bill_in_their_own_way() {
    let plain = engine(|_| {});
    let billed = |scale, per_tool| engine(move |o| o.tokens = TokenOptions { scale, per_tool });
    let of = |mut search: ToolSearch| {
        add(&mut search, "s", &[tool("first", "Reads a page"), tool("second", "Writes it")]);
        search.plan(&PlanOptions::default()).unwrap().tokens
    };
    let (plain, double, more) = (of(plain), of(billed(2.0, 0)), of(billed(1.0, 7)));
    assert_eq!(double.full, plain.full * 2);
    assert_eq!((double.search_tool, double.listing), (plain.search_tool * 2, plain.listing * 2));
    assert_eq!((more.full, more.search_tool), (plain.full + 14, plain.search_tool + 7));
    assert_eq!((more.listing, more.threshold), (plain.listing, plain.threshold));
    // An exact counter is not scaled.
    let exact = engine(|o| {
        o.count_tokens = Some(Arc::new(|_| Ok(10)));
        o.tokens = TokenOptions { scale: 3.0, per_tool: 1 };
    });
    assert_eq!(of(exact).full, 22);
    for (scale, per_tool) in [(0.0, 0), (-1.0, 0), (f64::NAN, 0), (f64::INFINITY, 0), (1.0, 100_001)] {
        let mut options = Options::default();
        options.tokens = TokenOptions { scale, per_tool };
        assert!(ToolSearch::new(options).is_err(), "{scale} {per_tool}");
    }
}

/// The same tools in another engine.
fn copy(from: &ToolSearch, to: &mut ToolSearch) {
    for tool in from.tools() {
        let load = LoadRule::All(tool.load());
        to.add(
            &[&tool.definition().replacen(tool.raw_name(), tool.name(), 1)],
            &AddOptions { load, ..AddOptions::default() },
        )
        .unwrap();
    }
}

#[test]
fn d_reasons() {
    let mut search =
        engine(|o| o.direct_models = vec!["*haiku*".into(), "openai:gpt-nano".into(), "amazon.nova:0".into()]);
    let reason = |search: &ToolSearch, model: Option<&str>, defer: Defer| {
        let options = PlanOptions { model: model.map(Into::into), defer: Some(defer), ..Default::default() };
        search.plan(&options).unwrap().reason
    };
    assert_eq!(reason(&search, None, Defer::Always), PlanReason::NothingToDefer);
    search.set_server_status("late", ServerStatus::Pending, None).unwrap();
    assert_eq!(reason(&search, None, Defer::Always), PlanReason::Always);
    assert_eq!(reason(&search, None, Defer::Auto), PlanReason::NothingToDefer);
    add(&mut search, "s", &[tool("a", "")]);
    assert_eq!(reason(&search, None, Defer::Never), PlanReason::Never);
    assert_eq!(reason(&search, None, Defer::Auto), PlanReason::BelowThreshold);
    for model in ["anthropic:Claude-HAIKU-4-5", "claude-haiku", "openai:gpt-nano", "bedrock:amazon.nova:0"] {
        assert_eq!(reason(&search, Some(model), Defer::Always), PlanReason::DirectModel, "{model}");
    }
    for model in ["anthropic:claude-opus", "gpt-nano"] {
        assert_eq!(reason(&search, Some(model), Defer::Always), PlanReason::Always, "{model}");
    }
}

#[test]
fn d3_d4_a_session_keeps_its_decision() {
    let mut search = engine(|o| o.threshold = Threshold::Count(3));
    add(&mut search, "b", &[tool("x", ""), tool("y", "")]);
    let mut direct = session(&search);
    assert!(!direct.plan.deferring && direct.prompt().is_empty());
    assert_eq!(direct.names(&search), ["mcp__b__x", "mcp__b__y"]);
    add(&mut search, "a", &[tool("z", "")]);
    assert_eq!(direct.names(&search), ["mcp__b__x", "mcp__b__y", "mcp__a__z"], "what came later is appended");
    let mut deferring = session(&search);
    assert_eq!(deferring.names(&search), ["toolSearch"]);
    assert!(ask(&mut direct, &search, "select:z").text.contains("already loaded"));
}

#[test]
fn g3_tokens_add_up() {
    let search = small();
    for defer in [Defer::Always, Defer::Never] {
        let t = search.plan(&PlanOptions { defer: Some(defer), ..Default::default() }).unwrap().tokens;
        assert_eq!(t.full, t.direct + t.deferrable);
        let first = if defer == Defer::Always { t.direct + t.search_tool + t.listing } else { t.full };
        assert_eq!((t.first_request, t.saved), (first, t.full as i64 - first as i64));
        assert!(t.direct > 0 && t.search_tool > 0 && t.listing > 0);
    }
}

#[test]
fn g2_exact_counters_see_what_providers_see() {
    let mut search = engine(|o| o.count_tokens = Some(Arc::new(|text: &str| Ok(text.len() as u32))));
    search
        .add(
            &[r#"{"name":"x","description":"d","title":"unseen","inputSchema":{"type":"object"}}"#],
            &AddOptions::server("s"),
        )
        .unwrap();
    let plan = search.plan(&PlanOptions::default()).unwrap();
    assert_eq!(
        plan.tokens.full,
        r#"{"name":"mcp__s__x","description":"d","input_schema":{"type":"object"}}"#.len() as u64
    );
    assert_eq!(plan.tokens.listing, session_prompt(&search).len() as u64);
}
