import { remedyFor } from "../digest/remedy.ts";
import { bareStep } from "../digest/statements.ts";
import type { Digest } from "../digest/types.ts";
import { isRequest } from "../digest/voice.ts";
import { isPartOf } from "./bullets.ts";
import { clausesOf } from "./clauses.ts";
import { intention } from "./narration.ts";
import { wholePhrase } from "./phrase.ts";
import { closingThought, plain, tidyEnd, wholeThought } from "./wording.ts";
import { shortCommand } from "./workbullets.ts";

const COLUMNS = 100;

/** The polite lead of an offer; what is offered stands behind it. */
const OFFER_LEAD =
	/^(?:if (?:you(?:'d)? (?:want|like|prefer|wish)|needed|helpful)[^,]*,\s*)?(?:(?:then )?(?:i|we) can (?:also |now |then )?|i(?:'d| would) be happy to |happy to )/i;

/** What is to be decided or done next, by what the log says. At most three. */
export function chooseNextActions(digest: Digest, headline: string): string[] {
	const actions: string[] = [];
	const add = (text: string | undefined): void => {
		const words = text === undefined ? "" : tidyEnd(plain(text)).replace(/\.$/, "");
		if (words !== "" && actions.length < 3 && !actions.includes(words)) actions.push(words);
	};
	if (digest.outcome === "aborted" || digest.outcome === "error" || digest.outcome === "running") {
		add(pickUp(digest, headline));
	} else if (digest.interrupted !== undefined && digest.questions.length === 0)
		add(interruptedStep(digest.interrupted));
	for (const question of digest.questions.slice(-2)) add(closingThought(plain(question), COLUMNS));
	for (const step of digest.nextSteps) add(wholeThought(bareStep(plain(step)), COLUMNS));
	for (const offer of digest.offers) add(offerWords(plain(offer).replace(OFFER_LEAD, "")));
	if (digest.pending !== undefined) add(closingThought(plain(digest.pending), COLUMNS));
	if (digest.checks === "failed") add(failingCheck(digest));
	return actions;
}

/** Languages that put the verb last say at the end what is offered. */
function offerWords(offer: string): string | undefined {
	return /[\p{Script=Hangul}\p{Script=Hiragana}]/u.test(offer)
		? closingThought(offer, COLUMNS)
		: wholeThought(offer, COLUMNS);
}

/** Where an interrupted run is to be picked up: what it was about to do, else what it was asked. */
function pickUp(digest: Digest, headline: string): string | undefined {
	const remedy = digest.outcome === "error" ? remedyFor(digest.endReason ?? "") : undefined;
	if (remedy) return remedy;
	const planned = digest.outcome === "error" ? undefined : planIn(digest.lastReply ?? "");
	if (planned) return planned;
	const cut = cutCheck(digest);
	if (cut) return cut;
	const request = digest.prompts.at(-1);
	if (
		request === undefined ||
		(!isRequest(request) && digest.prompts.length > 1 && digest.activity.toolCalls > 0)
	)
		return undefined;
	const isError = digest.outcome === "error";
	if (isPartOf(headline, plain(request)))
		return isError ? "Resend the request" : "Resend the request, or go on from here";
	const words = clausesOf(request).slice(0, 2).join(" ") || plain(request.trim().split("\n")[0] ?? "");
	const short = wholeThought(words, COLUMNS - 8) ?? wholePhrase(words, COLUMNS - 8);
	return short === undefined ? undefined : `Resend: ${short}`;
}

/** A check that was stopped before its end is the first thing to do again. */
function cutCheck({ commands }: Digest): string | undefined {
	const last = commands.at(-1);
	const isCut = last?.isCheck && last.inThread && (last.outcome === "aborted" || last.outcome === "unknown");
	return isCut ? wholeThought(`Run ${shortCommand(last.command)} again`, COLUMNS) : undefined;
}

/** What an interrupted run said last is where it was. */
function interruptedStep(text: string): string | undefined {
	const last = plain(text.split(/(?<=[.:!?])\s+/).at(-1) ?? "");
	return planIn(text) ?? wholeThought(`Continue: ${last}`, COLUMNS);
}

/** The last thing that a text says the agent was about to do. */
function planIn(text: string): string | undefined {
	const sentences = text.split(/(?<=[.:!?])\s+/).toReversed();
	const plan = sentences.map(intention).find((found) => found !== undefined);
	return plan && wholeThought(`Continue: ${plan}`, COLUMNS);
}

function failingCheck(digest: Digest): string | undefined {
	const failing = digest.commands.findLast((run) => run.inThread && run.isCheck && run.outcome === "failed");
	return failing && wholeThought(`Get ${shortCommand(failing.command)} to pass`, COLUMNS);
}
