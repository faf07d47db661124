import { type ExtensionContext, getAgentDir } from "@mariozechner/pi-coding-agent";
import { lazily } from "../../session-core/host/lazily.ts";
import type { HostNaming } from "../../session-core/session-file/name-session.ts";
import { BoardComponent } from "./component.ts";
import { Controller } from "./controller.ts";
import type { FactsDeps } from "./facts.ts";
import { Feed } from "./feed.ts";
import type { Scope } from "./list.ts";
import { liveStates } from "./live-states.ts";
import { readMarks, setMark } from "./marks.ts";
import type { Leaving } from "./questions.ts";
import { pageOf } from "./view.ts";

export interface ShowDeps extends Pick<HostNaming, "pi"> {
	ctx: Pick<ExtensionContext, "ui" | "sessionManager" | "cwd" | "modelRegistry">;
	scope: Scope;
	query: string;
	facts: FactsDeps;
	/** The session has ended: the board closes. */
	over: AbortSignal;
}

const acts = () => lazily(() => import("./acts.ts"));

/** The whole screen: an overlay leaves what is below untouched, and nothing in the scrollback. */
const FULL_SCREEN = { width: "100%", maxHeight: "100%", anchor: "top-left" } as const;

/** Shows the board until the user leaves it; resolves to what they left it for. */
export async function showBoard(deps: ShowDeps): Promise<Leaving | undefined> {
	const { pi, ctx, scope, query, facts, over } = deps;
	if (over.aborted) return undefined;
	const agentDir = getAgentDir();
	const manager = ctx.sessionManager;
	const openPath = manager.getSessionFile();
	const { words } = facts;
	return ctx.ui.custom<Leaving | undefined>(
		(tui, theme, bindings, done) => {
			const { terminal } = tui;
			const page = pageOf(terminal.columns, terminal.rows);
			const contextWindow = (provider: string, id: string) =>
				ctx.modelRegistry.find(provider, id)?.contextWindow;
			const changed = () => tui.requestRender();
			const component = new BoardComponent({
				bindings,
				theme,
				rows: () => terminal.rows,
				now: Date.now,
				changed,
				openTranscript: async ({ path }) => new (await acts()).TranscriptPane({ path, theme, changed }),
			});
			const leave = (leaving?: Leaving) => {
				over.removeEventListener("abort", end);
				done(leaving);
			};
			const end = () => leave();
			over.addEventListener("abort", end);
			component.attach(
				new Controller(
					{ scope, query, openPath, page, words },
					{
						here: ctx.cwd,
						facts: async (act, row) => (await acts()).factsOf(act, row, facts),
						rename: async (row, name) =>
							(await acts()).rename(row, name, { pi, manager, isCurrent: row.path === openPath }),
						remove: async (row, how) => (await acts()).remove(row, how, facts),
						go: async (row) => (await acts()).goThere(row, facts),
						marks: () => readMarks(agentDir),
						setMark: (row, mark, on) => setMark(agentDir, row.mark, mark, on),
						live: () => liveStates(agentDir, Date.now()),
						card: async (row) => (await acts()).cardOf(row, words),
						sessionFacts: async (row, signal) =>
							(await acts()).readSessionFacts(row, { contextWindow, signal }),
						feed: (ports) =>
							new Feed({
								...ports,
								agentDir,
								projectFolder: manager.getSessionDir(),
								words,
								loadWorkReader: async () =>
									(await lazily(() => import("../../session-core/session-view/work.ts"))).readWork,
							}),
						changed,
						close: leave,
					},
				),
			);
			return component;
		},
		{ overlay: true, overlayOptions: FULL_SCREEN },
	);
}
