export { indexBytes } from "./cache.ts";
export { projectFolder, projectFolders, sessionNames, sessionsRoot } from "./folders.ts";
export { keepNote } from "./kept-notes.ts";
export { findSessions, listSessions, type SessionPlace, scanSessions, sessionAt } from "./listing.ts";
export { dropMarks, type Mark, type Marks, markOf, readMarks, setMark } from "./marks.ts";
export { type Offer, Offers, TITLE_COLUMNS, titleOf } from "./match.ts";
export { couldBePlanted } from "./planted.ts";
export { isBackground, type SessionSummary, summarize } from "./summary.ts";
export { watchSessions } from "./watch.ts";
