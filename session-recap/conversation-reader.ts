import type { SessionSource } from "../session-core/session-file/entry.ts";
import type { Timeline } from "../session-core/timeline/types.ts";
import type { Wordbook } from "../session-core/words/wordbook.ts";
import type { Reading } from "./reading.ts";

export type ReadConversation = (source: SessionSource, cwd: string, wordbook: Wordbook) => Reading;

export type StampedReading = Reading & { stamp: string };

export function isStamped(reading: Reading): reading is StampedReading {
	return reading.stamp !== undefined;
}

export interface ConversationReaderDeps {
	source: SessionSource;
	cwd: string;
	wordbook: Wordbook;
	/** Loads the reader, which is most of the code and is not needed before the conversation has changed. */
	load(): Promise<ReadConversation>;
	isLive(): boolean;
	/** Reports a bug; `where` names the place. */
	failed(where: "load" | "read", error: string): void;
}

export interface ConversationReader {
	/** Reads the conversation and calls back: at once if the reader and its words are loaded, else as soon as they are. */
	read(use: (reading: Reading) => void): void;
	/** The same, returning a promise. */
	reading(): Promise<Reading>;
}

/**
 * Reads the current conversation. A session file that cannot be read results in an empty reading, never
 * in an exception.
 */
export function createConversationReader(deps: ConversationReaderDeps): ConversationReader {
	let reader: ReadConversation | undefined;

	const load = async (): Promise<ReadConversation> => {
		reader ??= await deps.load();
		return reader;
	};
	const readSafely = (readConversation: ReadConversation): Reading => {
		try {
			return readConversation(deps.source, deps.cwd, deps.wordbook);
		} catch (bug) {
			deps.failed("read", nameOf(bug));
			return NOTHING_TO_READ;
		}
	};
	/** The first reading of a session determines the language of the interface. */
	const readInItsWords = async (): Promise<Reading> => {
		const loaded = await load();
		const reading = readSafely(loaded);
		const { loading } = deps.wordbook;
		if (!loading) return reading;
		await loading;
		return readSafely(loaded);
	};
	return {
		read(use) {
			const reading = reader && readSafely(reader);
			if (reading && !deps.wordbook.loading) {
				use(reading);
				return;
			}
			readInItsWords().then(
				(reading) => deps.isLive() && use(reading),
				(bug) => deps.failed("load", nameOf(bug)),
			);
		},
		reading: readInItsWords,
	};
}

function nameOf(bug: unknown): string {
	return bug instanceof Error ? bug.name : "unknown";
}

const NO_TIMELINE: Timeline = {
	stamp: undefined,
	messages: 0,
	name: undefined,
	turns: [],
	files: [],
	links: [],
	uncommitted: [],
	outcome: "done",
	endReason: undefined,
};

/** The reading of a conversation that cannot be read. */
const NOTHING_TO_READ: Reading = {
	stamp: undefined,
	lines: [],
	saved: undefined,
	hasTask: false,
	worth: { reopened: false, sincePrompt: false },
	artifacts: "",
	question: () => ({
		ground: { input: "", timeline: NO_TIMELINE },
		language: { language: undefined, hint: "" },
	}),
};
