import {
	type DeleteHow,
	type DeleteOutcome,
	deleteSession,
	type HostNaming,
	hasTrash,
	nameByPerson,
	nameText,
	obstacleToDelete,
	type RenameOutcome,
	renameInFile,
} from "../../session-core/log/index.ts";
import {
	askForNote,
	type Commons,
	commonsOf,
	type ExtensionContext,
	explainNoteFailure,
	getAgentDir,
	isInTerminal,
	loadSettings,
	noteRequest,
	priceOf,
	RECAP_TOKENS,
	sharedIn,
	VERSION,
} from "../../session-core/pi/index.ts";
import { cardWords, keepNote, makeRecord, type TypedRefusal } from "../../session-core/recap/index.ts";
import {
	addRecord,
	canGo,
	type Description,
	describeSession,
	dropMarks,
	explainAnswer,
	explainObstacle,
	type GoOutcome,
	goTo,
	isRepairable,
	type Lease,
	type Mark,
	noteRefusal,
	obstacleToOpening,
	offerRestore,
	openSession,
	overlapsOf,
	type PreviewFacts,
	readMarks,
	readPreviewFacts,
	recordKind,
	sendAnswer,
	sessionAt,
	setMark,
} from "../../session-core/sessions/index.ts";
import {
	bugText,
	cleanLine,
	costText,
	fileErrorText,
	isFolder,
	readCheckout,
} from "../../session-core/text/index.ts";
import { describeWriter, type LiveState, liveStates, otherWriter } from "../live/leases.ts";
import { Feed, type FeedPorts } from "./feed.ts";
import { type Row, rowOf, type Scope } from "./list.ts";

export type Acts = ReturnType<typeof createActs>;

export function createActs(pi: HostNaming["pi"], ctx: ExtensionContext) {
	const agentDir = getAgentDir();
	return {
		here: ctx.cwd,
		feed(found: FeedPorts["found"], failed: (text: string, scanned?: Scope) => void): FeedUse {
			const place = { agentDir, cwd: ctx.cwd, projectFolder: ctx.sessionManager.getSessionDir() };
			return new Feed({
				...place,
				found,
				failed: (bug, scanned) => failed(bugText("sessions", bug), scanned),
			});
		},
		preview: (row: Row, signal: AbortSignal) => readPreviews(row, signal, { agentDir, ctx }),
		facts: (act: "open" | "fork", row: Row) => factsOf(act, row, ctx),
		rename: (row: Row, text: string) => rename(row, text, { pi, manager: ctx.sessionManager }),
		whyKept,
		hasTrash,
		remove,
		go,
		answer,
		async note(row: Row, request: RowNoteRequest): Promise<RowNoteOutcome> {
			const shared = sharedIn(ctx.sessionManager);
			if (!shared) return { ok: false, detail: "this session is still being opened." };
			return askNote(row, request, commonsOf(shared, ctx));
		},
		overlaps: (live: readonly Lease[]) => overlapsOf(live, { agentDir, now: Date.now() }),
		marks: () => readMarks(agentDir),
		setMark: (row: Row, mark: Mark, on: boolean) => setMark(agentDir, row.mark, mark, on),
		live: () => liveStates(agentDir),
		offerRestore: (live: readonly LiveState[]) => offerRestore(agentDir, Date.now(), live),
	};
}

/** The methods of a feed that the board uses. */
type FeedUse = Pick<Feed, "scan" | "search" | "put" | "drop" | "stop">;

export interface Preview {
	/** `described` is undefined if the session has no content yet. */
	described: Description | undefined;
	facts?: PreviewFacts;
}

