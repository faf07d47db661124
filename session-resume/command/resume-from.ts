import {
	type Entry,
	entriesLike,
	promptOf,
	readWholeSession,
	type SessionSource,
} from "../../session-core/log/index.ts";
import {
	type Answered,
	type Continuation,
	commandForm,
	type ExtensionCommandContext,
	readArguments,
	sharedIn,
} from "../../session-core/pi/index.ts";
import { handOverFile } from "../../session-core/sessions/index.ts";
import { cleanLine, clipColumns } from "../../session-core/text/index.ts";
import { type Dialogs, decideInDialogs, leaveFor, pickWanted } from "../board/leaving.ts";
import type { Row } from "../board/rows.ts";
import type { ResumeSession } from "../session.ts";
import { confirmsFolder, continueFresh, continueInFork } from "./continue.ts";
import { resumeHere } from "./resume-here.ts";

export const RESUME_FROM = commandForm({
	name: "resume-from",
	options: [
		{ value: "<title|id>", description: "Open another session and put its next step into the editor" },
		{ value: "<title|id> --branch", description: "Continue in a fork; the other session stays unchanged" },
		{ value: "<title|id> --at <entry>", description: "Continue in a fork from an earlier point" },
		{ value: "--at <entry>", description: "Continue this session in a fork from an earlier point" },
		{ value: "-- <title>", description: "Open a session whose title begins with --" },
		{ value: "--help", description: "Show this help" },
	],
});

/** Where `/resume-from` continues: at an entry or at the end, and in a fork or in the session itself. */
interface FromOptions {
	at: string | undefined;
	branch: boolean;
}

/** `session`: its title or id; empty for the open session. */
interface FromAction extends FromOptions {
	type: "go";
	session: string;
}

const INCOMPLETE =
	"which session? Type /resume-from <title or id>, or --at <entry> to continue this session from an earlier point.";

export function parseFrom(args: string): FromAction | Answered {
	const given = readArguments(RESUME_FROM, args, ["--at"]);
	if (given.type !== "given") return given;
	const at = given.values["--at"];
	const branch = given.options.has("--branch");
	const isIncomplete = given.text === "" && at === undefined && !branch;
	if (isIncomplete || at === "" || at?.startsWith("-")) return { type: "refused", why: INCOMPLETE };
	return { type: "go", session: given.text, at, branch };
}

const FIRST_STEP: Continuation = { prompt: undefined, send: false };

export async function runFrom(
	args: string,
	session: ResumeSession,
	commandCtx: ExtensionCommandContext,
): Promise<void> {
	const action = parseFrom(args);
	if (action.type !== "go") return session.answer(RESUME_FROM, action);
	const command = new ResumeFrom(session, commandCtx);
	const row = action.session === "" ? undefined : await pickWanted(action.session, command.dialogs);
	if (!session.isLive || (action.session !== "" && !row)) return;
	if (!row || row.id === session.host.id) return command.fromHere(action);
	await (row.format.canOpen ? command.fromOther(row, action) : command.handOver(row, action));
}

class ResumeFrom {
	readonly #session: ResumeSession;
	readonly #ctx: ExtensionCommandContext;
	readonly dialogs: Dialogs;

	constructor(session: ResumeSession, ctx: ExtensionCommandContext) {
		const { pi, screen } = session;
		this.#session = session;
		this.#ctx = ctx;
		this.dialogs = {
			pi,
			ctx: session.ctx,
			say: (text, kind = "warning") => screen.say(`resume-from: ${text}`, kind),
			isOver: () => !session.isLive,
		};
	}

	async fromHere({ at, branch }: FromOptions): Promise<void> {
		const session = this.#session;
		if (at === undefined) return resumeHere({ branch: branch || undefined }, session, this.#ctx);
		const entry = session.isReady("resume-from") ? this.#pick(session.host.source, at) : undefined;
		if (!entry) return;
		const prompt = promptOf(entry);
		if (prompt === undefined) await continueInFork(session, this.#ctx, entry.id, FIRST_STEP);
		else await continueInFork(session, this.#ctx, entry.id, { prompt, send: false }, "before");
	}

	async fromOther(row: Row, { at, branch }: FromOptions): Promise<void> {
		if (at === undefined) return this.#open(row, FIRST_STEP, { branch: branch || row.branches });
		const { say } = this.dialogs;
		const source = await readWholeSession(row.path);
		if (!source.ok) return say(`that session cannot be read (${cleanLine(source.detail)}).`);
		const entry = this.#pick(source.session, at);
		if (!entry) return;
		const prompt = promptOf(entry);
		// Users go back to a prompt in order to rephrase it, so the fork ends before the prompt.
		const entryId = prompt === undefined ? entry.id : entry.parentId;
		if (typeof entryId !== "string") return say("this is the first prompt of the session; /new starts over.");
		const continuation = prompt === undefined ? FIRST_STEP : { prompt, send: false };
		await this.#open(row, continuation, { branch: true, entryId });
	}

	/** Continues a session that pi cannot open: starts a new session, with a prompt that the user can edit. */
	async handOver(row: Row, { at, branch }: FromOptions): Promise<void> {
		const session = this.#session;
		const { say } = this.dialogs;
		if (at !== undefined || branch)
			return say(
				"--at and --branch work only with pi's own sessions. Without these options, the session continues in a new pi session.",
			);
		if (!session.isReady("resume-from")) return;
		const handed = await handOverFile(row, Date.now(), session.commons.agentDir);
		if (!session.isLive) return;
		if (!handed.ok) return say(`that session cannot be read (${cleanLine(handed.detail)}).`);
		if (!(await confirmsFolder(row.cwd, session.ctx)) || !session.isLive) return;
		await continueFresh(this.#ctx, { prompt: handed.prompt, send: false });
	}

	#pick(source: SessionSource, prefix: string): Entry | undefined {
		const found = entriesLike(source, prefix);
		if (found.length === 1) return found[0];
		const shown = clipColumns(cleanLine(prefix), 40);
		const why = found.length === 0 ? "no entry" : `${found.length} entries`;
		this.dialogs.say(`${why} with an id that begins with "${shown}". Press Tab after --at to list prompts.`);
		return undefined;
	}

	/** Opens a session or a fork of it. `entryId`: the entry after which the fork begins; undefined to continue from the end of the session. */
	async #open(
		row: Row,
		continuation: Continuation,
		{ branch, entryId }: { branch: boolean; entryId?: string },
	): Promise<void> {
		const { dialogs } = this;
		const leaving = await decideInDialogs(branch ? "fork" : "open", row, dialogs);
		if (!leaving || dialogs.isOver()) return;
		const cut = leaving.act === "fork" && entryId !== undefined ? { ...leaving, entryId } : leaving;
		const arrived = await leaveFor(cut, this.#ctx, dialogs.say);
		if (leaving.act === "repair") arrived?.ui.notify(arrived.done);
		if (arrived) await sharedIn(arrived.session)?.resume?.goOn(continuation);
	}
}
