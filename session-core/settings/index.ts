export {
	type LoadedSettings,
	loadSettings,
	openSettings,
	pickModel,
	recapSwitchPath,
	SETTINGS_FILE,
	switchRecaps,
} from "./load-settings.ts";
