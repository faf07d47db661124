/**
 * The fixed words that users see, by key: one table a language, so that a missing entry is a type error. Entries with values are
 * functions. Names of commands and keys stay as they are typed.
 */
export interface Words {
	readonly recap: RecapWords;
	readonly outcome: OutcomeWords;
	readonly age: AgeWords;
	readonly live: LiveWords;
	readonly terminal: TerminalWords;
	readonly card: CardWords;
	readonly keys: KeyWords;
	readonly title: TitleWords;
	readonly board: BoardWords;
	readonly answer: AnswerWords;
}

/** The offline recap. Labels end with their colon, and a space where the script has one. */
export interface RecapWords {
	/** Name of the widget. */
	readonly name: string;
	readonly larger: string;
	readonly asked: string;
	readonly did: string;
	/** Before the call during which a run was interrupted. */
	readonly lastStep: string;
	readonly said: string;
	/** Before a request that is shown, too. */
	readonly saidBefore: string;
	readonly open: string;
	readonly openBefore: string;
	readonly error: string;
	readonly cutShort: string;
	/** `names`: files, separated by commas; `more`: how many others. */
	edited(names: string, more: number): string;
	/** Follows the result of a run. */
	thenEdited(name: string): string;
	committed(commit: string): string;
	/** A few words and the text that they follow, which is often a question, although they may not answer it. */
	saidAfter(said: string, before: string): string;
}

/** The outcome of a session. */
export interface OutcomeWords {
	readonly waiting: string;
	readonly aborted: string;
	readonly error: string;
	readonly running: string;
	failed(reason: string): string;
	readonly noReason: string;
}

/** How long ago something was. */
export interface AgeWords {
	readonly justNow: string;
	minutesAgo(minutes: number): string;
	hoursAgo(hours: number): string;
	readonly yesterday: string;
	/** From 2 on. */
	daysAgo(days: number): string;
	/** From 2 on. */
	weeksAgo(weeks: number): string;
	/** The short forms, for a column of a list. */
	readonly short: {
		/** Columns of the widest. */
		readonly columns: number;
		readonly now: string;
		minutes(minutes: number): string;
		hours(hours: number): string;
		days(days: number): string;
		weeks(weeks: number): string;
		months(months: number): string;
		years(years: number): string;
	};
}

/** Sessions that are open in a pi. */
export interface LiveWords {
	readonly working: string;
	readonly needs_you: string;
	readonly idle: string;
	readonly failed: string;
	/** A state, and for how long; `age` in the short form. */
	since(state: string, age: string): string;
	readonly here: string;
	/** `state`: what it does, and for how long; `terminal`: where it does it, or empty. */
	otherPi(facts: { host: string | undefined; pid: number; state: string; terminal: string }): string;
	openElsewhere(writer: string): string;
	/** In the footer: how many other sessions wait for the user. */
	needYou(sessions: number): string;
}

/** Going to the terminal in which a session is open. The session is `it`. */
export interface TerminalWords {
	readonly went: string;
	inFront(session: string): string;
	/** `command`: what shows it. */
	detached(session: string, command: string): string;
	nested(session: string, command: string): string;
	/** `where`: process, terminal and folder. */
	openIn(where: string): string;
	onHost(host: string): string;
	inFolder(folder: string): string;
	readonly kittyIsOff: string;
	readonly closed: string;
	/** Choices. */
	readonly goThere: string;
	readonly goAndQuit: string;
	readonly stayIn: string;
	readonly startNew: string;
}

export interface CardWords {
	/** Name of the card. */
	readonly name: string;
	readonly hint: string;
	/** What a command goes on in, instead of this session. */
	fresh(command: string): string;
	/** Of the model's context. */
	contextFull(percent: number): string;
	repository(changes: string): string;
	onBranch(now: string, was: string): string;
	noBranch(was: string): string;
	commitsSince(commits: number): string;
	headMoved(from: string, to: string): string;
	notCommitted(files: number): string;
}

/** What a key does; `key` may be a command. */
export interface KeyWords {
	/** Goes on with the session's next step. */
	goesOn(key: string): string;
	/** Takes what is shown off the screen. */
	hides(key: string): string;
	/** Breaks off what a model was asked. */
	cancels(key: string): string;
}

