import type { ExtensionAPI, ExtensionContext } from "@mariozechner/pi-coding-agent";
import type { DoctorSection } from "../session-core/command/doctor.ts";
import { createScreen } from "../session-core/host/screen.ts";
import type { Commons } from "../session-core/hub/commons.ts";
import type { Candidate } from "../session-core/model/choose-model.ts";
import { internalError } from "../session-core/model/failure.ts";
import { createRequestSlot } from "../session-core/model/request-slot.ts";
import type { Budget, Trigger } from "../session-core/model/reserve-cost.ts";
import { hostNamePorts } from "../session-core/session-file/name-precedence.ts";
import { currentName, newestName } from "../session-core/session-file/name-records.ts";
import type { OffReason } from "../session-core/settings/flags.ts";
import type { FailedTitle, Question, TitleOutcome } from "./ask.ts";
import { AutomaticTitle } from "./automatic-title.ts";
import { type TitleFacts, titleSection } from "./command/why.ts";
import { readingOf } from "./reading.ts";
import { createTypedRename } from "./typed-rename.ts";
import { type TitleView, titleLines } from "./widget.ts";

export interface SessionDeps {
	pi: Pick<ExtensionAPI, "appendEntry" | "setSessionName">;
	ctx: ExtensionContext;
	/** See `loadedBytes`. */
	loaded: number;
	ask(question: Question): Promise<TitleOutcome>;
	/** Returns the models that may be called automatically. */
	automaticModels(): readonly Candidate[];
	/** Returns the models that a typed command may call. */
	typedModels(): readonly Candidate[];
	off(): OffReason | undefined;
	budget: Pick<Budget, "attempts" | "wasRequested" | "isUsedUp">;
	commons: Pick<Commons, "language" | "log" | "state">;
}

export interface TitleSession {
	/** Runs `/rename …`. Resolves when any request to a model has ended. */
	command(args: string): Promise<void>;
	/** A run ended without a failure. */
	settled(): void;
	/** The user submitted something. */
	submitted(): void;
	/** Called when the host reports a new name. pi versions before 0.86 never report one. */
	renamed(): void;
	/** Returns this extension's section of `/recap doctor`. */
	doctor(): DoctorSection;
	end(): void;
}

/** Handles the automatic title and `/rename` in one session instance of the host. */
export function createTitleSession(deps: SessionDeps): TitleSession {
	const { ctx } = deps;
	const { language, log } = deps.commons;
	const ports = hostNamePorts({ pi: deps.pi, manager: ctx.sessionManager, loaded: deps.loaded });
	const screen = createScreen(ctx.ui, "session-title");
	const slot = createRequestSlot<Trigger, TitleOutcome>(internalError);
	const read = () => {
		const state = deps.commons.state();
		if (!state) throw new Error("the session cannot be read");
		return readingOf(state.timeline, language);
	};
	/** An automatic title that the user has not seen yet. */
	let notice: TitleView | undefined;
	/** Why the last request gave no title; undefined if it gave one. */
	let failed: FailedTitle | undefined;
	let isLive = true;
	const ask: SessionDeps["ask"] = async (question) => {
		const outcome = await deps.ask(question);
		if (outcome.ok) failed = undefined;
		else if (outcome.reason !== "aborted") failed = outcome;
		return outcome;
	};

	const automatic = new AutomaticTitle({
		ports,
		slot,
		read,
		log,
		ask,
		candidates: deps.automaticModels,
		isInteractive: () => ctx.hasUI,
		isOff: () => deps.off() !== undefined,
		budget: deps.budget,
		landed: (title) => {
			notice = { title, source: "auto" };
			showNotice();
		},
	});
	const facts = (): TitleFacts => ({
		name: currentName(ports.records()),
		whyNot: automatic.whyNot(),
		attempts: deps.budget.attempts(),
		off: deps.off(),
		failed,
		candidates: deps.automaticModels(),
	});
	const command = createTypedRename({
		ports,
		slot,
		screen,
		read,
		facts,
		log,
		ask,
		candidates: deps.typedModels,
		named: () => {
			notice = undefined;
		},
	});
	/** Shows the title once, unless the user is typing or the agent is working. The host's footer always shows the title. */
	function showNotice(): void {
		if (!notice || screen.isTyped() || !ctx.isIdle()) return;
		const isCurrent = newestName(ports.records())?.text === notice.title;
		if (isCurrent) screen.show(titleLines(notice));
		notice = undefined;
	}

	return {
		command,
		settled() {
			// The next run may have started before the extension finished loading.
			if (!isLive || !ctx.isIdle()) return;
			showNotice();
			// A session that cannot be read gets no title.
			if (deps.commons.state()) automatic.consider();
		},
		submitted() {
			screen.hide();
			// A server that handles one request at a time would keep the user waiting. After the next run, a title is requested again.
			if (slot.current === "auto") slot.drop();
		},
		renamed() {
			if (slot.current === "auto" && newestName(ports.records())) slot.drop();
		},
		doctor: () => titleSection(facts()),
		end() {
			if (!isLive) return;
			isLive = false;
			slot.drop();
			screen.answered();
			screen.hide();
		},
	};
}
