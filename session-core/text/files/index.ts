// The host's module loader makes names from `export *` slower to use, so names that are used often are listed.

export * from "./atomic-file.ts";
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
	errorCode,
	errorText,
	type FilePart,
	type FileStamp,
	identityOf,
	isFolder,
	isSameFolder,
	isWritable,
	makeFolder,
	type NotOpened,
	type OpenFailure,
	partOf,
	type RegularFile,
	readRegular,
	readSlowly,
	readSpan,
	smallFile,
	spellingsOf,
} from "./regular-file.ts";
export * from "./repository.ts";
export { type FolderWatch, watchFolder } from "./watch-folder.ts";
