import { homedir } from "node:os";
import { join } from "node:path";
import type { ExtensionAPI, ExtensionContext } from "@mariozechner/pi-coding-agent";
import { type DoctorSection, sectionsReport, sectionsText } from "../session-core/command/doctor.ts";
import { keyHelp } from "../session-core/command/key-bindings.ts";
import {
	type CommandOption,
	type Completion,
	completeOptions,
	findOption,
	helpText as helpOf,
	unknownText,
} from "../session-core/command/options.ts";
import type { ShortcutKeys } from "../session-core/command/shortcuts.ts";
import { copyAnswer } from "../session-core/host/clipboard.ts";
import { sharedCommands } from "../session-core/host/own-command.ts";
import { VERSION } from "../session-core/host/pi.ts";
import type { ModelChoice } from "../session-core/model/choose-model.ts";
import { SETTINGS_FILE } from "../session-core/settings/defaults.ts";
import { settingRows, switchRecaps } from "../session-core/settings/load.ts";
import type { RecapConfig } from "./config.ts";
import { RECAP_SYSTEM_PROMPT, recapPrompt } from "./prompt.ts";
import {
	ANSWERS,
	countedLine,
	explainOff,
	recapSection,
	type SpendingFacts,
	statusText,
	type TmuxFocus,
} from "./report.ts";
import type { RecapSession } from "./session.ts";

/** The action that a `/recap …` command requests. */
type RecapAction =
	| { type: "recap"; force: boolean }
	| { type: "show" | "copy" | "clear" | "on" | "off" | "status" | "help" }
	| { type: "doctor"; show: "all" | "prompt" | "report" }
	| { type: "unknown"; word: string };

export const RECAP_OPTIONS: readonly (CommandOption & { action: RecapAction })[] = [
	{ value: "", description: "Show a recap of this session", action: { type: "recap", force: false } },
	{ value: "--force", description: "Call the model again", action: { type: "recap", force: true } },
	{ value: "show", description: "Show the recap without calling a model", action: { type: "show" } },
	{ value: "copy", description: "Copy the recap to the clipboard", action: { type: "copy" } },
	{ value: "clear", description: "Hide the recap", action: { type: "clear" } },
	{ value: "on", description: "Turn automatic recaps on", action: { type: "on" } },
	{ value: "off", description: "Turn automatic recaps off", action: { type: "off" } },
	{
		value: "status",
		description: "Show whether automatic recaps are on, which model they use and what they cost",
		action: { type: "status" },
	},
	{
		value: "doctor",
		description: "Check the terminal, the models and all extensions",
		action: { type: "doctor", show: "all" },
	},
	{
		value: "doctor --prompt",
		description: "Show the exact text that would be sent to the model",
		action: { type: "doctor", show: "prompt" },
	},
	{
		value: "doctor --report",
		description: "Copy a report to the clipboard, ready to paste into an issue; it contains no session text",
		action: { type: "doctor", show: "report" },
	},
	{ value: "--help", description: "Show this help", action: { type: "help" } },
];

/** Parses the arguments of `/recap`. */
export function parseRecap(args: string): RecapAction {
	return findOption(RECAP_OPTIONS, args)?.action ?? { type: "unknown", word: args.trim() };
}

export function completeRecap(prefix: string): Completion[] | null {
	return completeOptions(RECAP_OPTIONS, prefix);
}

/** Returns the answer to `/recap --help`. */
export function recapHelp(notes: readonly string[] = []): string {
	return helpOf("recap", RECAP_OPTIONS, notes);
}

interface CommandDeps {
	pi: Pick<ExtensionAPI, "exec" | "getCommands">;
	ctx: Pick<ExtensionContext, "ui">;
	session: RecapSession;
	/** Hides session-resume's card. Returns false if none was shown. */
	clearCard(): boolean;
	/** Returns the current configuration. */
	config(): RecapConfig;
	choose(): ModelChoice;
	spending(): SpendingFacts;
	agentDir: string;
	cwd: string;
	/** Returns the doctor sections of the other extensions. */
	others(): Promise<DoctorSection[]>;
	keys: ShortcutKeys;
}

/** Maximum time that tmux may take to answer, in milliseconds. */
const TMUX_DEADLINE_MS = 1_000;

/**
 * Runs `/recap …` with its arguments. Every action gives an answer, and none waits for a model. `answered` resolves when a requested recap
 * is available or has failed.
 */
