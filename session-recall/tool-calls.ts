import type {
	AgentToolResult,
	ExtensionAPI,
	ExtensionCommandContext,
	ExtensionContext,
	Theme,
	ToolDefinition,
} from "@mariozechner/pi-coding-agent";
import {
	commandForm,
	type DoctorSection,
	helpText,
	keyHint,
	readArguments,
	settingsIn,
	Text,
} from "../session-core/pi/index.ts";
import { SEARCH_TOOLS } from "../session-core/sessions/index.ts";
import { cleanLine, clipColumns } from "../session-core/text/index.ts";
import {
	type ReadRequest,
	readEarlier,
	recallPlace,
	type SearchRequest,
	searchEarlier,
	searchForPerson,
} from "./answer.ts";

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