/** Yields a preview of the end of the file first, because reading the whole file can take long. */
async function* readPreviews(
	row: Row,
	signal: AbortSignal,
	{ agentDir, ctx: { cwd, modelRegistry } }: { agentDir: string; ctx: ExtensionContext },
): AsyncIterable<Preview> {
	const model = (provider: string, id: string) => modelRegistry.find(provider, id);
	const words = cardWords(loadSettings({ agentDir, cwd }).settings.language);
	const live = row.state === "closed" ? undefined : row.state;
	const read = await describeSession(row, { now: () => 0, words }, live);
	const described = read.ok ? read : undefined;
	yield { described };
	yield { described, facts: await readPreviewFacts(row, { model, signal }) };
}

function leaseOf(row: Row): Lease | undefined {
	return otherWriter(getAgentDir(), { sessionFile: row.path, sessionId: row.id });
}

function notOurs({ format: { canOpen, mark }, id }: Row): string | undefined {
	return canOpen
		? undefined
		: `This session belongs to ${mark}, so pi does not change its file. To continue it in pi, type /resume-from ${id}; to continue it in ${mark}, run pi-sessions resume ${id}.`;
}

/**
 * The list on the screen may be several seconds old, so an action checks the session again right before
 * it runs.
 */
export interface Facts {
	row: Row;
	/**
	 * `blocked` says why the session cannot be opened. If such a session were opened, the host would exit
	 * or empty the session's file.
	 */
	blocked: string | undefined;
	damaged: boolean;
	cwdExists: boolean;
	writer: string | undefined;
	canGo: boolean;
	busy: boolean;
	/**
	 * If the session's folder no longer exists, the host asks for another folder, but only in a terminal.
	 */
	hostAsksForCwd: boolean;
}

async function factsOf(
	act: "open" | "fork",
	row: Row,
	ctx: Pick<ExtensionContext, "ui" | "isIdle">,
): Promise<Facts> {
	const lease = leaseOf(row);
	const others = notOurs(row);
	const writes = act === "open" ? "file" : "copy";
	const obstacle = others ? undefined : await obstacleToOpening(row.path, { version: () => VERSION, writes });
	const damaged = obstacle !== undefined && isRepairable(obstacle);
	return {
		row,
		blocked: others ?? (obstacle && !damaged ? explainObstacle(obstacle) : undefined),
		damaged,
		cwdExists: row.cwd === "" || isFolder(row.cwd),
		writer: lease && describeWriter(lease),
		canGo: lease !== undefined && canGo(lease),
		busy: !ctx.isIdle(),
		hostAsksForCwd: isInTerminal(ctx),
	};
}

async function go(row: Row): Promise<GoOutcome> {
	const lease = leaseOf(row);
	return lease
		? goTo(lease)
		: { ok: false, reason: "no_way", message: "The session was closed in the other terminal a moment ago." };
}

async function answer(
	row: Row,
	stamp: string,
	text: string,
): Promise<{ ok: true } | { ok: false; detail: string }> {
	const lease = leaseOf(row);
	if (!lease) return { ok: false, detail: explainAnswer("closed") };
	const outcome = await sendAnswer(getAgentDir(), lease, { stamp, text, from: "board" });
	return outcome.ok ? outcome : { ok: false, detail: explainAnswer(outcome.reason) };
}

function whyKept(row: Row): string | undefined {
	const others = notOurs(row);
	if (others) return others;
	const lease = leaseOf(row);
	if (lease) return `Not deleted: this session is open in ${describeWriter(lease)}.`;
	const obstacle = obstacleToDelete(row.path);
	return obstacle && explainObstacle({ reason: obstacle, detail: "" });
}

/**
 * If another pi process has continued the session since the user was asked, the session is not deleted.
 * Throws if a permanent deletion fails.
 */
async function remove(row: Row, how: DeleteHow): Promise<DeleteOutcome> {
	const others = notOurs(row);
	if (others) return { ok: false, reason: "kept", detail: others };
	const lease = leaseOf(row);
	if (lease) return { ok: false, reason: "kept", detail: `it is open in ${describeWriter(lease)}.` };
	const outcome = await deleteSession(row, how);
	if (outcome.ok) dropMarks(getAgentDir(), row.mark);
	return outcome;
}

