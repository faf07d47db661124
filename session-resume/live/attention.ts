import { takeName } from "../../session-core/log/index.ts";
import {
	type Commons,
	commonsOf,
	type ExtensionAPI,
	type ExtensionContext,
	hostBrand,
	hostTui,
	isInTerminal,
	type Notification,
	notificationBytes,
	notificationIn,
	type Shared,
	throughTmux,
	wayByName,
} from "../../session-core/pi/index.ts";
import { openOf } from "../../session-core/recap/index.ts";
import {
	type Lease,
	liveLeases,
	liveTitle,
	outerTerminal,
	type SessionView,
	STATE_LOOKS,
} from "../../session-core/sessions/index.ts";
import { baseName, shownLine } from "../../session-core/text/index.ts";
import { Answering } from "./answering.ts";
import { damageIn, greet } from "./gate.ts";

type Host = Pick<ExtensionAPI, "appendEntry" | "setSessionName"> &
	ConstructorParameters<typeof Answering>[0]["pi"];

/** Alerts the user when a session needs attention. A headless run does not load this module. */
export class Attention {
	readonly #pi: Host;
	readonly #ctx: ExtensionContext;
	readonly #commons: Commons;
	readonly #over: AbortSignal;
	readonly title: TabTitle;

	constructor(pi: Host, ctx: ExtensionContext, shared: Shared) {
		this.#pi = pi;
		this.#ctx = ctx;
		this.#commons = commonsOf(shared, ctx);
		this.#over = shared.over;
		const hasTerminal = isInTerminal(ctx);
		const isOn = () => hasTerminal && this.#settings().resume.tabTitle;
		this.title = new TabTitle({ ui: ctx.ui, manager: ctx.sessionManager, isOn });
	}

	isAsked(): boolean {
		const state = this.#commons.records.prepared();
		return state !== undefined && openOf(state.shown).waits;
	}

	async notify(body: string, isOutdated: () => boolean): Promise<void> {
		if (!this.#settings().resume.notify) return;
		const { ui, sessionManager: manager, cwd } = this.#ctx;
		const outer = await outerTerminal(process.env);
		if (isOutdated()) return;
		const called = ({ title, titleSource, cwd }: SessionView) =>
			titleSource === "manual" || titleSource === "auto" ? title : baseName(cwd);
		const leases = liveLeases(this.#commons.agentDir, Date.now());
		const name = liveTitle(manager.getSessionId(), leases, called);
		const notification = notificationOf(name ?? manager.getSessionName() ?? baseName(cwd), body);
		const way = outer === undefined ? undefined : wayByName(outer);
		const bytes = way
			? throughTmux(notificationBytes(way, notification))
			: notificationIn(process.env, notification);
		// Notifications are sent through pi's terminal object, so that they do not interrupt a redraw.
		hostTui(ui)?.terminal.write(bytes);
	}

	greet(lease: Lease, signal: AbortSignal): Promise<void> {
		return greet(this.#ctx, lease, signal);
	}

	damage(): Promise<string | undefined> {
		return damageIn(this.#ctx);
	}

	answering(isRunning: () => boolean): Answering | undefined {
		if (!isInTerminal(this.#ctx)) return undefined;
		const isOn = () => this.#settings().live.answers;
		const stamp = () => this.#commons.records.prepared()?.reading.stamp;
		return new Answering({ pi: this.#pi, ctx: this.#ctx, isOn, stamp, isRunning, over: this.#over });
	}

	warnsOfOverlaps(): boolean {
		return this.#settings().live.overlaps;
	}

	takeName(): void {
		takeName({ pi: this.#pi, manager: this.#ctx.sessionManager });
	}

	#settings() {
		return this.#commons.settings.current().settings;
	}
}

const MAX_NAME = 80;

interface TabDeps {
	ui: Pick<ExtensionContext["ui"], "setTitle">;
	manager: Pick<ExtensionContext["sessionManager"], "getSessionName" | "getCwd">;
	isOn(): boolean;
}

/** Shows the session's state in the title of the terminal tab, except while the session is idle. */
export class TabTitle {
	readonly #deps: TabDeps;
	#isOurs = false;

	constructor(deps: TabDeps) {
		this.#deps = deps;
	}

	show(state: keyof typeof STATE_LOOKS): void {
		const { ui, manager, isOn } = this.#deps;
		const name = shownLine(manager.getSessionName() ?? "", MAX_NAME);
		const folder = shownLine(baseName(manager.getCwd()), MAX_NAME);
		const isShown = state !== "idle" && isOn();
		if (isShown) ui.setTitle(`${STATE_LOOKS[state].glyph} ${name || folder}`);
		// pi does not restore the tab title, so the extension sets pi's usual title.
		else if (this.#isOurs) ui.setTitle([hostBrand().title, name, folder].filter(Boolean).join(" - "));
		this.#isOurs = isShown;
	}
}

export function notificationOf(name: string, body: string): Notification {
	return { title: `pi: ${shownLine(name, MAX_NAME)}`, body };
}
