import { type Static, Type } from "typebox";
import { LANGUAGES } from "../words/languages.ts";

/** Name of the settings file, in the agent directory and in a project's `.pi`. */
export const SETTINGS_FILE = "session-suite.json";

const Switch = Type.Boolean({ default: true });
const Seconds = (seconds: number) => Type.Number({ minimum: 0, default: seconds });
const ModelSpec = Type.Optional(Type.String({ pattern: "^[^/\\s]+/\\S+$", description: '"provider/model"' }));

/** `<agentDir>/session-suite.json`. Every key has a default; a file names only what it changes. */
export const SettingsSchema = Type.Object({
	/** Cheap model for side calls, as `provider/model`. */
	fastModel: ModelSpec,
	/** Automatic calls stop at this sum a day, in the currency of the model's price table. */
	dailyCostLimit: Type.Number({ minimum: 0, default: 0.5 }),
	/** Language of the fixed words, and of what a model writes; absent: that of the session's own prompts, else the locale's. */
	language: Type.Optional(Type.Union(LANGUAGES.map((code) => Type.Literal(code)))),
	/** Write the debug log. */
	debug: Type.Boolean({ default: false }),
	recap: Type.Object({
		/** Recaps come by themselves. */
		enabled: Switch,
		model: ModelSpec,
		awaySeconds: Seconds(90),
		focusMinSeconds: Seconds(3),
		idleSeconds: Seconds(120),
		/** Ask the terminal for focus reports. */
		focus: Switch,
		/** Send the project's instruction files along with the session's facts. */
		includeProjectContext: Type.Boolean({ default: false }),
	}),
	title: Type.Object({
		/** Sessions name themselves. */
		enabled: Switch,
		model: ModelSpec,
	}),
	resume: Type.Object({
		generator: Type.Union([Type.Literal("heuristic"), Type.Literal("llm")], { default: "heuristic" }),
		/** Write a record after this many idle minutes; 0: never. */
		idleMinutes: Type.Number({ minimum: 0, default: 0 }),
		/** Write a record at the end of a session with at least this many messages; 0: never. */
		minMessages: Type.Integer({ minimum: 0, default: 8 }),
		/** Show the card when a session with a past opens. */
		pinCard: Switch,
		/** Ask the terminal for a notification when a session begins to wait for its user, who looks elsewhere. */
		notify: Type.Boolean({ default: false }),
	}),
});

export type Settings = Static<typeof SettingsSchema>;
