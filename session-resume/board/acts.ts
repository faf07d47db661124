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
	commonsOf,
	type ExtensionContext,
	explainNoteFailure,
	getAgentDir,
	noteRequest,
	priceOf,
	RECAP_TOKENS,
	settingsIn,
	sharedIn,
} from "../../session-core/pi/index.ts";
import { cardWords, replaceRefusal } from "../../session-core/recap/index.ts";
import {
	type AddFailure,
	addNote,
	type Description,
	describeSession,
	dropMarks,
	explainAnswer,
	explainObstacle,
	type Lease,
	type Mark,
	offerRestore,
	openLeases,
	openSession,
	overlapsOf,
	type PreviewFacts,
	readMarks,
	readPreviewFacts,
	sendAnswer,
	sessionAt,
	setMark,
} from "../../session-core/sessions/index.ts";
import { cleanLine, costText } from "../../session-core/text/index.ts";
import { decider, leaseOf, notOurs, writerOf } from "../leaving/ask.ts";
import { Feed, type FeedPorts } from "./feed.ts";
import { type Row, rowOf, type Scope } from "./list.ts";

export type Acts = ReturnType<typeof createActs>;

export function createActs(pi: HostNaming["pi"], ctx: ExtensionContext) {
	const agentDir = getAgentDir();
	return {
		feed(found: FeedPorts["found"], failed: (text: string, scanned?: Scope) => void): FeedUse {
			const place = { agentDir, cwd: ctx.cwd, projectFolder: ctx.sessionManager.getSessionDir() };
			return new Feed({ ...place, found, failed });
		},
		preview: (row: Row, signal: AbortSignal) => readPreviews(row, signal, ctx),
		decide: decider(ctx, { isOneKey: true }),
		rename: (row: Row, text: string) => rename(row, text, { pi, manager: ctx.sessionManager }),
		whyKept,
		hasTrash,
		remove,
		answer,
		note: (row: Row, request: RowNoteRequest) => noteOn(row, request, ctx),
		overlaps: (live: readonly Lease[]) => overlapsOf(live, { agentDir, now: Date.now() }),
		marks: () => readMarks(agentDir),
		setMark: (row: Row, mark: Mark, on: boolean) => setMark(agentDir, row.mark, mark, on),
		live: () => openLeases(agentDir, Date.now()),
		offerRestore: (live: readonly Lease[]) => offerRestore(agentDir, Date.now(), live),
	};
}

type FeedUse = Pick<Feed, "scan" | "search" | "put" | "drop" | "stop">;

export interface Preview {
	described: Description | undefined;
	facts?: PreviewFacts;
}

/**
 * Yields a preview of the end of the session file first, because reading the whole file can take a long
 * time.
 */
async function* readPreviews(
	row: Row,
	signal: AbortSignal,
	{ cwd, modelRegistry }: ExtensionContext,
): AsyncIterable<Preview> {
	const model = (provider: string, id: string) => modelRegistry.find(provider, id);
	const words = cardWords(settingsIn(cwd).current().settings.language);
	const live = row.state === "closed" ? undefined : row.state;
	const read = await describeSession(row, { now: () => 0, words }, live);
	const described = read.ok ? read : undefined;
	yield { described };
	yield { described, facts: await readPreviewFacts(row, { model, signal }) };
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
	const writer = writerOf(row);
	if (writer) return `Not deleted: this session is open in ${writer}.`;
	const obstacle = obstacleToDelete(row.path);
	return obstacle && explainObstacle({ reason: obstacle, detail: "" });
}

/**
 * The session is not deleted if another pi process has continued the session since the user confirmed
 * the deletion. Throws an error if a permanent deletion fails.
 */
async function remove(row: Row, how: DeleteHow): Promise<DeleteOutcome> {
	const others = notOurs(row);
	if (others) return { ok: false, reason: "kept", detail: others };
	const writer = writerOf(row);
	if (writer) return { ok: false, reason: "kept", detail: `it is open in ${writer}.` };
	const outcome = await deleteSession(row, how);
	if (outcome.ok) dropMarks(getAgentDir(), row.mark);
	return outcome;
}

/** pi keeps the open session's name in memory, so pi itself must rename the open session. */
async function rename(row: Row, text: string, host: HostNaming): Promise<RenameOutcome> {
	const others = notOurs(row);
	if (others) return { ok: false, detail: others };
	const name = nameText(text);
	if (name === "") return { ok: false, detail: "the name has no visible characters." };
	if (row.path !== host.manager.getSessionFile()) return renameInFile(row.path, name);
	const named = nameByPerson(host, name);
	return named.ok ? { ok: true, name } : { ok: false, detail: named.detail || "its file cannot be written." };
}

type RowNoteOutcome = { ok: true; row: Row } | { ok: false; detail: string };

interface RowNoteRequest {
	signal: AbortSignal;
	/** `cost` is empty if the model's prices are unknown. */
	asking(model: string, cost: string): void;
}

const CHARACTERS_PER_TOKEN = 4;

async function noteOn(
	row: Row,
	{ signal, asking }: RowNoteRequest,
	ctx: ExtensionContext,
): Promise<RowNoteOutcome> {
	const failed = (detail: string) => ({ ok: false as const, detail });
	const shared = sharedIn(ctx.sessionManager);
	if (!shared) return failed("this session is still being opened.");
	const commons = commonsOf(shared, ctx);
	const opened = await openSession(row);
	if (!opened.ok) return failed(`the session cannot be read (${cleanLine(opened.detail)}).`);
	const { reading } = opened;
	const refused = replaceRefusal(reading, "unedited");
	if (refused) return failed(whyNotSaved({ reason: refused, detail: "" }));
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
	const { agentDir, words, log } = commons;
	const given = { note: answer.note, stamp: reading.stamp };
	const kept = await addNote(row, given, { agentDir, now: Date.now, words, log });
	if (!kept.ok) return failed(whyNotSaved(kept));
	const summary = await sessionAt(row.path, agentDir);
	if (!summary) return failed("the note was not saved: the session no longer exists.");
	const { planted = false, isArchived } = row;
	const listed = { ...summary, planted, ...(isArchived && { isArchived }) };
	return { ok: true, row: rowOf(listed, row.here) };
}

function whyNotSaved({ reason, detail }: { reason: AddFailure; detail: string }): string {
	switch (reason) {
		case "edited":
			return "you edited this session's recap, so it was kept.";
		case "nothing":
			return "there is nothing to recap yet.";
		case "moved_on":
			return "the session has new messages.";
		default:
			return `the note was not saved: ${cleanLine(detail)}`;
	}
}
