import type { DoctorSection } from "../../session-core/command/doctor.ts";
import { describeUnusable, type ModelChoice } from "../../session-core/model/choose-model.ts";
import { clipColumns } from "../../session-core/text/clip.ts";
import { cleanLine } from "../../session-core/text/sanitize.ts";
import type { RecapConfig } from "../config.ts";
import type { Presence } from "../presence/types.ts";
import { explainOff } from "./answers.ts";
import { modelLine, NEEDS, returnLine } from "./status.ts";

/** Whether tmux forwards focus reports. Undefined outside tmux, or if this is unknown. */
export type TmuxFocus = "on" | "off" | undefined;

export interface DoctorFacts {
	config: RecapConfig;
	choice: ModelChoice;
	terminal: { isTerminal: boolean; isTooSlow: boolean; focusSeen: boolean };
	/** `TERM_PROGRAM` or `TERM`. */
	terminalName: string | undefined;
	insideTmux: boolean;
	tmuxFocus: TmuxFocus;
	settingsFile: string;
	/** The path of the ledger, or the reason why calls cannot be counted. */
	counted: string;
	/** See `sharedCommands`. */
	sharedCommands: readonly string[];
	/** The number of characters that would be sent to the model if a recap were requested now. */
	promptLength: number;
	lastReturn: Presence["lastReturn"];
}

/** Returns the answer to `/recap doctor`: diagnostic facts, and what the user should change. */
export function recapSection(facts: DoctorFacts): DoctorSection {
	const { config, choice } = facts;
	return {
		title: "recap doctor",
		rows: [
			["automatic", config.off ? explainOff(config.off) : "on"],
			["terminal", terminalLine(facts)],
			["needs", NEEDS],
			["return", returnLine(facts.lastReturn)],
			["model", modelLine(choice)],
			...choice.unusable.map((unusable) => ["", describeUnusable(unusable)] as const),
			[
				"sends",
				`about ${Math.ceil(facts.promptLength / 4)} tokens (${facts.promptLength} characters), secrets removed; /recap doctor --prompt shows them`,
			],
			...facts.sharedCommands.map((line) => ["commands", line] as const),
			["counted", facts.counted],
			["settings", facts.settingsFile],
		],
	};
}

function terminalLine(facts: DoctorFacts): string {
	const name = facts.terminalName ? clipColumns(cleanLine(facts.terminalName), 40) : "unnamed";
	if (!facts.terminal.isTerminal) return "none: a program runs pi, so only /recap shows a recap";
	if (!facts.config.limits.focus)
		return `${name}: focus reports are off; recaps appear only after the idle time`;
	if (facts.terminal.isTooSlow)
		return `${name}: focus reports arrive in pieces and would stop the agent, so they are off; set PI_TUI_ESC_TIMEOUT (milliseconds) if your pi supports it`;
	if (facts.terminal.focusSeen) return `${name}: reports focus`;
	if (facts.insideTmux) return tmuxLine(facts.tmuxFocus);
	return `${name}: no focus report yet. Switch to another window and back; until then, recaps appear only after the idle time`;
}

function tmuxLine(focus: TmuxFocus): string {
	if (focus === "on")
		return "tmux forwards focus reports, but none has arrived yet; until then, recaps appear only after the idle time";
	if (focus === "off")
		return 'tmux does not forward focus reports. Put "set -g focus-events on" into ~/.tmux.conf and reload it';
	return "tmux: unknown whether it forwards focus reports; see its option focus-events";
}
