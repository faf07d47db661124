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
import { type ExtensionContext, getAgentDir, settingsIn } from "../../session-core/pi/index.ts";
import { cardWords } from "../../session-core/recap/index.ts";
import {
	type Description,
	describeSession,
	dropMarks,
	explainAnswer,
	explainObstacle,
	type Lease,
	type Mark,
	offerRestore,
	openLeases,
	overlapsOf,
	type PreviewFacts,
	readMarks,
	readPreviewFacts,
	sendAnswer,
	setMark,
} from "../../session-core/sessions/index.ts";
import { decider, leaseOf, notOurs } from "../leaving/ask.ts";
import { describeWriter } from "../live/leases.ts";
import { Feed, type FeedPorts } from "./feed.ts";
import type { Row, Scope } from "./list.ts";
import { noteOn, type RowNoteRequest } from "./note.ts";

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
	const lease = leaseOf(row);
	if (lease) return `Not deleted: this session is open in ${describeWriter(lease)}.`;
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
	const lease = leaseOf(row);
	if (lease) return { ok: false, reason: "kept", detail: `it is open in ${describeWriter(lease)}.` };
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
