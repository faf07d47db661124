import type { ExtensionAPI, ExtensionContext } from "@mariozechner/pi-coding-agent";
import { hostSource, searchInSlices, walkBranch } from "../log/index.ts";
import {
	cardWords,
	type HeaderOrigin,
	keptNote,
	RECAP_ENTRY,
	type Reading,
	readSession,
	type WordsFor,
	workingElsewhere,
} from "../recap/index.ts";
import type { LeaseState } from "../sessions/live/index.ts";
import { createRepository, isSameFolder, Pace } from "../text/files/index.ts";
import { type DebugLog, errorFields, openLog } from "../text/index.ts";
import {
	type DoctorSection,
	type FlagValues,
	getAgentDir,
	readShortcuts,
	type StartQueue,
} from "./host/index.ts";
import { namedModels, openSettings } from "./load-settings.ts";
import { chooseModels, createBudget, type Feature, type SideCallRequest, sideCall } from "./model/index.ts";
import { NoteRequests } from "./note-requests.ts";
import { SessionRecords } from "./session-records.ts";

/** What the extensions share in an open session. The object is created once, by the first extension that starts. */
export type Commons = ReturnType<typeof createCommons>;

/** How a session continues after a command has opened it. */
export interface Continuation {
	/** The prompt to insert. If undefined, the first of the session's own next steps is inserted. If empty, nothing is inserted. */
	prompt: string | undefined;
	send: boolean;
}

export interface ResumePort {
	/** Whether a card replaces the recap in a reopened session, and whether the card for this state is on the screen. */
	claims(stamp: string): Promise<{ claimed: boolean; shown: boolean }>;
	noted(): void;
	/** Hides the card, because a recap is shown. */
	giveWay(): void;
	/** Hides the card for `/recap clear`. Returns false if there was no card. */
	clear(): boolean;
	/** Continues in this session, which a command has opened. */
	goOn(continuation: Continuation): Promise<void>;
	/** Replaces `filled`, which the host inserted into the editor, with `text`, which the user typed while the session was replaced. */
	keepTyped(text: string, filled: string): Promise<void>;
}

interface LivePort {
	/** The terminal has gained or lost the focus. In both cases, the user has just been looking at it. */
	focusReported(): void;
	/** A model's note on the current state has arrived, and may say whether the agent is waiting for the user. */
	noted(): void;
	/**
	 * The session was renamed here. Hosts before 0.86 do not report that a session was renamed, and they overwrite the terminal's title.
	 */
	renamed(): void;
}

interface TitlePort {
	/** A model's note on the current state has arrived, or no note will arrive. */
	noted(): void;
}

interface RecapPort {
	/** Whether a note on the current state has been requested, or will be before the user is back. */
	isNoting(): boolean;
	/** Hides the recap, because a card shows the same state. */
	giveWay(stamp: string): void;
	/** Returns the number of milliseconds for which the user still counts as looking at the terminal; 0 if nobody is looking. */
	looksForMs(): number;
}

/** What the extensions share in one host session. An extension sets its port when the session opens. */
export interface Shared {
	resume: ResumePort | undefined;
	live: LivePort | undefined;
	recap: RecapPort | undefined;
	title: TitlePort | undefined;
	/** One function for each section of `/recap doctor`. A function returns undefined if its extension has nothing to report. */
	readonly sections: (() => Promise<DoctorSection | undefined> | undefined)[];
	/** Undefined until an extension has started; see `commonsOf`. */
	commons: Commons | undefined;
	readonly pi: Pick<ExtensionAPI, "appendEntry" | "getThinkingLevel">;
	/** Whether the session's file is damaged, in which case nothing is added to it automatically. session-resume sets this. */
	isDamaged: boolean;
	/** What another process was doing in this session when the session was opened here; undefined once a run has started here. */
	elsewhere: LeaseState | undefined;
	/** Resolves when the user has decided to stay in a session that another process has open. Automatic model calls wait for it. */
	question: Promise<unknown> | undefined;
	/** The parts that start after the host's first paint. */
	readonly starts: StartQueue;
	/** Shows a message once, even if several extensions want to show it. `key` identifies the message. */
	sayOnce(key: string, say: () => void): void;
	readonly isOver: boolean;
	end(): void;
}

export function commonsOf(shared: Shared, ctx: ExtensionContext): Commons {
	shared.commons ??= createCommons(ctx, shared);
	return shared.commons;
}

