import { commandLine } from "../shell/command-line.ts";
import type { Place } from "../store/machine.ts";
import { ENGLISH } from "../words/en.ts";
import type { TerminalWords } from "../words/words.ts";
import { isHere } from "./can-go.ts";
import { activateWezterm, focusKitty } from "./emulators.ts";
import { goToPane, type TmuxOutcome } from "./tmux.ts";
import { type LiveTarget, whereItIs } from "./where.ts";

/** Who wants to go there. */
export interface Viewer {
	/** The environment of the process that asks: it says in which tmux it is, and where programs are. */
	env: NodeJS.ProcessEnv;
	/** Where that process runs; see `store/machine.ts`. */
	here: Place;
	/** Default: the English ones. */
	words?: TerminalWords;
}

/**
 * What came of it; `told` is one sentence for the user. `detached`: it runs in a tmux session that no terminal shows, and
 * `command` shows it. `no_way`: its terminal cannot be brought to the front from here.
 */
export type GoOutcome =
	| { ok: true; told: string }
	| { ok: false; reason: "detached"; told: string; command: string[] }
	| { ok: false; reason: "no_way"; told: string };

/** Brings the terminal of a live session to the front, where it can be; otherwise says where it is. Never throws. */
export async function goTo(target: LiveTarget, viewer: Viewer): Promise<GoOutcome> {
	const { terminal } = target;
	if (!terminal || !isHere(target, viewer.here)) return noWay(target, viewer);
	const { tmux, tty } = terminal;
	const pane: TmuxOutcome = tmux ? await goToPane(tmux, tty, viewer.env) : { type: "not_there" };
	if (pane.type !== "not_there") return toldOfPane(pane, wordsOf(viewer));
	if (await focusKitty(terminal, viewer.env)) return { ok: true, told: wordsOf(viewer).went };
	if (await activateWezterm(terminal, viewer.env)) return { ok: true, told: wordsOf(viewer).went };
	return noWay(target, viewer);
}

function toldOfPane(pane: Exclude<TmuxOutcome, { type: "not_there" }>, words: TerminalWords): GoOutcome {
	if (pane.type === "here") return { ok: true, told: words.went };
	if (pane.type === "elsewhere") return { ok: true, told: words.inFront(pane.session) };
	const { session, command, isNested } = pane;
	const line = commandLine(command);
	const told = isNested ? words.nested(session, line) : words.detached(session, line);
	return { ok: false, reason: "detached", told, command };
}

function noWay(target: LiveTarget, viewer: Viewer): GoOutcome {
	const words = wordsOf(viewer);
	const isReachable = isHere(target, viewer.here);
	const { kitty, tmux } = target.terminal ?? {};
	const isOff = isReachable && kitty !== undefined && kitty.listenOn === undefined && tmux === undefined;
	const where = words.openIn(whereItIs(target, { isHere: isReachable, words }));
	return { ok: false, reason: "no_way", told: isOff ? `${where} ${words.kittyIsOff}` : where };
}

function wordsOf({ words = ENGLISH.terminal }: Viewer): TerminalWords {
	return words;
}
