export {
	askForNote,
	explainNoteFailure,
	type FailedNote,
	type NoteOutcome,
	noteRequest,
} from "./ask-note.ts";
export {
	type Commons,
	commonsOf,
	createRecordReader,
	createStateReader,
	type HostSession,
	hostSession,
} from "./commons.ts";
export { type Continuation, type Shared, sharedIn } from "./hub.ts";
export {
	type LoadedSettings,
	loadSettings,
	type OffReason,
	offReason,
	offText,
	openSettings,
	pickModel,
	recapSwitchPath,
	type SettingsReader,
	settingRows,
	switchRecaps,
} from "./load-settings.ts";
export type { Settings } from "./settings.ts";
