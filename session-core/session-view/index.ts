export { type Description, describeSession, openSession, recordKind } from "./describe.ts";
export { type PreviewFacts, readPreviewFacts } from "./preview-facts.ts";
export type { Reading } from "./read-session.ts";
export { dayMarkdown, dayText, listToday } from "./today.ts";
export {
	hasWord,
	projectOf,
	rowNote,
	type SessionView,
	stampOf,
	toldApart,
	viewOf,
	withLease,
} from "./view.ts";
export { readWork, warmUp } from "./work.ts";
