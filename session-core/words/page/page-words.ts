/**
 * The fixed words of the web page. They are separate from the others because pi does not load them. They are sent to the browser as
 * JSON, so values are placeholders (`{name}`), and counts stand where no language inflects the word.
 */
export interface PageWords {
	readonly filter: string;
	readonly show: string;
	readonly all: string;
	/** Headless runs and sessions that another session started. */
	readonly jobs: string;
	readonly sessions: string;
	/** Filters of the list, each before a count. */
	readonly chipNeeds: string;
	readonly chipFailed: string;
	readonly chipWorking: string;
	readonly closed: string;
	/** {n}: number of sessions. */
	readonly live: string;
	readonly loading: string;
	/** {time}: time of day. */
	readonly stale: string;
	readonly none: string;
	readonly nothing: string;
	/** {n}: number of sessions above the visible ones. */
	readonly above: string;
	readonly pick: string;
	readonly back: string;
	readonly happened: string;
	readonly next: string;
	readonly parts: string;
	readonly first: string;
	readonly noRecap: string;
	readonly copy: string;
	readonly copied: string;
	/** The browser forbids copying. */
	readonly notCopied: string;
	readonly open: string;
	readonly goThere: string;
	readonly opened: string;
	/** The author of a recap. */
	readonly edited: string;
	/** {age}: in the short form. */
	readonly written: string;
	/** Shown for a recap that is not saved. */
	readonly made: string;
	readonly damaged: string;
	/** Shown if the token is missing or no longer valid. */
	/** Below a filtered list. */
	readonly searchAll: string;
	readonly searching: string;
	readonly noHits: string;
	readonly unreachable: string;
	/** The button for a job that has ended. */
	readonly run: string;
	/** {log}: a file. */
	readonly started: string;
	readonly doorTitle: string;
	readonly doorText: string;
	readonly doorWrong: string;
	readonly token: string;
	readonly go: string;
}
