import { homedir } from "node:os";
import type { ExtensionAPI } from "@mariozechner/pi-coding-agent";
import {
	type Completion,
	commandForm,
	completeOptions,
	copyToUser,
	type DoctorSection,
	getAgentDir,
	helpText,
	keyHelp,
	offText,
	readChoice,
	sectionsReport,
	sectionsText,
	VERSION,
} from "../session-core/pi/index.ts";
import { switchRecaps } from "../session-core/settings/index.ts";
import { chooseModel, type Picking, type Said, useModel } from "./model.ts";
import { recapSection, statusText } from "./report.ts";
import { RecapSession } from "./session.ts";

export { RecapSession };

export const RECAP = commandForm({
	name: "recap",
	options: [
		["", "Show a recap of this session"],
		["--force", "Call the model again"],
		["show", "Show the recap without calling a model"],
		["copy", "Copy the recap to the clipboard"],
		["clear", "Hide the recap"],
		["on", "Turn automatic recaps on"],
		["off", "Turn automatic recaps off"],
		["status", "Show whether automatic recaps are on, which model they use and what they cost"],
		["model", "Choose the model for recaps and titles"],
		["model active", "Use the active model again"],
		["doctor", "Check the terminal, the models and all extensions"],
		["doctor --prompt", "Show the exact text that would be sent to the model"],
		[
			"doctor --report",
			"Copy a report to the clipboard, ready to paste into an issue; it contains no session text",
		],
	],
});

export function completeRecap(prefix: string): Completion[] | null {
	return completeOptions(RECAP, prefix);
}

type Host = Pick<ExtensionAPI, "exec" | "getCommands">;

export async function runRecap(
	args: string,
	recap: RecapSession,
	{ pi, ctx }: { pi: Host; ctx: Picking["ctx"] },
): Promise<void> {
	if (recap.over.aborted) return;
	const { choose, say } = recap;
	const given = readChoice(RECAP, args);
	if (given.type !== "given") return say(...helpText(RECAP, given, keyHelp("recap")));
	switch (given.value) {
		case "":
		case "--force":
			return recap.request({ force: given.value === "--force" });
		case "show":
			recap.show();
			return;
		case "copy": {
			const text = recap.copyText();
			if (text === undefined) return;
			const answer = await copyToUser(text, recap.terminal().isTerminal);
			return say(`recap: ${answer.text}`, answer.kind);
		}
		case "clear":
			return recap.clearAll() ? undefined : say("recap: nothing to clear.");
		case "on":
		case "off":
			return say(...switchAutomatic(recap, given.value === "on"));
		case "status":
			return say(statusText(recap));
		case "model":
			return say(...((await chooseModel({ choose, ctx })) ?? (["recap: the model is unchanged."] as const)));
		case "model active":
			return say(...useModel({ choose, ctx }, undefined));
		case "doctor":
			return say(sectionsText(await examine(recap, pi)));
		case "doctor --prompt":
			return say(recap.promptText());
		case "doctor --report":
			return say(...(await copyReport(recap, pi)));
	}
}

function switchAutomatic({ config, presence }: RecapSession, wanted: boolean): Said {
	const saved = switchRecaps(getAgentDir(), wanted);
	if (!saved.ok) return [`recap: not changed: ${saved.detail}`, "warning"];
	presence.followSettings();
	if (!wanted)
		return ["recap: automatic recaps are off. /recap still shows one, and /recap on turns them on again."];
	const { off } = config();
	if (off) return [`recap: saved, but automatic recaps stay ${offText(off, "recap")}.`, "warning"];
	return ["recap: automatic recaps are on."];
}

async function copyReport(recap: RecapSession, pi: Host): Promise<Said> {
	const { platform, arch, versions } = process;
	const rows = [
		["pi", VERSION],
		["node", `${versions.node} on ${platform} ${arch}`],
	] as const;
	const folders = { home: homedir(), project: recap.cwd };
	const report = sectionsReport([{ title: "environment", rows }, ...(await examine(recap, pi))], folders);
	if (!recap.terminal().isTerminal) return [report];
	const answer = await copyToUser(report, true);
	if (answer.kind === "info")
		return ["recap: the report was copied. It contains nothing from your sessions."];
	return [`recap: ${answer.text}\n${report}`, "warning"];
}

async function examine(recap: RecapSession, pi: Host): Promise<DoctorSection[]> {
	const { env } = process;
	const own = recapSection(recap, {
		terminalName: env["TERM_PROGRAM"] ?? env["TERM"],
		tmuxFocus: env["TMUX"] ? await askTmux(pi) : undefined,
		sharedCommands: sharedCommands(pi),
		promptLength: recap.promptText().length,
	});
	return [own, ...(await recap.otherSections())];
}

const SUITE_COMMANDS = [
	"recap",
	"recap-card",
	"resume-here",
	"resume-from",
	"today",
	"sessions",
	"rename",
	"recall",
];

function sharedCommands(pi: Host): string[] {
	const commands = pi.getCommands();
	return SUITE_COMMANDS.flatMap((name) => {
		const all = commands.filter((it) => it.name.startsWith(`${name}:`));
		if (all.length < 2) return [];
		const list = all.map((it) => `/${it.name} (${it.sourceInfo.path})`).join(", ");
		return [`/${name} belongs to several packages: ${list}; /${name} runs this suite's`];
	});
}

const TMUX_DEADLINE_MS = 1_000;

async function askTmux(pi: Host): Promise<string> {
	const args = ["show-options", "-gv", "focus-events"];
	return (await pi.exec("tmux", args, { timeout: TMUX_DEADLINE_MS })).stdout.trim();
}
