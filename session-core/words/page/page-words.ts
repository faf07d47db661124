/**
 * The fixed words of the page that a browser shows. Apart from the others: no pi loads them. They go over the wire, so values stand
 * in them as `{name}`, and numbers behind a word, where no language bends it.
 */
export interface PageWords {
	readonly filter: string;
	readonly show: string;
	readonly all: string;
	/** Sessions that ran without a user, or that others started. */
	readonly jobs: string;
	readonly sessions: string;
	/** What the list can be narrowed down to, before a number. */
	readonly chipNeeds: string;
	readonly chipFailed: string;
	readonly chipWorking: string;
	readonly closed: string;
	/** {n}: how many. */
	readonly live: string;
	readonly loading: string;
	/** {time}: of the day. */
	readonly stale: string;
	readonly none: string;
	readonly nothing: string;
	/** {n}: how many sessions above what is seen. */
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
	/** Where the browser forbids it. */
	readonly notCopied: string;
	readonly open: string;
	readonly goThere: string;
	readonly opened: string;
	/** Whose words a recap is in. */
	readonly edited: string;
	/** {age}: in the short form. */
	readonly written: string;
	/** There is no stored recap. */
	readonly made: string;
	readonly damaged: string;
	/** Where a token is missing, or not valid any more. */
	readonly doorTitle: string;
	readonly doorText: string;
	readonly doorWrong: string;
	readonly token: string;
	readonly go: string;
}