function createCommons(ctx: ExtensionContext, shared: Shared) {
	const { sayOnce, pi } = shared;
	const agentDir = getAgentDir();
	const { ui, cwd, sessionManager } = ctx;
	const sessionId = sessionManager.getSessionId();
	const warn = (problem: string) => sayOnce(problem, () => ui.notify(problem, "warning"));
	const settings = openSettings({ agentDir, cwd }, warn);
	const { language, debug } = settings.current().settings;
	const log = openLog({ agentDir, enabled: debug, session: () => sessionId });
	const host = hostSession(ctx);
	const state = createStateReader(ctx, log);
	const repository = createRepository(host.cwd);
	const elsewhere = () => shared.elsewhere;
	const wordsFor = cardWords(language);
	const words: WordsFor = (own) =>
		elsewhere() === "working" ? workingElsewhere(wordsFor(own)) : wordsFor(own);
	const current = () => settings.current().settings;
	const records = new SessionRecords({
		...{ host, state, repository, words, log, elsewhere },
		append: (record) => pi.appendEntry(RECAP_ENTRY, record),
		minMessages: () => current().resume.minMessages,
		isDamaged: () => shared.isDamaged,
		keptNote: () => keptNote(agentDir, host.source.getSessionFile() ?? ""),
	});
	/** `session`: the id of the session for which the call is made. */
	const budget = (feature: Feature, session = sessionId) =>
		createBudget({
			...{ agentDir, session, feature, log, ui, sayOnce },
			limit: () => current().dailyCostLimit,
			now: Date.now,
			catalog: ctx.modelRegistry,
		});
	const asking = {
		call: (request: Omit<SideCallRequest, "sessionId">) =>
			sideCall(ctx.modelRegistry, { ...request, sessionId }),
		level: () => pi.getThinkingLevel(),
		mayBegin: () => shared.question,
	};
	const notes = new NoteRequests({
		...{ agentDir, cwd, language, records, repository, log },
		isStored: ctx.hasUI,
		sendsInstructions: () => current().recap.includeProjectContext,
		ports: { budget: budget("recap"), ...asking },
		ended() {
			shared.resume?.noted();
			shared.live?.noted();
			shared.title?.noted();
		},
	});
	return {
		agentDir,
		settings,
		shortcuts: readShortcuts(),
		log,
		language,
		warn,
		budget,
		choose: (feature: "recap" | "title", flags: FlagValues = {}) =>
			chooseModels(namedModels(feature, flags, settings.current()), ctx),
		asking,
		state,
		/** The git checkout of the session's folder. The checkout's state is known after the first `refresh`. */
		repository,
		words,
		records,
		notes,
		prepared: () => records.prepared(),
	};
}

/** Returns a function that reads the current state once for each leaf; undefined if a malformed session cannot be read. */
export function createStateReader(
	{ sessionManager, cwd }: Pick<ExtensionContext, "sessionManager" | "cwd">,
	log: DebugLog,
) {
	const { source, origin } = hostSession({ sessionManager, cwd });
	let known: { leaf: string | null; reading: Reading } | undefined;
	return (): Reading | undefined => {
		try {
			const leaf = sessionManager.getLeafId();
			if (known?.leaf === leaf) return known.reading;
			const reading = readSession(walkBranch(source), origin, cwd);
			known = { leaf, reading };
			return reading;
		} catch (bug) {
			log("read.failed", errorFields(bug));
			return undefined;
		}
	};
}

/** Searches new entries for secrets in time slices, so that reading the state does not block. Undefined if the entries are short. */
export function searchBranch({
	sessionManager,
}: Pick<ExtensionContext, "sessionManager">): Promise<void> | undefined {
	try {
		const search = searchInSlices(walkBranch(hostSource(sessionManager)).entries, new Pace());
		return search?.catch(() => undefined);
	} catch {
		// If the session cannot be read, the function that reads the state reports it.
		return undefined;
	}
}

export type HostSession = ReturnType<typeof hostSession>;

export function hostSession(ctx: Pick<ExtensionContext, "sessionManager" | "cwd">) {
	const manager = ctx.sessionManager;
	const header = manager.getHeader();
	const id = manager.getSessionId();
	const ownCwd = header?.cwd || undefined;
	const origin: HeaderOrigin = { timestamp: header?.timestamp, parentSession: header?.parentSession };
	return {
		id,
		cwd: ctx.cwd,
		/** The folder of the session's file, even if that file does not exist yet. */
		folder: manager.getSessionDir(),
		/** The folder in which the session began, according to its header; undefined if unknown. */
		ownCwd,
		isMoved: ownCwd !== undefined && !isSameFolder(ownCwd, ctx.cwd),
		source: hostSource(manager),
		origin,
		/** Whether the session manager still has this session open and has not replaced it with a fork in memory. */
		isCurrent: () => manager.getSessionId() === id,
	};
}
