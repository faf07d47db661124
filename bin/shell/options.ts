/** The options of all commands, and their help. */
import { sinceTime } from "../../session-core/search/since.ts";

/** An option of a subcommand. An option without `read` is a flag, which takes no value. */
interface Option {
	description: string;
	/** The placeholder for the option's value in the help. */
	value?: string;
	choices?: readonly string[];
	/** Parses a value. Returns undefined if it is not accepted. */
	read?(given: string, now: number): string | number | undefined;
	/** What is accepted, for the message. */
	expected?: string;
}

export type Options = Readonly<Record<string, Option>>;

/** The values of the options. Times are in ms since the epoch. */
export type Values<O extends Options> = {
	[Name in keyof O]?:
		| (O[Name] extends { read(given: string, now: number): infer Read } ? Read : boolean)
		| undefined;
};

const flag = (description: string) => ({ description });
const text = (description: string, value: string) => ({
	description,
	value,
	expected: "a text that is not empty",
	read: (given: string) => given || undefined,
});
const time = (description: string) => ({
	description,
	value: "time",
	expected: "a time such as 90m, 8h or 2d, or a past date such as 2026-01-31",
	read: sinceTime,
});
const number = (description: string, min: number, max: number) => ({
	description,
	value: "number",
	expected: `a number from ${min} to ${max}`,
	read: (given: string) => {
		const isInRange = /^\d{1,9}$/.test(given) && Number(given) >= min && Number(given) <= max;
		return isInRange ? Number(given) : undefined;
	},
});
const choice = <const C extends string>(description: string, choices: readonly C[]) => ({
	description,
	value: choices.join("|"),
	choices,
	expected: `one of ${choices.join(", ")}`,
	// JSON output spells states with underscores (`needs_you`), so this spelling is also accepted.
	read: (given: string) => choices.find((one) => one === given.replaceAll("_", "-")),
});

const ALL = flag("Include the sessions of all projects");
const AGENTS_TOO = flag("Include the sessions of Claude Code and Codex");
const JSON_OUTPUT = flag("Print JSON; docs/shell.md describes the fields");
const MARKDOWN = flag("Print Markdown");

export const LIST = {
	all: ALL,
	agents: AGENTS_TOO,
	background: flag("Include headless runs and child sessions"),
	state: choice("Only sessions in this state", ["needs-you", "failed", "working", "idle", "closed", "live"]),
	limit: number("Maximum number of sessions (default: all)", 0, 999_999_999),
	json: JSON_OUTPUT,
};

export const SHOW = { agents: AGENTS_TOO, json: JSON_OUTPUT, markdown: MARKDOWN };

export const SEARCH = {
	all: flag("Search all projects, this one first"),
	agents: AGENTS_TOO,
	since: time("Only entries after this time: 90m, 8h, 2d, or a date"),
	limit: number("Maximum number of hits (default: 10)", 1, 999),
	json: JSON_OUTPUT,
};

export const READ = {
	agents: AGENTS_TOO,
	at: text("Entry id, or a place as printed by search (@…)", "entry"),
	around: number("Number of entries on either side (default: 3)", 0, 20),
	json: JSON_OUTPUT,
};

export const RESUME = {
	agents: AGENTS_TOO,
	continue: flag("Resume the newest session of this project"),
	at: text("Continue from this entry, in a new session", "entry"),
	branch: flag("Continue in a fork; the session does not change"),
	send: flag("Send the next step at once instead of leaving it in the editor"),
	message: text("Send this text instead of the next step", "text"),
	repair: flag("Open a repaired copy of a damaged session"),
	anyway: flag("Open it even if another pi has it open"),
	"in-pi": flag("Continue a session of another agent in a new session of pi"),
	yes: flag("Start a job even if another machine recorded it"),
	"dry-run": flag("Print the command instead of running it; no session is written"),
};

export const RESTORE = { "dry-run": flag("Only print the commands") };

export const RECAP = {
	force: flag("Write a new recap even if one already exists"),
	json: JSON_OUTPUT,
};

export const TODAY = {
	since: time("How far to go back: 90m, 8h, 2d, or a date (default: midnight)"),
	all: ALL,
	agents: AGENTS_TOO,
	markdown: MARKDOWN,
};

export const STATUS = { format: choice("Output format (default: plain)", ["plain", "tmux", "json"]) };

export const SERVE = {
	port: number("Port (default: 7878); 0 picks a free one", 0, 65_535),
	lan: flag("Also serve the local network, read-only"),
};
