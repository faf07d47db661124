import type { ExtensionAPI, ExtensionContext } from "@mariozechner/pi-coding-agent";
import type { FlagValues } from "../session-core/host/register.ts";
import { createScreen, printMode } from "../session-core/host/screen.ts";
import { commonsOf } from "../session-core/hub/commons.ts";
import type { Shared } from "../session-core/hub/hub.ts";
import { createRequestSlot } from "../session-core/model/ask.ts";
import { chooseModels, describeUnusable, isCheap } from "../session-core/model/choose-model.ts";
import type { Trigger } from "../session-core/model/ledger.ts";
import { hostNamePorts } from "../session-core/session-file/names.ts";
import { currentName, newestName } from "../session-core/session-file/names-in-file.ts";
import { namedModels, offReason } from "../session-core/settings/flags.ts";
import {
	askForTitle,
	type FailedTitle,
	type TitleContext,
	type TitleOutcome,
	type TitleRequest,
} from "./ask.ts";
import { createAutomaticTitle } from "./automatic-title.ts";
import { type TitleFacts, titleLines, titleSection } from "./command.ts";
import { readingOf } from "./reading.ts";
import { createTypedRename } from "./typed-rename.ts";

export { completeRename } from "./command.ts";

export type TitleSession = ReturnType<typeof startTitle>;

/** Starts the extension in a session, and reports invalid settings and flags once. */
export function startTitle(pi: ExtensionAPI, ctx: ExtensionContext, shared: Shared, flags: FlagValues) {
	const commons = commonsOf(shared, ctx);
	const { language, log } = commons;
	const { settings } = commons;
	const off = () => offReason("title", flags, settings.current(), process.env);
	const budget = commons.budget("title");
	const ports = hostNamePorts({ pi, manager: ctx.sessionManager });
	const screen = createScreen(ctx.ui, "session-title");
	const slot = createRequestSlot<Trigger>();
	/** An automatic title that the user has not seen yet. */
	let notice: string | undefined;
	/** Why the last request gave no title; undefined if it gave one. */
	let failed: FailedTitle | undefined;
	let isLive = true;

	const named = () => namedModels("title", flags, settings.current().settings);
	const choose = (mayUse?: typeof isCheap) => chooseModels(named(), ctx.model, ctx.modelRegistry, mayUse);
	const automaticModels = () => choose(isCheap).candidates;

	function read() {
		const state = commons.state();
		if (!state) throw new Error("the session cannot be read");
		return readingOf(state.timeline, language);
	}

	async function ask(question: TitleRequest): Promise<TitleOutcome> {
		const outcome = await askForTitle(question, { budget, call: commons.call });
		if (outcome.ok) failed = undefined;
		else if (outcome.reason !== "aborted") failed = outcome;
		return outcome;
	}

	const context: TitleContext = { ports, slot, read, log, ask };
	const automatic = createAutomaticTitle({
		...context,
		budget,
		candidates: automaticModels,
		isOff: () => shared.isDamaged || off() !== undefined,
		landed: (title) => {
			shared.live?.renamed();
			notice = title;
			showNotice();
		},
	});
	const facts = (): TitleFacts => ({
		name: currentName(ports.records()),
		whyNot: automatic.whyNot(),
		attempts: budget.attempts(),
		off: off(),
		failed,
		candidates: automaticModels(),
	});
	const command = createTypedRename({
		...context,
		screen,
		facts,
		candidates: () => choose().candidates,
		named: () => {
			shared.live?.renamed();
			notice = undefined;
		},
	});

	/** Shows the title once, unless the user is typing or the agent is working. The host's footer always shows the title. */
	function showNotice(): void {
		if (notice === undefined || screen.isTyped() || !ctx.isIdle()) return;
		if (newestName(ports.records())?.text === notice)
			screen.show(titleLines({ title: notice, source: "auto" }));
		notice = undefined;
	}

	for (const unusable of choose().unusable) commons.warn(`session-title: ${describeUnusable(unusable)}`);

	return {
		/** Runs `/rename …`. Resolves when any request to a model has ended. */
		command,
		/** Called when a run ended without a failure. */
		settled(): void {
			// The next run may have started before the extension finished loading.
			if (!isLive || !ctx.isIdle()) return;
			showNotice();
			// A session that cannot be read gets no title.
			if (commons.state()) automatic.consider();
		},
		submitted(): void {
			screen.hide();
			// A server that handles one request at a time would keep the user waiting. After the next run, a title is requested again.
			if (slot.current === "auto") slot.drop();
		},
		/** Called when the host reports a new name. pi versions before 0.86 never report one. */
		renamed(): void {
			if (slot.current === "auto" && newestName(ports.records())) slot.drop();
		},
		doctor: () => titleSection(facts()),
		end(): void {
			if (!isLive) return;
			isLive = false;
			slot.drop();
			screen.answered();
			screen.hide();
		},
	};
}

/** Runs `/rename …` in print mode. The answer goes to stderr, and pi waits for it. */
export function printRename(
	pi: ExtensionAPI,
	ctx: ExtensionContext,
	args: string,
	shared: Shared,
	flags: FlagValues,
): Promise<void> {
	return printMode(
		ctx,
		(printing) => startTitle(pi, printing, shared, flags),
		(title) => title.command(args),
	);
}
