export const BULLET_COLUMNS = 100;

/** Something that may be said, before it is known what fits. */
export interface Candidate {
	text: string;
	score: number;
	/** Where it belongs among the others: what was asked, what was said, what was done. */
	order: number;
	/** A fact of its own, however much it sounds like another: a failure. */
	isDistinct?: true;
}
