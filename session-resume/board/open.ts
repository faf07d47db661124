import { type ExtensionContext, getAgentDir, type TUI } from "../../session-core/host/index.ts";
import { offerRestore } from "../../session-core/live/index.ts";
import { createActs } from "./acts.ts";
import { Board } from "./board.ts";
import { BoardComponent } from "./component.ts";
import { Feed } from "./feed.ts";
import { previewPorts } from "./preview-data.ts";
import type { Chosen } from "./questions.ts";

interface BoardDeps {
	pi: Parameters<typeof createActs>[0];
	ctx: Pick<ExtensionContext, "ui" | "sessionManager" | "cwd" | "modelRegistry" | "isIdle">;
	start: Pick<Board["list"], "scope" | "query">;
	/** Signal that aborts when the session ends; the board then closes. */
	over: AbortSignal;
}

/**
 * Options of an overlay that covers the whole screen. The overlay does not change the content below it and leaves nothing in the
 * scrollback.
 */
const FULL_SCREEN = { width: "100%", maxHeight: "100%", anchor: "top-left" } as const;

export async function showBoard(deps: BoardDeps): Promise<Chosen | undefined> {
	const { ctx, over } = deps;
	if (over.aborted) return undefined;
	return ctx.ui.custom<Chosen | undefined>(
		(tui, theme, bindings, done) => {
			const leave = (chosen?: Chosen) => {
				over.removeEventListener("abort", end);
				done(chosen);
			};
			const end = () => leave();
			over.addEventListener("abort", end);
			return new BoardComponent({ tui, theme, bindings, board: openBoard(deps, tui, leave) });
		},
		{ overlay: true, overlayOptions: FULL_SCREEN },
	);
}

function openBoard({ pi, ctx, start }: BoardDeps, tui: TUI, close: (chosen?: Chosen) => void): Board {
	const agentDir = getAgentDir();
	const manager = ctx.sessionManager;
	const acts = createActs(pi, ctx);
	return new Board(
		{ ...start, openPath: manager.getSessionFile(), page: tui.terminal.rows },
		{
			...acts,
			...previewPorts(agentDir, ctx),
			feed: (ports) => new Feed({ ...ports, agentDir, projectFolder: manager.getSessionDir() }),
			changed: () => tui.requestRender(),
			close,
		},
		offerRestore(agentDir, Date.now(), acts.live()),
	);
}
