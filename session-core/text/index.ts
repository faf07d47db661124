export {
	background,
	bugSentence,
	bugText,
	logBug,
	placeOfBug,
	reportBug,
	sendBugs,
	startPolling,
	startTimer,
} from "./background.ts";
export {
	clipColumns,
	clippingBy,
	clipSentence,
	displayWidth,
	headUnits,
	tailUnits,
	wrapColumns,
} from "./clip.ts";
export { commandLine } from "./command-line.ts";
export { costText, countWords, estimateTokens } from "./count.ts";
export { type DebugLog, errorFields, type LogFields, openLog } from "./debug-log.ts";
export { changeLine, diffCounts, diffOf } from "./diff.ts";
export { inTags } from "./fence.ts";
export {
	atOnce,
	type Changes,
	type Check,
	type Checked,
	type Checkout,
	chunksOf,
	errorCode,
	errorText,
	type FileStamp,
	type FolderWatch,
	fileErrorText,
	fileState,
	hasFields,
	inSlices,
	isFirst,
	isFolder,
	isObject,
	isOneOf,
	isSameFolder,
	isText,
	type JsonObject,
	jsonObjectsIn,
	makeFolder,
	maybe,
	namesIn,
	objectsIn,
	Pace,
	parseObject,
	partOf,
	type RegularFile,
	Repository,
	readCheckout,
	readSpan,
	readTime,
	renamePatiently,
	replaceByLines,
	replaceFile,
	SLICE_MS,
	type Steps,
	smallFile,
	spellingsOf,
	sweepFolder,
	textOf,
	type WriteOutcome,
	watchFolder,
} from "./files/index.ts";
export { cutAtClause, isBalanced, lineThatFits, plainLine, withoutFinalMark } from "./fit-line.ts";
export { foldCase, letters } from "./fold-case.mjs";
export { fitsLanguage, fitsScript, type Language, languageNamed, languageOf } from "./language.ts";
export { type Block, codeSpan, inert, readBlocks } from "./markdown.ts";
export { nearest } from "./matching.ts";
export { baseName, namesFile, type PathNamer, pathNamer, shortPath, withShortPaths } from "./paths.ts";
export { questionText } from "./questions.ts";
export {
	exceptWords,
	hideKnown,
	isDistinctive,
	REDACTED,
	redact,
	redactSteps,
	secretSteps,
} from "./redact.ts";
export { asksOfUser, isQuestion, isVerbatim, quotedFrom, readReply } from "./reply.ts";
export { outgoing, safeSteps, safeText } from "./safe.ts";
export { cleanLine, cleanText, replaceEscapes } from "./sanitize.ts";
export { joinText, sentencesOf } from "./sentences.ts";
export { readSettingsFile } from "./settings-file.ts";
export { isOverMinute, SHORT_AGE_COLUMNS, shortAge } from "./short-age.mjs";
export {
	headAndTail,
	type ModelName,
	modelNamed,
	safeSessionId,
	shownLine,
	shownLineSteps,
	shownName,
	shownPath,
	shownWord,
} from "./shown-line.ts";
export { withoutInnerThoughts, withoutLeadingThought, withoutThoughts } from "./thoughts.ts";
