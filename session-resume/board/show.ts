import { type ExtensionContext, getAgentDir } from "@mariozechner/pi-coding-agent";
import { lazily } from "../../session-core/lazily.ts";
import type { GoOutcome } from "../../session-core/live-terminal/go.ts";
import { nameText } from "../../session-core/naming/name-text.ts";
import { type HostNaming, hostNamePorts } from "../../session-core/naming/ports.ts";
import { type RenameOutcome, renameInFile } from "../../session-core/naming/rename-in-file.ts";
import { nameByPerson } from "../../session-core/naming/write.ts";
import { causeOf } from "../../session-core/text/cause.ts";
import type { Words } from "../../session-core/words/words.ts";
import { tellOthers } from "../live/tell-name.ts";
import { cardOf } from "./card.ts";
import { BoardComponent } from "./component.ts";
import { runBoard } from "./controller.ts";
import { type FactsDeps, factsOf, leaseOf, writerOf } from "./facts.ts";
import { liveStates } from "./live-states.ts";
import { dropMarks, readMarks, setMark } from "./marks.ts";
import { removeSession } from "./remove.ts";
import { TRASH_SYSTEM } from "./trash.ts";
import type { Leaving, Row, Scope } from "./types.ts";
import { pageOf } from "./view.ts";

export interface ShowDeps extends Pick<HostNaming, "pi"> {
	ctx: Pick<ExtensionContext, "ui" | "sessionManager" | "cwd" | "modelRegistry">;
	scope: Scope;
	query: string;
	facts: FactsDeps;
	words: Words;
}

/** The whole screen: an overlay leaves what is below untouched, and nothing in the scrollback. */
const FULL_SCREEN = { width: "100%", maxHeight: "100%", anchor: "top-left" } as const;

/** Shows the board until the user leaves it, and says what for. */
export function showBoard({ pi, ctx, scope, query, facts, words }: ShowDeps): Promise<Leaving | undefined> {
	const agentDir = getAgentDir();
	const manager = ctx.sessionManager;
	const current = { path: manager.getSessionFile(), cwd: ctx.cwd };
	return ctx.ui.custom<Leaving | undefined>(
		(tui, theme, bindings, done) => {
			const { terminal } = tui;
			const page = pageOf(terminal.columns, terminal.rows);
			const contextWindow = (provider: string, id: string) =>
				ctx.modelRegistry.find(provider, id)?.contextWindow;
			const changed = () => tui.requestRender();
			const openTranscript = async ({ path }: Row) => {
				const { TranscriptPane } = await lazily(() => import("./transcript-pane.ts"));
				component.openTranscript(new TranscriptPane({ path, theme, changed }));
				changed();
			};
			const component = new BoardComponent({ bindings, theme, rows: () => terminal.rows, now: Date.now });
			component.attach(
				runBoard({
					start: { scope, query, current, page, words },
					words,
					agentDir,
					projectFolder: manager.getSessionDir(),
					loadWorkReader: async () =>
						(await lazily(() => import("../../session-core/store/work.ts"))).readWork,
					facts: (act, row) => factsOf(act, row, facts),
					rename: (row, name) => rename(row, name, { pi, manager, isCurrent: row.path === current.path }),
					remove: (row, how) =>
						removeSession(row, how, {
							writer: (one) => writerOf(one, facts),
							trash: TRASH_SYSTEM,
							dropMarks: ({ mark }) => dropMarks(agentDir, mark),
						}),
					go: (row) => goThere(row, facts, words),
					marks: () => readMarks(agentDir),
					setMark: (row, mark, on) => setMark(agentDir, row.mark, mark, on),
					live: () => liveStates(agentDir, Date.now()),
					card: (row) => cardOf(row, words),
					sessionFacts: async (row, signal) => {
						const { readSessionFacts } = await lazily(() => import("./session-facts.ts"));
						return readSessionFacts(row, { contextWindow, signal });
					},
					openTranscript: (row) => void openTranscript(row),
					setInput: (text) => component.setInput(text),
					changed,
					close: done,
				}),
			);
			return component;
		},
		{ overlay: true, overlayOptions: FULL_SCREEN },
	);
}

async function goThere(row: Row, facts: FactsDeps, words: Words): Promise<GoOutcome> {
	const { wayTo } = await lazily(() => import("../live/go-there.ts"));
	const lease = leaseOf(row, facts);
	return lease
		? wayTo(facts.agentDir, lease, words).go()
		: { ok: false, reason: "no_way", told: words.terminal.closed };
}

/** Through the host where it has the session open: it holds the name in memory. */
function rename(
	row: Row,
	text: string,
	{ pi, manager, isCurrent }: Pick<HostNaming, "pi" | "manager"> & { isCurrent: boolean },
): RenameOutcome | Promise<RenameOutcome> {
	const name = nameText(text);
	if (name === "") return { ok: false, detail: "nothing of that name can be shown." };
	if (!isCurrent) return renameElsewhere(row, name);
	const named = nameByPerson(hostNamePorts({ pi, manager, loaded: 0 }), name);
	if (!named.ok) return { ok: false, detail: causeOf(named.detail) };
	// It is in the file already: another pi that has the session open and does not answer sees it when it opens it next.
	void tellOthers(getAgentDir(), row, name);
	return { ok: true, name };
}

/** Through the process that has it open, if one has; else in its file. */
async function renameElsewhere(row: Row, name: string): Promise<RenameOutcome> {
	const told = await tellOthers(getAgentDir(), row, name);
	switch (told) {
		case "taken":
			return { ok: true, name };
		case "not_written":
			return { ok: false, detail: "the pi that has it open could not write it." };
		case "at_work":
			// What that one appends in the same moment would end up on a branch of its own.
			return { ok: false, detail: "it is at work in another pi; try again when it is done." };
		case "not_taken":
			return renameInFile(row.path, name, new Date());
	}
}
