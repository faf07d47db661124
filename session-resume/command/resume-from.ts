import {
	entriesLike,
	fromLeaf,
	hasRole,
	promptOf,
	readWholeSession,
	type SessionSource,
} from "../../session-core/log/index.ts";
import { type Continuation, commandForm, readArguments, sharedIn } from "../../session-core/pi/index.ts";
import { handOverFile } from "../../session-core/sessions/index.ts";
import { cleanLine, clipColumns } from "../../session-core/text/index.ts";
import { type Dialogs, decideInDialogs, leaveFor, pickWanted } from "../board/leaving.ts";
import type { Row } from "../board/list.ts";
import type { TypedCommand } from "../session.ts";
import { confirmsFolder, continueFresh, continueInFork, resumeHere } from "./resume-here.ts";

export const RESUME_FROM = commandForm({
	name: "resume-from",
	options: [
		["<title|id>", "Open another session and put its next step in the editor"],
		["<title|id> --branch", "Continue in a fork; the other session stays unchanged"],
		["<title|id> --at <entry>", "Continue in a fork from an earlier point"],
		["--at <entry>", "Continue this session in a fork from an earlier point"],
		["-- <title>", "Open a session whose title begins with --"],
	],
});

const INCOMPLETE =
	"no session was specified. Type /resume-from <title or id>, or /resume-from --at <entry> to continue this session from an earlier point.";

export function parseFrom(args: string) {
	const given = readArguments(RESUME_FROM, args, ["--at"]);
	if (given.type !== "given") return given;
	const at = given.values["--at"];
	const branch = given.options.has("--branch");
	const isIncomplete = given.text === "" && at === undefined && !branch;
	if (isIncomplete || at === "" || at?.startsWith("-")) return { type: "refused" as const, why: INCOMPLETE };
	return { type: "go" as const, session: given.text, at, branch };
}

type FromOptions = Pick<Extract<ReturnType<typeof parseFrom>, { type: "go" }>, "at" | "branch">;

const FIRST_STEP: Continuation = { prompt: undefined, send: false };

export async function runFrom(args: string, { session, ctx: commandCtx }: TypedCommand): Promise<void> {
	const action = parseFrom(args);
	if (action.type !== "go") return session.answer(RESUME_FROM, action);
	const { pi, ctx, host, screen } = session;
	const dialogs: Dialogs = {
		...{ pi, ctx },
		say: (text, kind = "warning") => screen.say(`resume-from: ${text}`, kind),
		isOver: () => !session.isLive,
	};
	const from = { session, ctx: commandCtx, dialogs };
	const row = action.session === "" ? undefined : await pickWanted(action.session, dialogs);
	if (!session.isLive || (action.session !== "" && !row)) return;
	if (!row || row.id === host.id) return fromHere(from, action);
	await (row.format.canOpen ? fromOther(from, row, action) : handOver(from, row, action));
}

type From = TypedCommand & { dialogs: Dialogs };

async function fromHere(from: From, { at, branch }: FromOptions): Promise<void> {
	const { session } = from;
	if (at === undefined) return resumeHere({ branch: branch || undefined }, from);
	const { source } = session.host;
	const point = session.isReady("resume-from") ? pointAt(from, source, at) : undefined;
	if (!point) return;
	const { entryId, continuation } = point;
	const getEntry = (id: string) => source.getEntry(id);
	const before = [...fromLeaf({ getEntry, getLeafEntry: () => getEntry(entryId) })];
	// A session cannot be forked before the agent's first reply.
	if (before.some((entry) => hasRole(entry, "assistant"))) await continueInFork(from, entryId, continuation);
	else await continueFresh(from, continuation);
}

async function fromOther(from: From, row: Row, { at, branch }: FromOptions): Promise<void> {
	if (at === undefined)
		return openOther(from, row, { branch: branch || row.branches, continuation: FIRST_STEP });
	const source = await readWholeSession(row.path);
	if (!source.ok) return from.dialogs.say(unreadableText(source.detail));
	const point = pointAt(from, source.session, at);
	if (point) await openOther(from, row, { branch: true, ...point });
}

async function handOver(from: From, row: Row, { at, branch }: FromOptions) {
	const {
		session,
		dialogs: { say },
	} = from;
	if (at !== undefined || branch)
		return say(
			"--at and --branch work only with pi's own sessions. Without these options, the session continues in a new pi session.",
		);
	if (!session.isReady("resume-from")) return;
	const handed = await handOverFile(row, Date.now(), session.commons.agentDir);
	if (!session.isLive) return;
	if (!handed.ok) return say(unreadableText(handed.detail));
	if (!(await confirmsFolder(row.cwd, session.ctx)) || !session.isLive) return;
	await continueFresh(from, { prompt: handed.prompt, send: false });
}

function unreadableText(detail: string): string {
	const reason = cleanLine(detail);
	return `the session cannot be read (${reason}).`;
}

function pointAt({ dialogs: { say } }: From, source: SessionSource, prefix: string) {
	const found = entriesLike(source, prefix);
	const [entry] = found;
	if (!entry || found.length > 1) {
		const shown = clipColumns(cleanLine(prefix), 40);
		const why = found.length === 0 ? "no entry" : `${found.length} entries`;
		say(`${why} with an id that begins with "${shown}". Press Tab after --at to list prompts.`);
		return undefined;
	}
	const prompt = promptOf(entry);
	if (prompt === undefined) return { entryId: entry.id, continuation: FIRST_STEP };
	// The user returns to a prompt in order to rephrase it, so the fork ends before the prompt.
	if (typeof entry.parentId === "string")
		return { entryId: entry.parentId, continuation: { prompt, send: false } };
	say("this is the first prompt of the session; /new starts over.");
	return undefined;
}

async function openOther(
	{ ctx, dialogs }: From,
	row: Row,
	{ branch, entryId, continuation }: { branch: boolean; entryId?: string; continuation: Continuation },
): Promise<void> {
	const leaving = await decideInDialogs(branch ? "fork" : "open", row, dialogs);
	if (!leaving || dialogs.isOver()) return;
	const cut = leaving.act === "fork" && entryId !== undefined ? { ...leaving, entryId } : leaving;
	const arrived = await leaveFor(cut, ctx, dialogs.say);
	if (leaving.act === "repair") arrived?.ui.notify(arrived.done);
	if (arrived) await sharedIn(arrived.session)?.ports.resume.continueWith(continuation);
}
