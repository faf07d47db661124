import { type ExtensionContext, getAgentDir, isInTerminal, VERSION } from "../../session-core/pi/index.ts";
import {
	canGo,
	explainObstacle,
	type GoOutcome,
	goTo,
	isRepairable,
	type Lease,
	obstacleToOpening,
	type SessionView,
} from "../../session-core/sessions/index.ts";
import { isFolder } from "../../session-core/text/index.ts";
import { describeWriter, otherWriter } from "../live/leases.ts";
import { type Act, type Asking, branches, decisionOn, type Facts, type Leaving } from "./decision.ts";

export function leaseOf(row: SessionView): Lease | undefined {
	return otherWriter(getAgentDir(), { sessionFile: row.path, sessionId: row.id });
}

/** Describes another process that has the session open. */
export function writerOf(row: SessionView): string | undefined {
	const lease = leaseOf(row);
	return lease && describeWriter(lease);
}

export function notOurs({ format: { canOpen, mark }, id }: SessionView): string | undefined {
	return canOpen
		? undefined
		: `This session belongs to ${mark}, so pi does not change its file. To continue it in pi, type /resume-from ${id}; to continue it in ${mark}, run pi-sessions resume ${id}.`;
}

export async function factsOf(
	act: Act,
	row: SessionView,
	ctx: Pick<ExtensionContext, "ui" | "isIdle">,
): Promise<Facts> {
	const lease = leaseOf(row);
	const others = notOurs(row);
	const writes = act === "open" ? "file" : "copy";
	const obstacle = others ? undefined : await obstacleToOpening(row.path, { version: () => VERSION, writes });
	const damaged = obstacle !== undefined && isRepairable(obstacle);
	return {
		row,
		blocked: others ?? (obstacle && !damaged ? explainObstacle(obstacle) : undefined),
		damaged,
		cwdExists: row.cwd === "" || isFolder(row.cwd),
		writer: lease && describeWriter(lease),
		canGo: lease !== undefined && canGo(lease),
		busy: !ctx.isIdle(),
		hostAsksForCwd: isInTerminal(ctx),
	};
}

interface DecideWith extends Asking {
	here: string;
	go(row: SessionView): Promise<GoOutcome>;
	isOneKey: boolean;
}

/**
 * Returns a function that determines the facts about a session and asks the user to resolve every
 * doubt. If no act is given, a session that is set to be resumed in a fork is forked, and any other session
 * is opened.
 */
export function decider(ctx: ExtensionContext, { isOneKey }: Pick<DecideWith, "isOneKey">) {
	return async (wanted: Act | undefined, row: SessionView, asking: Asking): Promise<Leaving | undefined> => {
		const act = wanted ?? (branches(row) ? "fork" : "open");
		return decide(act, await factsOf(act, row, ctx), { here: ctx.cwd, go, isOneKey, ...asking });
	};
}

export async function decide(
	act: Act,
	facts: Facts,
	{ here, go, ask, say, isOneKey }: DecideWith,
): Promise<Leaving | undefined> {
	const decision = decisionOn(act, facts, { here, isOneKey });
	if (decision.type === "refuse") return void say(decision.why, "warning");
	if (decision.type === "leave") return decision.leaving;
	const { question, goesThere } = decision;
	if (!goesThere) return ask(question);
	const { text, choices } = question;
	if (!isOneKey) {
		const goThere = { label: "Go there", value: "go" as const };
		const answer = await ask<Leaving | "go">({ text, choices: [goThere, ...choices] });
		if (answer !== "go") return answer;
	}
	const { ok, message } = await go(facts.row);
	return ok ? void say(message, "info") : ask({ text: `${message} ${text}`, choices });
}

async function go(row: SessionView): Promise<GoOutcome> {
	const lease = leaseOf(row);
	return lease
		? goTo(lease)
		: { ok: false, reason: "no_way", message: "The session was closed in the other terminal a moment ago." };
}
