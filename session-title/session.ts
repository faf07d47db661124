import type { ExtensionAPI, ExtensionContext } from "@mariozechner/pi-coding-agent";
import type { LogFields } from "../session-core/debug-log.ts";
import type { Candidate } from "../session-core/model/policy.ts";
import { currentName, newestName } from "../session-core/naming/current-name.ts";
import { hostNamePorts } from "../session-core/naming/ports.ts";
import { finish, mendName } from "../session-core/naming/write.ts";
import type { OffReason } from "../session-core/off-switch.ts";
import { createRequestSlot } from "../session-core/request-slot.ts";
import { createRunWatch } from "../session-core/run-watch.ts";
import { hostSource } from "../session-core/session/host-source.ts";
import { createScreen } from "../session-core/terminal/screen.ts";
import type { Books, Trigger } from "../session-core/usage/books.ts";
import type { Wordbook } from "../session-core/words/wordbook.ts";
import type { Question, TitleOutcome } from "./ask.ts";
import { AutomaticTitle } from "./automatic-title.ts";
import type { TitleFacts } from "./command/why.ts";
import { readConversation } from "./reading.ts";
import { createTypedRename, type TypedRename } from "./typed-rename.ts";
import type { TitleView } from "./widget.ts";
import { titleLines } from "./widget.ts";

export interface SessionDeps {
	pi: Pick<ExtensionAPI, "appendEntry" | "setSessionName">;
	ctx: ExtensionContext;
	/** See `loadedBytes`. */
	loaded: number;
	ask(question: Question): Promise<TitleOutcome>;
	/** Models that may be spent unasked. */
	automaticModels(): readonly Candidate[];
	/** Models that may be spent because the user asked. */
	typedModels(): readonly Candidate[];
	isOff(): boolean;
	off(): OffReason | undefined;
	/** What was asked and spent; see `AutomaticDeps`. */
	books: Pick<Books, "attempts" | "wasAsked" | "isOverLimit">;
	log(event: string, fields: LogFields): void;
	wordbook: Wordbook;
}

export interface TitleSession extends TypedRename {
	runStarted(): void;
	runEnded(run: { failed: boolean }): void;
	/** The host says itself that the run is over. */
	runOver(): void;
	/** The user acted. */
	submitted(): void;
	/** The host says that the name changed; hosts before 0.86 never do. */
	renamed(): void;
	/** For `/rename --why` and the doctor. */
	facts(): TitleFacts;
	end(): void;
}

const BROKEN: TitleOutcome = { ok: false, reason: "provider_error", model: "" };

/** One session instance of the host: names itself once, and does what `/rename` asks for. */
export function createTitleSession(deps: SessionDeps): TitleSession {
	const { ctx, log } = deps;
	const ports = hostNamePorts({ pi: deps.pi, manager: ctx.sessionManager, loaded: deps.loaded });
	const screen = createScreen(ctx.ui, "session-title");
	const slot = createRequestSlot<Trigger, TitleOutcome>(BROKEN);
	const read = () => {
		const reading = readConversation(hostSource(ctx.sessionManager), ctx.cwd, deps.wordbook.setting);
		// While the model answers, the words of the widget are loaded.
		deps.wordbook.follow(reading.own);
		return reading;
	};
	/** A title of our own that the user has not seen yet. */
	let notice: TitleView | undefined;
	let isLive = true;

	const automatic = new AutomaticTitle({
		ports,
		slot,
		read,
		log,
		ask: deps.ask,
		candidates: deps.automaticModels,
		isInteractive: () => ctx.hasUI,
		isOff: deps.isOff,
		isOverLimit: deps.books.isOverLimit,
		attempts: deps.books.attempts,
		wasAsked: deps.books.wasAsked,
		landed: (title) => {
			notice = { title, source: "auto" };
			showNotice();
		},
	});
	const typed = createTypedRename({
		ports,
		slot,
		screen,
		read,
		words: () => deps.wordbook.words,
		log,
		ask: deps.ask,
		candidates: deps.typedModels,
		named: () => {
			notice = undefined;
		},
	});
	const runWatch = createRunWatch({
		isBusy: () => !ctx.isIdle() || ctx.hasPendingMessages(),
		settled: ({ failed }) => {
			// A provider that is down would not answer us either.
			if (failed) return;
			showNotice();
			automatic.consider();
		},
	});

	/** Once, and not while the user types or the agent works: the host's footer has it anyway. */
	function showNotice(): void {
		if (!notice || screen.isTyped() || !ctx.isIdle()) return;
		const isCurrent = newestName(ports.records())?.text === notice.title;
		if (isCurrent) screen.show(titleLines(notice, deps.wordbook.words.title));
		notice = undefined;
	}

	finish(mendName(ports));
	return {
		...typed,
		runStarted: runWatch.started,
		runEnded: runWatch.ended,
		runOver: runWatch.over,
		submitted: screen.hide,
		renamed() {
			if (slot.current === "auto" && newestName(ports.records())) slot.drop();
		},
		facts: () => ({
			source: currentName(ports.records())?.source,
			whyNot: automatic.whyNot(),
			attempts: deps.books.attempts(),
			off: deps.off(),
			candidates: deps.automaticModels(),
		}),
		end() {
			if (!isLive) return;
			isLive = false;
			runWatch.cancel();
			slot.drop();
			screen.answered();
			screen.hide();
		},
	};
}
