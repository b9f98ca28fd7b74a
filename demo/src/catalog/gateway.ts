// A company's MCP gateway, generated: the tools of every service behind one server, the same on every machine. Words are everyday ones, so
// that the reader can judge what is found; the benchmarks' generator invents words instead, for a vocabulary that grows with the catalog.
import type { ToolDefinition } from "tool-search";

/** Sizes that the page offers: one region, and five. */
export const GATEWAY_SIZES = [2_080, 10_400] as const;

const REGIONS = ["", "eu", "us", "apac", "sandbox"];

/** Services and what each of them keeps. */
const SERVICES: Record<string, string[]> = {
  billing: ["invoice", "payment", "refund", "credit_note", "tax_rate", "payment_method", "dunning_run", "ledger_entry"],
  crm: ["contact", "account", "deal", "pipeline", "activity", "lead", "segment", "territory"],
  support: ["ticket", "macro", "sla_policy", "satisfaction_survey", "queue", "canned_response", "escalation", "help_article"],
  hr: ["employee", "leave_request", "payslip", "job_opening", "candidate", "interview", "performance_review", "benefit_plan"],
  shop: ["product", "order", "cart", "coupon", "review", "collection", "gift_card", "price_list"],
  warehouse: ["stock_item", "shipment", "bin", "picking_list", "return", "supplier", "purchase_order", "stock_count"],
  calendar: ["event", "meeting_room", "availability", "reminder", "attendee", "recurring_series", "holiday", "booking_page"],
  mail: ["message", "draft", "label", "filter", "mailbox", "signature", "mailing_list", "bounce"],
  documents: ["file", "folder", "comment", "share_link", "template", "revision", "approval", "retention_rule"],
  analytics: ["dashboard", "report", "metric", "funnel", "cohort", "experiment", "alert_rule", "data_export"],
  cloud: ["instance", "volume", "snapshot", "load_balancer", "network", "firewall_rule", "database", "backup"],
  deploy: ["release", "pipeline_run", "environment", "artifact", "feature_flag", "rollback", "secret", "runner"],
  code: ["repository", "branch", "pull_request", "commit", "code_review", "issue", "tag", "webhook"],
  security: ["user", "role", "api_key", "audit_event", "session", "access_policy", "vulnerability", "certificate"],
  finance: ["budget", "expense", "cost_center", "forecast", "bank_account", "reconciliation", "journal", "vendor"],
  legal: ["contract", "clause", "signature_request", "matter", "nda", "policy_document", "obligation", "counterparty"],
  marketing: ["campaign", "audience", "landing_page", "email_template", "ad_group", "utm_link", "social_post", "referral"],
  travel: ["flight", "hotel_stay", "rental_car", "itinerary", "travel_policy", "visa", "rail_ticket", "trip_approval"],
  iot: ["device", "firmware", "sensor_reading", "gateway", "device_group", "telemetry_stream", "command", "geofence"],
  telephony: ["call", "voicemail", "phone_number", "call_queue", "recording", "ivr_menu", "sms", "conference"],
  learning: ["course", "lesson", "enrollment", "quiz", "certificate_award", "instructor", "cohort_group", "assignment"],
  facilities: ["building", "desk", "visitor", "work_order", "asset", "cleaning_plan", "parking_spot", "badge"],
  insurance: ["policy", "claim", "quote", "beneficiary", "premium", "adjuster", "coverage", "risk_score"],
  maps: ["place", "route", "address", "elevation", "traffic_report", "isochrone", "map_tile", "boundary"],
  media: ["image", "video", "caption", "playlist", "thumbnail", "transcode_job", "live_stream", "watermark"],
  research: ["paper", "dataset", "citation", "survey", "interview_note", "annotation", "hypothesis", "literature_list"],
};

interface Action {
  verb: string;
  /** What it does to "%", one of a service's things. */
  does: string;
  /** Names of its parameters. */
  takes: string[];
  many?: boolean;
}

