import type {
	AgentToolResult,
	ExtensionAPI,
	ExtensionCommandContext,
	ExtensionContext,
	Theme,
	ToolDefinition,
} from "@mariozechner/pi-coding-agent";
import { fromLeaf, hasRole, hostSource, type SessionSource } from "../session-core/log/index.ts";
import {
	commandForm,
	type DoctorSection,
	getAgentDir,
	helpText,
	keyHint,
	readArguments,
	settingsIn,
	Text,
} from "../session-core/pi/index.ts";
import {
	aroundText,
	type FindPlace,
	findInSessions,
	findSessions,
	foundForPerson,
	foundText,
	inFence,
	SEARCH_TOOLS,
	sessionText,
	sinceTime,
	titleOf,
	untilTime,
} from "../session-core/sessions/index.ts";
import { cleanLine, clipColumns, readTime, shownLine } from "../session-core/text/index.ts";

type ToolName = (typeof SEARCH_TOOLS)[number];

/**
 * Turns the search tools off if the user has disabled them. This function runs before every agent run.
 */
export function applySwitch(pi: Pick<ExtensionAPI, "getActiveTools" | "setActiveTools">, cwd: string): void {
	if (isEnabled(cwd)) return;
	const active = pi.getActiveTools();
	const others = active.filter((name) => !SEARCH_TOOLS.some((tool) => tool === name));
	if (others.length < active.length) pi.setActiveTools(others);
}

function isEnabled(cwd: string): boolean {
	return settingsIn(cwd).current().settings.recall.enabled;
}

export function recallSection(cwd: string, taken: readonly string[]): DoctorSection {
	const setting = isEnabled(cwd) ? "on" : "off, because recall.enabled is false";
	const tools = taken.length > 0 ? `off, because ${takenText(taken)}; /recall still works` : setting;
	return { title: "recall", rows: [["tools", tools]] };
}

function takenText(taken: readonly string[]): string {
	return `another package provides ${taken.join(" and ")}`;
}

interface Details {
	summary: string;
}

/** pi has already validated the arguments against the tool's schema. */
export async function runTool(
	name: ToolName,
	request: unknown,
	ctx: ExtensionContext,
	signal: AbortSignal | undefined,
): Promise<AgentToolResult<Details>> {
	const place = { ...recallPlace(ctx), signal };
	const { text, summary } =
		name === "session_search"
			? await searchEarlier(request as SearchRequest, place)
			: await readEarlier(request as ReadRequest, place);
	return { content: [{ type: "text", text }], details: { summary } };
}

const CALL_COLUMNS = 100;

export function renderCall(name: ToolName): NonNullable<ToolDefinition["renderCall"]> {
	return (request, theme) => {
		const { query, session, at } = request as Partial<SearchRequest & ReadRequest>;
		const shown = name === "session_search" ? `"${query ?? ""}"` : [session, at].filter(Boolean).join(" ");
		const argument = clipColumns(cleanLine(shown), CALL_COLUMNS);
		return new Text(`${theme.fg("toolTitle", theme.bold(name))} ${theme.fg("accent", argument)}`, 0, 0);
	};
}

export const renderResult: NonNullable<ToolDefinition["renderResult"]> = (
	result,
	{ expanded, isPartial },
	theme,
) => new Text(isPartial ? theme.fg("muted", "searching…") : shownResult(result, expanded, theme), 0, 0);

function shownResult(
	{ content, details }: AgentToolResult<unknown>,
	expanded: boolean,
	theme: Theme,
): string {
	const text = content.map((part) => (part.type === "text" ? part.text : "")).join("\n");
	if (expanded) return theme.fg("toolOutput", text);
	const summary = (details as Details | undefined)?.summary ?? cleanLine(text.slice(0, 200));
	return `${theme.fg("muted", summary)} ${theme.fg("dim", `(${keyHint("app.tools.expand", "to expand")})`)}`;
}

export const RECALL = commandForm({
	name: "recall",
	options: [
		["<words>", "Search your earlier sessions"],
		["--here <words>", "Search only sessions of this project"],
	],
});
const NOTE = "To open a session that was found, type /resume-from <id>. The agent can also read it.";