export interface TitleWords {
	/** Shown next to an automatic title. */
	readonly hint: string;
}

/** The list of all sessions. */
export interface BoardWords {
	readonly heading: string;
	/** The two scopes, and the same where there is little room. */
	readonly thisProject: string;
	readonly here: string;
	readonly all: string;
	/** What keys do. */
	readonly toProject: string;
	readonly toAll: string;
	readonly resume: string;
	readonly fork: string;
	readonly rename: string;
	readonly searchSaid: string;
	readonly back: string;
	readonly close: string;
	readonly clear: string;
	readonly choose: string;
	readonly saveName: string;
	readonly leaveName: string;
	/** Rows. */
	readonly noMessages: string;
	folded(sessions: number): string;
	searchFor(query: string): string;
	/** Before what the user said. */
	readonly you: string;
	/** Kinds of sessions. */
	readonly headless: string;
	readonly child: string;
	readonly forked: string;
	/** An empty list. */
	readonly searching: string;
	readonly nothingFound: string;
	readonly looking: string;
	readonly noSessions: string;
	noneHere(key: string): string;
	readonly noMatch: string;
	readonly badPattern: string;
	readonly slowPattern: string;
	/** Help on symbols and on the filter. */
	readonly waitsClosed: string;
	readonly isPinned: string;
	readonly filterWords: string;
	readonly filterPhrase: string;
	readonly filterPattern: string;
	readonly filterId: string;
	/** A search in everything said. */
	found(hits: number, query: string): string;
	searchedSoFar(found: string, sessions: number): string;
	searchedAll(found: string, sessions: number): string;
	/** Choices of questions. */
	readonly forkCopy: string;
	forkCopyIn(folder: string): string;
	readonly openIt: string;
	readonly openAnyway: string;
	readonly openItself: string;
	readonly openRepaired: string;
	readonly stay: string;
	readonly cancel: string;
	/** Notices. */
	readonly openHere: string;
	readonly emptyName: string;
	readonly typeFirst: string;
	/** More of what keys do. */
	readonly delete: string;
	readonly sort: string;
	readonly namedOnly: string;
	readonly unnamedToo: string;
	readonly archive: string;
	readonly unarchive: string;
	readonly pin: string;
	readonly unpin: string;
	readonly paths: string;
	readonly noPaths: string;
	readonly keys: string;
	/** Rows. */
	foldedArchived(sessions: number): string;
	/** Orders. */
	readonly newestFirst: string;
	readonly threads: string;
	readonly byName: string;
	readonly byProject: string;
	asks(question: string): string;
	readonly noneNamed: string;
	/** What was done. */
	readonly pinned: string;
	readonly unpinned: string;
	readonly archived: string;
	/** The same of a session that is still live. */
	readonly archivedLive: string;
	readonly unarchived: string;
	readonly renamed: string;
	readonly trashed: string;
	readonly deleted: string;
	/** Of a session that was to be deleted. */
	readonly goneAlready: string;
	readonly notDeletedOpen: string;
	notDeleted(why: string): string;
	notMarked(why: string): string;
	notRenamed(why: string): string;
	/** Questions. */
	trashQuestion(title: string): string;
	readonly toTrash: string;
	forGoodQuestion(title: string): string;
	readonly forGood: string;
	readonly keep: string;
	readonly noTrash: string;
	trashRefused(why: string): string;
	forkQuestion(title: string): string;
	setToCopy(title: string): string;
	readonly busy: string;
	folderGone(folder: string, here: string): string;
	/** Brings the terminal of a live session to the front. */
	readonly goThere: string;
	readonly transcript: string;
	readonly scroll: string;
	/** Figures of a session. `time`, `sum`: written already. */
	started(time: string): string;
	messages(messages: number): string;
	context(percent: number): string;
	cost(sum: string): string;
	branch(name: string): string;
	worktree(name: string): string;
}

/** What typed commands answer every day; the rest of their answers is English. */
export interface AnswerWords {
	readonly stillWorking: string;
	readonly tooLittle: string;
	readonly askingModel: string;
	asking(model: string): string;
	readonly nothingShown: string;
	readonly noCardShown: string;
	readonly recordWritten: string;
}
