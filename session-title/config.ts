import type { NamedModels } from "../session-core/model/choose-model.ts";
import {
	type FlagTable,
	type FlagValues,
	type OffReason,
	offReason,
	textFlag,
} from "../session-core/settings/flags.ts";
import type { LoadedSettings } from "../session-core/settings/load.ts";

/** The command-line flags of the extension. */
export const TITLE_FLAGS = {
	"title-model": {
		type: "string",
		description:
			"Model for session titles, as provider/id (default: the fastModel setting, then a cheap model of the same provider)",
	},
	"title-disable": {
		type: "boolean",
		description:
			"Disable automatic titles; /rename still works (before a prompt, write --title-disable=true)",
	},
} as const satisfies FlagTable;

type TitleFlags = FlagValues<keyof typeof TITLE_FLAGS>;

/** The extension's configuration: the settings, overridden by flags and the environment. */
interface TitleConfig {
	models: NamedModels;
	/** Why automatic titles are off; undefined if they are on. */
	off: OffReason | undefined;
}

export function titleConfig(
	loaded: Pick<LoadedSettings, "settings" | "origins">,
	flags: TitleFlags,
	env: Readonly<Record<string, string | undefined>>,
): TitleConfig {
	const { title, fastModel } = loaded.settings;
	return {
		models: { flag: textFlag(flags["title-model"]), setting: title.model, fastModel },
		off: offReason({
			flag: flags["title-disable"],
			variable: env["PI_DISABLE_AUTO_TITLE"],
			loaded,
			feature: "title",
		}),
	};
}
