import { type ExtensionContext, getAgentDir } from "@mariozechner/pi-coding-agent";
import { lazily } from "../../session-core/lazily.ts";
import type { HostNaming } from "../../session-core/naming/ports.ts";
import type { Words } from "../../session-core/words/words.ts";
import { BoardComponent } from "./component.ts";
import { runBoard } from "./controller.ts";
import type { FactsDeps } from "./facts.ts";
import { liveStates } from "./live-states.ts";
import { readMarks, setMark } from "./marks.ts";
import type { Leaving, Row, Scope } from "./types.ts";
import { pageOf } from "./view.ts";

export interface ShowDeps extends Pick<HostNaming, "pi"> {
	ctx: Pick<ExtensionContext, "ui" | "sessionManager" | "cwd" | "modelRegistry">;
	scope: Scope;
	query: string;
	facts: FactsDeps;
	words: Words;
	/** The session has ended: nothing of the board may go on. */
	over: AbortSignal;
}

const acts = () => lazily(() => import("./perform.ts"));

/** The whole screen: an overlay leaves what is below untouched, and nothing in the scrollback. */
const FULL_SCREEN = { width: "100%", maxHeight: "100%", anchor: "top-left" } as const;

/** Shows the board until the user leaves it, and says what for. */
export async function showBoard(deps: ShowDeps): Promise<Leaving | undefined> {
	const { pi, ctx, scope, query, facts, words, over } = deps;
	if (over.aborted) return undefined;
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
			const leave = (leaving?: Leaving) => {
				over.removeEventListener("abort", end);
				done(leaving);
			};
			const end = () => leave();
			over.addEventListener("abort", end);
			component.attach(
				runBoard({
					start: { scope, query, current, page, words },
					words,
					agentDir,
					projectFolder: manager.getSessionDir(),
					loadWorkReader: async () =>
						(await lazily(() => import("../../session-core/store/work.ts"))).readWork,
					facts: async (act, row) => (await acts()).factsOf(act, row, facts),
					rename: async (row, name) =>
						(await acts()).rename(row, name, { pi, manager, isCurrent: row.path === current.path }),
					remove: async (row, how) => (await acts()).remove(row, how, facts),
					go: async (row) => (await acts()).goThere(row, facts, words),
					marks: () => readMarks(agentDir),
					setMark: (row, mark, on) => setMark(agentDir, row.mark, mark, on),
					live: () => liveStates(agentDir, Date.now()),
					card: async (row) => (await lazily(() => import("./card.ts"))).cardOf(row, words),
					sessionFacts: async (row, signal) => {
						const { readSessionFacts } = await lazily(() => import("./session-facts.ts"));
						return readSessionFacts(row, { contextWindow, signal });
					},
					openTranscript: (row) => void openTranscript(row),
					setInput: (text) => component.setInput(text),
					changed,
					close: leave,
				}),
			);
			return component;
		},
		{ overlay: true, overlayOptions: FULL_SCREEN },
	);
}
