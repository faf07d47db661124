import {
	type Budget,
	type DoctorSection,
	describeFailure,
	describeTried,
	describeUnusable,
	formatSpec,
	offText,
	priceText,
	type Spending,
	sectionsText,
	uncountedText,
} from "../session-core/pi/index.ts";
import { clockOf, writtenBy } from "../session-core/recap/index.ts";
import { clipColumns, costText } from "../session-core/text/index.ts";
import type { Presence, ReturnOutcome } from "./presence.ts";
import type { RecapConfig, RecapSession } from "./session.ts";
import { isQuoted } from "./widget.ts";

type Rows = DoctorSection["rows"];

type Reported = Pick<RecapSession, "config" | "choose" | "cheaper"> & {
	presence: { state: Pick<Presence, "lastReturn"> };
	budget: Pick<Budget, "spentToday" | "path" | "problem">;
	last(): Last | undefined;
};

export type Last = Omit<NonNullable<ReturnType<RecapSession["last"]>>, "stamp">;

export function statusText(recap: Reported): string {
	const { off, dailyCostLimit, limits } = recap.config();
	const today = recap.budget.spentToday("all");
	const { estimated, unpriced } = today;
	const rows: Rows = [
		...modelRows(recap),
		["last", lastLine(recap.last())],
		...returnRows(recap),
		["session", spendingLine(recap.budget.spentToday("session"))],
		[
			"today",
			`${spendingLine(today)}, all extensions and tabs; automatic calls stop at ${costText(dailyCostLimit)}`,
		],
		...more(estimated > 0 && `${estimated} estimated, because the provider has reported no figures`),
		...more(unpriced > 0 && `${unpriced} not included, because the model's price is unknown`),
		countedRow(recap),
		["times", timesLine(limits)],
	];
	return sectionsText([{ title: `recap: ${off ? offText(off, "recap") : "on"}`, rows }]);
}

function more(...texts: readonly (string | false)[]): Rows {
	return texts.flatMap((text) => (text === false ? [] : [["", text] as const]));
}

const NO_MODEL =
	"none, so recaps are generated without a model. Choose a model with /model or --recap-model.";

function modelRows({ choose, cheaper }: Pick<Reported, "choose" | "cheaper">): Rows {
	const { candidates, unusable } = choose();
	const [first = NO_MODEL, ...others] = candidates.map(
		({ model, source }) =>
			`${formatSpec(model)} (${source}), a recap costs ${priceText(model) ?? "an unknown amount"}`,
	);
	const suggested = cheaper();
	const rows: Rows = [["model", first], ...more(...others.map((other) => `if that fails: ${other}`))];
	const hint = suggested && `${suggested.id}, ${priceText(suggested) ?? ""}; type /recap model to choose it`;
	return [...rows, ...(hint ? [["cheaper", hint] as const] : []), ...more(...unusable.map(describeUnusable))];
}

const RETURN_TEXTS: Readonly<Record<ReturnOutcome, string>> = {
	shown: "a recap was shown",
	off: "no recap, automatic recaps are off",
	working: "no recap, the agent was working",
	too_little: "no recap, the reply was short",
	seen: "no recap, nothing changed since the last one",
	brief: "no recap, you were away only briefly",
};

function returnRows({ presence }: Reported): Rows {
	const last = presence.state.lastReturn;
	return [
		[
			"return",
			last ? `last return ${clockOf(last.at)}: ${RETURN_TEXTS[last.outcome]}` : "you have not been away yet",
		],
		["needs", "a tool call, 30 words of reply, an abort or an error since your last prompt"],
	];
}

function lastLine(last: Last | undefined): string {
	if (!last) return "no recap of the current state yet";
	const { record, isAsking, failure, tried = [] } = last;
	if (isAsking) return "request in progress";
	if (!isQuoted(record)) return [writtenBy(record), ...tried.map(describeTried)].join("; ");
	if (!failure) return "without a model";
	const { reason, status } = failure;
	if (reason === "asked")
		return "without a model (a model has already been called for this state; type /recap to call it again)";
	if (reason === "cut_off") return `without a model. ${describeFailure({ reason }, failure.model)}`;
	return `without a model (${reason.replaceAll("_", " ")}${status === undefined ? "" : `, HTTP ${status}`})`;
}

function countedRow({ budget }: Pick<Reported, "budget">): Rows[number] {
	const problem = budget.problem();
	return ["counted", problem === undefined ? `in ${budget.path()}` : uncountedText(problem)];
}

function spendingLine({ calls, cost }: Spending): string {
	return `${calls} ${calls === 1 ? "call" : "calls"}, ${costText(cost)}`;
}

function timesLine(limits: RecapConfig["limits"]): string {
	const seconds = (ms: number) => `${ms / 1000} s`;
	const away = `away ${seconds(limits.awayMs)}, or ${seconds(limits.focusMinMs)} if the agent finished`;
	return limits.focus ? `${away}; idle ${seconds(limits.idleMs)}` : `idle ${seconds(limits.idleMs)}`;
}

interface Findings {
	terminalName: string | undefined;
	/**
	 * The value of tmux's `focus-events` option, which is undefined outside tmux and empty if tmux does
	 * not report the option.
	 */
	tmuxFocus: string | undefined;
	sharedCommands: readonly string[];
	promptLength: number;
}

export function recapSection(
	recap: Reported & Pick<RecapSession, "terminal">,
	findings: Findings,
): DoctorSection {
	const { off } = recap.config();
	const { promptLength } = findings;
	return {
		title: "recap doctor",
		rows: [
			["automatic", off ? offText(off, "recap") : "on"],
			["terminal", terminalLine(recap, findings)],
			...returnRows(recap),
			...modelRows(recap),
			[
				"sends",
				`about ${Math.ceil(promptLength / 4)} tokens (${promptLength} characters), secrets removed; /recap doctor --prompt shows them`,
			],
			...findings.sharedCommands.map((line) => ["commands", line] as const),
			countedRow(recap),
		],
	};
}

function terminalLine(
	{ terminal, config }: Pick<RecapSession, "terminal" | "config">,
	{ terminalName, tmuxFocus }: Findings,
): string {
	const name = clipColumns(terminalName ?? "unnamed", 40);
	const { isTerminal, focusSeen } = terminal();
	if (!isTerminal) return "none: a program runs pi, so only /recap shows a recap";
	if (!config().limits.focus) return `${name}: focus reports are off; recaps appear only after the idle time`;
	if (focusSeen) return `${name}: reports focus`;
	if (tmuxFocus !== undefined) return tmuxLine(tmuxFocus);
	return `${name}: no focus report yet. Switch to another window and back; until then, recaps appear only after the idle time`;
}

function tmuxLine(focus: string): string {
	if (focus === "on")
		return "tmux forwards focus reports, but none has arrived yet; until then, recaps appear only after the idle time";
	if (focus === "off")
		return 'tmux does not forward focus reports. Put "set -g focus-events on" into ~/.tmux.conf and reload it';
	return "tmux: unknown whether it forwards focus reports; see its option focus-events";
}
