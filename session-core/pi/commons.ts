import { cardWords, keptNote, RECAP_ENTRY, type WordsFor, workingElsewhere } from "../recap/index.ts";
import { errorFields, openLog, Repository, safeText, sendBugs } from "../text/index.ts";
import { namedModels, settingsIn } from "./feature-settings.ts";
import {
	type ExtensionContext,
	type FlagValues,
	getAgentDir,
	inProcess,
	loadProjectContextFiles,
	readShortcuts,
} from "./host/index.ts";
import type { Shared } from "./hub.ts";
import { Budget, chooseModels, type Feature, type SideCallRequest, sideCall } from "./model/index.ts";
import { NoteRequests } from "./note-requests.ts";
import { hostSession, SessionRecords } from "./session-records.ts";

export type Commons = ReturnType<typeof createCommons>;

const known = inProcess("commons", () => new WeakMap<Shared, Commons>());

export function commonsOf(shared: Shared, ctx: ExtensionContext): Commons {
	const commons = known.get(shared) ?? createCommons(ctx, shared);
	known.set(shared, commons);
	sendBugs({ log: (name, bug) => commons.log("suite.failed", { name, ...errorFields(bug) }) });
	return commons;
}

function createCommons(ctx: ExtensionContext, shared: Shared) {
	const agentDir = getAgentDir();
	const { ui, cwd } = ctx;
	const host = hostSession(ctx);
	const sayOnce = shared.sayOnce.bind(shared);
	const warn = (problem: string) => sayOnce(problem, () => ui.notify(problem, "warning"));
	const settings = settingsIn(cwd, warn);
	const current = () => settings.current().settings;
	const { language, debug } = current();
	const log = openLog({ agentDir, enabled: debug, session: () => host.id });
	const repository = new Repository(cwd);
	const elsewhere = () => shared.ports.live.elsewhere;
	const wordsFor = cardWords(language);
	const words: WordsFor = (own) =>
		elsewhere() === "working" ? workingElsewhere(wordsFor(own)) : wordsFor(own);
	const records = new SessionRecords({
		...{ host, repository, words, log, elsewhere },
		append: (record) => shared.pi.appendEntry(RECAP_ENTRY, record),
		minMessages: () => current().resume.minMessages,
		isDamaged: () => shared.ports.live.isDamaged,
		keptNote: () => keptNote(agentDir, host.source.getSessionFile() ?? ""),
	});
	const budget = (feature: Feature, session = host.id) =>
		new Budget({
			...{ agentDir, session, feature, log, ui, sayOnce, now: Date.now },
			limit: () => current().dailyCostLimit,
		});
	const asking = {
		call: (request: Omit<SideCallRequest, "sessionId">) =>
			sideCall(ctx.modelRegistry, { ...request, sessionId: host.id }),
		level: () => shared.pi.getThinkingLevel(),
		mayBegin: () => shared.ports.live.question,
	};
	const noteBudget = budget("recap");
	const notes = new NoteRequests({
		...{ language, records, repository, log, over: shared.over },
		isStored: ctx.hasUI,
		projectContext: () =>
			current().recap.includeProjectContext ? projectInstructions(cwd, agentDir) : undefined,
		ports: { budget: noteBudget, ...asking },
		ended() {
			const { resume, live, title } = shared.ports;
			resume.noted();
			live.noted();
			title.noted();
		},
	});
	return {
		agentDir,
		host,
		settings,
		shortcuts: readShortcuts(),
		log,
		language,
		warn,
		budget,
		noteBudget,
		choose: (feature: Feature, flags: FlagValues = {}) =>
			chooseModels(namedModels(feature, flags, settings.current()), ctx),
		asking,
		repository,
		words,
		records,
		notes,
	};
}

/** The maximum length of the project instructions in a model request, in UTF-16 code units. */
const MAX_CHARACTERS = 2_000;

export function projectInstructions(cwd: string, agentDir: string): string | undefined {
	const files = loadProjectContextFiles({ cwd, agentDir });
	const text = files.map(({ content }) => content.trim()).join("\n\n");
	return text === "" ? undefined : safeText(text).slice(0, MAX_CHARACTERS).toWellFormed();
}
