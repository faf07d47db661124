import type { FlagTable } from "../session-core/settings/flags.ts";

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