/** The host keeps the open session's name in memory, so the open session is renamed through the host. */
async function rename(row: Row, text: string, host: HostNaming): Promise<RenameOutcome> {
	const others = notOurs(row);
	if (others) return { ok: false, detail: others };
	const name = nameText(text);
	if (name === "") return { ok: false, detail: "the name has no visible characters." };
	if (row.path !== host.manager.getSessionFile()) return renameInFile(row.path, name);
	const named = nameByPerson(host, name);
	return named.ok ? { ok: true, name } : { ok: false, detail: fileErrorText(named.detail) };
}

type RowNoteOutcome = { ok: true; row: Row } | { ok: false; detail: string };

interface RowNoteRequest {
	signal: AbortSignal;
	/** `cost` is the estimated cost of the request. It is empty if the model's prices are unknown. */
	asking(model: string, cost: string): void;
}

const CHARACTERS_PER_TOKEN = 4;

/**
 * The note is saved in the session's file if pi may write to that file. Otherwise, it is saved outside
 * the session's file.
 */
async function askNote(
	row: Row,
	{ signal, asking }: RowNoteRequest,
	commons: Commons,
): Promise<RowNoteOutcome> {
	const failed = (detail: string) => ({ ok: false as const, detail });
	const opened = await openSession(row);
	if (!opened.ok) return failed(`the session cannot be read (${cleanLine(opened.detail)}).`);
	const { reading } = opened;
	const refused = (reason: TypedRefusal) =>
		failed(
			reason === "edited"
				? "you edited this session's recap, so it was kept."
				: "there is nothing to recap yet.",
		);
	const early = noteRefusal(reading, row.id);
	if (early) return refused(early);
	const { candidates } = commons.choose("recap");
	const subject = { reading, setting: commons.language };
	const model = candidates[0]?.model;
	if (model) {
		const { systemPrompt, prompt } = noteRequest(subject);
		const input = (systemPrompt.length + prompt.length) / CHARACTERS_PER_TOKEN;
		const cost = priceOf(model, { ...RECAP_TOKENS, input }) ?? 0;
		asking(cleanLine(`${model.provider}/${model.id}`), cost > 0 ? costText(cost) : "");
	}
	const ports = { budget: commons.budget("recap", row.id), ...commons.asking };
	const answer = await askForNote({ ...subject, candidates, signal, by: "typed" }, ports);
	if (!answer.ok) return failed(explainNoteFailure(answer, "", "F3"));
	const now = await openSession(row);
	if (!now.ok || now.reading.stamp !== reading.stamp) return failed("the session has new messages.");
	// The user may have edited the recap while the model was answering.
	const late = noteRefusal(now.reading, row.id);
	if (late) return refused(late);
	const { agentDir, words, log } = commons;
	const before = await sessionAt(row.path, agentDir);
	if (!before) return failed("the note was not saved: the session no longer exists.");
	const { note } = answer;
	const added = await addRecord(
		before,
		{ note },
		{ agentDir, now: Date.now, checkout: readCheckout, words, log },
	);
	if (!added.ok && added.reason === "edited") return refused(added.reason);
	const recap = added.ok
		? added.recap
		: makeRecord(now.reading, {
				subjectId: row.id,
				now: Date.now(),
				kind: recordKind(row),
				before: row.recap,
				cwd: row.cwd,
				checkout: undefined,
				words: words(reading.language),
				note,
			});
	const kept = added.ok ? added : keepNote(agentDir, row.path, recap);
	if (!kept.ok) return failed(`the note was not saved: ${cleanLine(kept.detail)}`);
	const summary = (await sessionAt(row.path, agentDir)) ?? before;
	const { planted, isArchived } = row;
	const listed = { ...summary, planted, recap, ...(isArchived && { isArchived }) };
	return { ok: true, row: rowOf(listed, row.here) };
}
