export {
	isFirst,
	renamePatiently,
	replaceByLines,
	replaceFile,
	sweepFolder,
	type WriteOutcome,
	writeObstacle,
} from "./atomic-file.ts";
export {
	errorCode,
	errorText,
	FileError,
	identityOf,
	isFolder,
	isSameFolder,
	isWritable,
	makeFolder,
	namesIn,
	spellingsOf,
} from "./file-system.ts";
export {
	type Check,
	type Checked,
	hasFields,
	isEither,
	isFlag,
	isListOf,
	isNumber,
	isObject,
	isOneOf,
	isText,
	type JsonObject,
	jsonObjectsIn,
	maybe,
	objectsIn,
	parseObject,
	readTime,
	textOf,
} from "./json.ts";
export { atOnce, inSlices, Pace, SLICE_MS, type Steps } from "./pace.ts";
export {
	appendRegular,
	chunksOf,
	diskFull,
	type FilePart,
	type FileStamp,
	fileFailure,
	type NotOpened,
	type OpenFailure,
	partOf,
	type RegularFile,
	readRegular,
	readSlowly,
	readSpan,
	smallFile,
} from "./regular-file.ts";
export { type Changes, type Checkout, fileState, Repository, readCheckout } from "./repository.ts";
export { type FolderWatch, watchFolder } from "./watch-folder.ts";
