//! A catalog as bytes (rule H3): a header with version and checksum, then JSON.

use crate::catalog::{AddOptions, Catalog, LoadRule, ServerStatus};
use crate::engine::ToolSearch;
use crate::error::{Error, ErrorCode, Result};
use crate::tool::{Load, Parsed, Tool};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::sync::Arc;

const MAGIC: &[u8; 4] = b"TSNP";
/// Of the layout behind the header; another version is not read.
const VERSION: u32 = 1;
const HEADER: usize = 16;

#[derive(Serialize, Deserialize)]
struct Saved<'a> {
    #[serde(borrow)]
    groups: Vec<Group<'a>>,
}

#[derive(Serialize, Deserialize)]
struct Group<'a> {
    #[serde(borrow)]
    server: Option<Cow<'a, str>>,
    #[serde(borrow)]
    instructions: Cow<'a, str>,
    status: u8,
    #[serde(borrow)]
    reason: Option<Cow<'a, str>>,
    #[serde(borrow)]
    tools: Vec<Entry<'a>>,
}

#[derive(Serialize, Deserialize)]
struct Entry<'a> {
    #[serde(borrow)]
    definition: &'a RawValue,
    direct: bool,
    /// Whether callable names were to have the server's prefix.
    prefixed: bool,
}

const STATUSES: [ServerStatus; 4] =
    [ServerStatus::Ready, ServerStatus::Pending, ServerStatus::Failed, ServerStatus::Disconnected];

pub(crate) fn write(catalog: &Catalog) -> Vec<u8> {
    let builtin =
        Group { server: None, instructions: "".into(), status: 0, reason: None, tools: entries(catalog.builtin()) };
    let servers = catalog.servers().map(|(name, server)| Group {
        server: Some(Cow::Borrowed(name)),
        instructions: server.instructions.as_str().into(),
        status: STATUSES.iter().position(|s| *s == server.status).unwrap_or(0) as u8,
        reason: server.reason.as_deref().map(Into::into),
        tools: entries(&server.tools),
    });
    let saved = Saved { groups: std::iter::once(builtin).chain(servers).collect() };
    let body = serde_json::to_vec(&saved).expect("strings and raw JSON are always JSON");
    let mut out = Vec::with_capacity(HEADER + body.len());
    out.extend_from_slice(MAGIC);
    out.extend_from_slice(&VERSION.to_le_bytes());
    out.extend_from_slice(&checksum(&body).to_le_bytes());
    out.extend_from_slice(&body);
    out
}

fn entries(tools: &[Arc<Tool>]) -> Vec<Entry<'_>> {
    tools.iter().filter_map(|tool| entry(tool)).collect()
}

fn entry(tool: &Tool) -> Option<Entry<'_>> {
    let definition = serde_json::from_str(tool.definition()).ok()?;
    Some(Entry { definition, direct: tool.load == Load::Direct, prefixed: tool.prefixed })
}

pub(crate) fn read(bytes: &[u8], engine: &mut ToolSearch) -> Result<()> {
    let bad =
        |what: &str| Error::new(ErrorCode::InvalidSnapshot, format!("{what}; make the snapshot again from the tools"));
    if bytes.len() < HEADER || &bytes[..4] != MAGIC {
        return Err(bad("these bytes are no snapshot"));
    }
    let version = u32::from_le_bytes([bytes[4], bytes[5], bytes[6], bytes[7]]);
    if version != VERSION {
        return Err(bad(&format!("the snapshot is of version {version}, and this library reads version {VERSION}")));
    }
    let (sum, body) = bytes[8..].split_at(HEADER - 8);
    if checksum(body).to_le_bytes() != sum {
        return Err(bad("the snapshot is damaged"));
    }
    let text = std::str::from_utf8(body).map_err(|_| bad("the snapshot is damaged"))?;
    let saved: Saved<'_> = serde_json::from_str(text).map_err(|_| bad("the snapshot is damaged"))?;
    let max = engine.options.limits.definition_bytes;
    for group in saved.groups {
        // One addition a group: with and without prefix, direct and deferred tools stand mixed in one server's order.
        let mut parsed = Vec::with_capacity(group.tools.len());
        for (place, entry) in group.tools.iter().enumerate() {
            let mut one = Parsed::read(entry.definition.get(), place, max)?;
            one.load = Some(if entry.direct { Load::Direct } else { Load::Deferred });
            one.prefixed = Some(entry.prefixed);
            parsed.push(one);
        }
        let server = group.server.map(Cow::into_owned);
        let options = AddOptions {
            instructions: Some(group.instructions.into_owned()),
            load: LoadRule::default(),
            server: server.clone(),
            prefix: true,
        };
        engine.add_parsed(parsed, &options)?;
        if let Some(server) = server {
            let status = STATUSES.get(usize::from(group.status)).copied().unwrap_or_default();
            engine.set_server_status(&server, status, group.reason.as_deref())?;
        }
    }
    Ok(())
}

/// FNV-1a, 64 bits: against damage, not against forgery; what is read is checked like any other input.
fn checksum(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}