export async function runRecall(
	ctx: ExtensionCommandContext,
	args: string,
	{ over, taken }: { over: AbortSignal; taken: readonly string[] },
): Promise<void> {
	const given = readArguments(RECALL, args);
	if (given.type !== "given" || given.text === "") {
		const missing =
			taken.length > 0 ? [`The agent cannot use these tools, because ${takenText(taken)}.`] : [];
		const answered = given.type === "given" ? ({ type: "help" } as const) : given;
		return ctx.ui.notify(...helpText(RECALL, answered, [NOTE, ...missing]));
	}
	const text = await searchForPerson(given.text, given.options.has("--here"), recallPlace(ctx));
	if (!over.aborted) ctx.ui.notify(text, "info");
}

function recallPlace({ cwd, sessionManager }: Pick<ExtensionContext, "cwd" | "sessionManager">): FindPlace {
	const path = sessionManager.getSessionFile();
	const from = path && lastRequestAt(hostSource(sessionManager));
	const asking = path && from ? { asking: { path, from } } : {};
	return { agentDir: getAgentDir(), cwd, folder: sessionManager.getSessionDir(), ...asking };
}

function lastRequestAt(source: SessionSource): number | undefined {
	for (const entry of fromLeaf(source)) if (hasRole(entry, "user")) return readTime(entry.timestamp);
	return undefined;
}

interface SearchRequest {
	query: string;
	project?: "this" | "all";
	since?: string;
	until?: string;
	limit?: number;
}

interface ReadRequest {
	session: string;
	at?: string;
	around?: number;
}

interface RecallAnswer {
	text: string;
	summary: string;
}

/** Each search result costs tokens, so the agent gets only a few results unless it requests more. */
const RESULTS = 6;
const ENTRIES_AROUND = 3;

export async function searchEarlier(request: SearchRequest, place: FindPlace): Promise<RecallAnswer> {
	const { query, project = "all", since, until, limit } = request;
	const now = Date.now();
	// Some models pass an empty string for a parameter that they want to leave out.
	const from = since ? sinceTime(since, now) : undefined;
	const to = until ? untilTime(until, now) : undefined;
	const times = [
		{ text: since, time: from },
		{ text: until, time: to },
	];
	const wrong = times.find(({ text, time }) => text && time === undefined)?.text;
	if (wrong)
		return failure(
			`"${shown(wrong)}" is not a valid time. Use a time such as 90m, 12h, 7d, 3w or 2026-01-31.`,
		);
	const wanted = {
		query,
		project,
		since: from,
		until: to,
		limit: limit ?? RESULTS,
		onlyRelevant: limit === undefined,
	};
	const found = await findInSessions(wanted, place);
	if (!found) return failure("The search was stopped.");
	const { sessions, total, searched } = found;
	const best = sessions[0] ? `, best: ${shown(titleOf(sessions[0].session))}` : "";
	const summary = `${total} ${total === 1 ? "match" : "matches"} in ${searched} ${searched === 1 ? "session" : "sessions"}${best}`;
	return { text: foundText(found, query, now), summary };
}

async function searchForPerson(query: string, isHere: boolean, place: FindPlace): Promise<string> {
	const project = isHere ? "this" : "all";
	const found = await findInSessions({ query, project, limit: RESULTS, onlyRelevant: true }, place);
	return found ? foundForPerson(found, { query, now: Date.now(), isHere }) : "The search was stopped.";
}

export async function readEarlier(request: ReadRequest, place: FindPlace): Promise<RecallAnswer> {
	const { session: wanted, at, around = ENTRIES_AROUND } = request;
	const { found } = await findSessions(wanted, place);
	const [session] = found;
	if (!session)
		return failure(
			`No session has the id or title "${shown(wanted)}". Use session_search to find the ids of sessions.`,
		);
	if (found.length > 1) {
		// Copies of a session file share a session id, so they must be identified by path.
		const isById = new Set(found.map(({ id }) => id)).size === found.length;
		const lines = found.slice(0, 5).map((one) => `${isById ? one.id : one.path} "${shown(titleOf(one))}"`);
		const text = `${found.length} sessions match. Read one of them by its ${isById ? "id" : "path"}.`;
		return { text: `${text}\n${inFence(lines.join("\n"))}`, summary: text };
	}
	const now = Date.now();
	const read = await (at ? aroundText(session, { at, around, now }) : sessionText(session, now));
	return read.ok ? { text: read.text, summary: shown(titleOf(session)) } : failure(read.detail);
}

function failure(text: string): RecallAnswer {
	return { text, summary: text };
}

function shown(text: string): string {
	return shownLine(text, 80);
}