const ACTIONS: Action[] = [
  { verb: "get", does: "Returns one % with all its fields.", takes: ["id", "expand"] },
  { verb: "list", does: "Lists % page by page, newest first.", takes: ["limit", "cursor", "sort_by", "created_after"], many: true },
  { verb: "search", does: "Finds % whose text or fields match a query.", takes: ["query", "limit", "status"], many: true },
  { verb: "create", does: "Creates a new % and returns it with its id.", takes: ["name", "fields", "owner_id", "notify"] },
  { verb: "update", does: "Changes fields of an existing %; what is left out stays as it is.", takes: ["id", "fields", "version"] },
  { verb: "delete", does: "Deletes a % for good. It cannot be undone.", takes: ["id", "reason", "dry_run"] },
  { verb: "archive", does: "Puts a % away without deleting it; it can be restored later.", takes: ["id", "reason"] },
  { verb: "assign", does: "Hands a % over to another person or team.", takes: ["id", "assignee_id", "message"] },
  { verb: "export", does: "Writes % to a CSV or JSON file and returns its link.", takes: ["format", "filter", "columns"], many: true },
  { verb: "watch", does: "Subscribes the caller to changes of a %.", takes: ["id", "events", "channel"] },
];

const PARAMETERS: Record<string, object> = {
  id: { type: "string", description: "The identifier of the %." },
  expand: { type: "array", items: { type: "string" }, description: "Related objects to return with the %." },
  limit: { type: "integer", minimum: 1, maximum: 100, description: "How many to return." },
  cursor: { type: "string", description: "Where the page before ended." },
  sort_by: { type: "string", enum: ["created", "updated", "name"], description: "The order of the results." },
  created_after: { type: "string", format: "date-time", description: "Only what was created after this moment." },
  query: { type: "string", description: "Words to look for in the %." },
  status: { type: "string", enum: ["open", "pending", "done"], description: "Only those in this state." },
  name: { type: "string", description: "A name for the %." },
  fields: { type: "object", description: "Values of the % by field.", additionalProperties: true },
  owner_id: { type: "string", description: "The person whom the % belongs to." },
  notify: { type: "boolean", description: "Whether to tell everyone who watches." },
  version: { type: "integer", description: "The version that the change is based on." },
  reason: { type: "string", description: "Why, for the audit log." },
  dry_run: { type: "boolean", description: "Say what would happen, and do nothing." },
  assignee_id: { type: "string", description: "The person or team that takes over the %." },
  message: { type: "string", description: "A note for them." },
  format: { type: "string", enum: ["csv", "json"], description: "The format of the file." },
  filter: { type: "string", description: "An expression that the % must fulfil." },
  columns: { type: "array", items: { type: "string" }, description: "Fields to write, in this order." },
  events: { type: "array", items: { type: "string" }, description: "Kinds of changes to hear of." },
  channel: { type: "string", enum: ["mail", "chat", "webhook"], description: "Where to send them." },
};

const OPTIONAL = new Set(["expand", "limit", "cursor", "sort_by", "created_after", "status", "notify", "dry_run", "reason", "message", "columns", "channel"]);

/** The first `size` tools of the gateway; all of them are in {@link GATEWAY_SIZES}. */
export function gateway(size: number): ToolDefinition[] {
  const tools: ToolDefinition[] = [];
  for (const region of REGIONS) {
    for (const [service, things] of Object.entries(SERVICES)) {
      for (const thing of things) {
        for (const action of ACTIONS) {
          if (tools.length >= size) return tools;
          tools.push(tool(region, service, thing, action));
        }
      }
    }
  }
  return tools;
}

function tool(region: string, service: string, thing: string, { verb, does, takes, many }: Action): ToolDefinition {
  const words = thing.replaceAll("_", " ");
  const named = many ? plural(words) : words;
  const where = region ? ` Works on the ${region.toUpperCase()} region only.` : "";
  return {
    name: [region, service, verb, many ? plural(thing) : thing].filter(Boolean).join("_"),
    description: `${does.replace("%", named).replace(/\ba ([aeiou])/g, "an $1")} Part of the ${service} service.${where}`,
    inputSchema: {
      type: "object",
      properties: Object.fromEntries(takes.map((name) => [name, filled(PARAMETERS[name] ?? {}, words)])),
      required: takes.filter((name) => !OPTIONAL.has(name)),
    },
  };
}

function filled(schema: object, words: string): object {
  return "description" in schema ? { ...schema, description: String(schema.description).replace("%", words) } : schema;
}

function plural(word: string): string {
  if (/[^aeiou]y$/.test(word)) return `${word.slice(0, -1)}ies`;
  return /(s|x|ch|sh)$/.test(word) ? `${word}es` : `${word}s`;
}