export async function runRecap(args: string, deps: CommandDeps): Promise<{ answered: Promise<void> }> {
	const { session, ctx } = deps;
	const say = (text: string, kind: "info" | "warning" = "info") => {
		// A command that waits for tmux or a disk may still run when its session has ended.
		if (session.isLive()) ctx.ui.notify(text, kind);
	};
	const action = parseRecap(args);
	switch (action.type) {
		case "recap":
			return { answered: session.recap({ force: action.force }) };
		case "show":
			return { answered: session.show() };
		case "copy": {
			const text = await session.copyText();
			if (text === undefined) break;
			const answer = await copyAnswer(text, session.terminal.isTerminal);
			say(`recap: ${answer.text}`, answer.kind);
			break;
		}
		case "clear": {
			const cleared = [session.dismiss(), deps.clearCard()];
			if (!cleared.includes(true)) say(ANSWERS.nothingShown);
			break;
		}
		case "on":
		case "off":
			say(...switchAutomatic(deps, { wanted: action.type === "on" }));
			break;
		case "status":
			say(
				statusText({
					config: deps.config(),
					choice: deps.choose(),
					draft: session.draft,
					lastReturn: session.lastReturn,
					...deps.spending(),
				}),
			);
			break;
		case "doctor":
			say(...(await doctorAnswer(action.show, deps)));
			break;
		case "help":
			say(recapHelp(keyHelp("recap", deps.keys)));
			break;
		case "unknown":
			say(unknownText("recap", action.word), "warning");
	}
	return { answered: Promise.resolve() };
}

/** Returns the exact text that a recap call would send at this moment. */
async function promptText(session: RecapSession): Promise<string> {
	const question = await session.question();
	const [timeline, language] = [question?.ground.input ?? "", question?.language.hint ?? ""];
	return `${RECAP_SYSTEM_PROMPT}\n\n${recapPrompt({ timeline, language })}`;
}

function switchAutomatic(
	{ agentDir, session, config }: CommandDeps,
	{ wanted }: { wanted: boolean },
): [string, "info" | "warning"] {
	const saved = switchRecaps(agentDir, wanted);
	if (!saved.ok) return [`recap: not changed: ${saved.detail}`, "warning"];
	session.followSettings();
	if (!wanted) return ["recap: off. /recap still works; /recap on brings them back.", "info"];
	const { off } = config();
	return off
		? [`recap: switched on, but recaps stay ${explainOff(off)}.`, "warning"]
		: ["recap: on.", "info"];
}

async function doctorAnswer(
	show: "all" | "prompt" | "report",
	deps: CommandDeps,
): Promise<[string, "info" | "warning"]> {
	if (show === "prompt") return [await promptText(deps.session), "info"];
	const own = await examine(deps);
	const sections = [own, ...(await deps.others()), { title: "settings", rows: settingRows(deps) }];
	if (show === "all") return [sectionsText(sections), "info"];
	const report = sectionsReport([environmentSection(), ...sections], {
		home: homedir(),
		project: deps.cwd,
	});
	if (!deps.session.terminal.isTerminal) return [report, "info"];
	const answer = await copyAnswer(report, true);
	return answer.kind === "info"
		? ["recap: the report was copied. It contains nothing from your sessions.", "info"]
		: [`recap: ${answer.text}\n${report}`, "warning"];
}

function environmentSection(): DoctorSection {
	const { platform, arch, versions } = process;
	return {
		title: "environment",
		rows: [
			["pi", VERSION],
			["node", `${versions.node} on ${platform} ${arch}`],
		],
	};
}

async function examine(deps: CommandDeps): Promise<DoctorSection> {
	const { env } = process;
	const insideTmux = Boolean(env["TMUX"]);
	return recapSection({
		config: deps.config(),
		choice: deps.choose(),
		terminal: deps.session.terminal,
		terminalName: env["TERM_PROGRAM"] ?? env["TERM"],
		insideTmux,
		tmuxFocus: insideTmux ? await askTmux(deps.pi) : undefined,
		settingsFile: join(deps.agentDir, SETTINGS_FILE),
		counted: countedLine(deps.spending()),
		sharedCommands: sharedCommands(deps.pi),
		lastReturn: deps.session.lastReturn,
		promptLength: (await promptText(deps.session)).length,
	});
}

async function askTmux(pi: Pick<ExtensionAPI, "exec">): Promise<TmuxFocus> {
	const result = await pi.exec("tmux", ["show-options", "-gv", "focus-events"], {
		timeout: TMUX_DEADLINE_MS,
	});
	const answer = result.stdout.trim();
	return answer === "on" || answer === "off" ? answer : undefined;
}
