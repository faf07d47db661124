export { SEARCH_TOOLS, type Speaker } from "./entry-text.ts";
export { MAX_QUERY, readQuery, wordsIn } from "./query.ts";
export { sum } from "./rank.ts";
export { placeName, type ReadEntry, readAround } from "./read.ts";
export {
	DEFAULT_LIMIT,
	type SearchHit,
	type SearchOptions,
	type SearchProgress,
	searchSessions,
	searchToEnd,
} from "./search.ts";
export { sinceTime, untilTime } from "./since.ts";
