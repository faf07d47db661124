import { homedir } from "node:os";
import type { Api, Model } from "@mariozechner/pi-ai";
import type { ExtensionAPI, ExtensionContext } from "@mariozechner/pi-coding-agent";
import {
	byPrice,
	type Candidate,
	type Choice,
	type Completion,
	commandForm,
	completeOptions,
	copyToUser,
	type DoctorSection,
	effortOf,
	formatSpec,
	getAgentDir,
	helpText,
	keyHelp,
	MAX_TOKENS_WITH_REASONING,
	type ModelChoice,
	offText,
	pickFrom,
	priceText,
	readChoice,
	regionOf,
	sectionsReport,
	sectionsText,
	VERSION,
} from "../session-core/pi/index.ts";
import { pickModel, recapSwitchPath, switchRecaps } from "../session-core/settings/index.ts";
import { shownPath } from "../session-core/text/index.ts";
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

interface Picking {
	choose(): ModelChoice;
	ctx: Pick<ExtensionContext, "hasUI" | "ui" | "model" | "modelRegistry">;
}

type Said = readonly [text: string, kind?: "info" | "warning"];

/** A choice dialog in pi shows all choices at once, so a long list of models is split into pages. */
const MODELS_ON_PAGE = 10;

async function chooseModel(recap: Picking): Promise<Said | undefined> {
	const { hasUI, ui, model: active, modelRegistry: catalog } = recap.ctx;
	if (!hasUI)
		return [
			"recap: choose a model in pi's terminal interface, or set fastModel in session-suite.json.",
			"warning",
		];
	if (!active) return ["recap: no model is active. Choose one with /model.", "warning"];
	const { provider, id } = active;
	const callable = catalog
		.getAll()
		.filter((one) => one.provider === provider && catalog.hasConfiguredAuth(one));
	if (callable.length === 0) {
		// If no model is available, pi's active model is only a placeholder.
		const which = catalog.find(provider, id) ? `no ${provider} model` : "no model";
		return [`recap: there is nothing to choose, because ${which} can be called. ${LOG_IN}`, "warning"];
	}
	const others = callable.filter((one) => one.id !== id);
	const priced = byPrice(others.filter((one) => priceText(one) !== undefined));
	const choices: Choice<string | number>[] = [
		{ label: `${modelLabel(active, active)} · the active model`, value: ACTIVE },
		...[...priced, ...others.filter((one) => !priced.includes(one))].map((one) => ({
			label: modelLabel(one, active),
			value: formatSpec(one),
		})),
	];
	for (let at = 0; ; ) {
		const page = choices.slice(at, at + MODELS_ON_PAGE);
		const more = choices.length - at - MODELS_ON_PAGE;
		if (more > 0) page.push({ label: `${more} more…`, value: at + MODELS_ON_PAGE });
		const picked = await pickFrom(ui, "Model for recaps and titles, with the price of a recap", page);
		if (picked === undefined) return undefined;
		if (typeof picked === "string") return useModel(recap, picked === ACTIVE ? undefined : picked);
		at = picked;
	}
}

const ACTIVE = "";

function modelLabel(model: Model<Api>, active: Model<Api>): string {
	const region = regionOf(model.id);
	const thinks = effortOf(model, "off").maxTokens >= MAX_TOKENS_WITH_REASONING;
	return [
		model.id,
		priceText(model) ?? "price unknown",
		region !== regionOf(active.id) && (region ? `region ${region}` : "another region"),
		thinks && "reasoning cannot be off",
	]
		.filter(Boolean)
		.join(" · ");
}

const LOG_IN = "Type /login or set a provider's API key.";

/** If `spec` is undefined, recaps and titles use the active model. */
function useModel({ choose, ctx }: Picking, spec: string | undefined): Said {
	const agentDir = getAgentDir();
	const stored = pickModel(agentDir, spec);
	if (!stored.ok) return [`recap: not changed: ${stored.detail}`, "warning"];
	const file = shownPath(recapSwitchPath(agentDir));
	const saved = spec === undefined ? `${file} no longer contains a model` : `saved in ${file}`;
	const [first] = choose().candidates;
	if (!first || !ctx.modelRegistry.hasConfiguredAuth(first.model))
		return [`recap: ${saved}, but no model can be called. ${LOG_IN}`, "warning"];
	const isUsed = spec === undefined || formatSpec(first.model) === spec;
	if (isUsed) return [`recap: ${useText(first)} (${saved}).`];
	return [`recap: ${saved}, but the ${first.source} has priority: ${useText(first)}.`, "warning"];
}

function useText({ model }: Candidate): string {
	const price = priceText(model);
	return `recaps use ${formatSpec(model)}${price === undefined ? "" : `, ${price} each`}`;
}
