import { setTimeout as pause } from "node:timers/promises";
import {
	type Answer,
	type Answerer,
	drop,
	empty,
	fail,
	hang,
	say,
	truncated,
	useTool,
} from "../host/answer.ts";
import type { ModelRequest } from "../host/model-request.ts";
import type { ScriptedModel } from "../host/scripted-model.ts";
import { anyOf, type Random } from "./random.ts";
import type { Planted } from "./secrets.ts";

/** Enables focus reports. Only in answers to side calls, because the host passes its agent's text on to the terminal. */
const SWITCH = "\x1b[?1004h";
/** Text with escape sequences, bidi controls and a lone surrogate. */
const HOSTILE =
	"\x1b]52;c;aGVsbG8=\x07\x1b[2J\x1b]8;;http://evil.example\x1b\\link\x1b]8;;\x1b\\\x9b31m\u202eRTL\u2066\ud83d";

const RECORD = {
	headline: "Deploy stops before the migration",
	bullets: ["looked at the deploy"],
	next_actions: ["run the migration"],
	outcome: "waiting",
};

/** Share of title requests during which a person names the session. */
const RACES = 0.6;
/** Share of slow answers, and their longest delay. */
const SLOW = 0.3;
const SLOW_MS = 3_000;

/** Faulty answers to any request. */
const FAULTS: readonly Answerer[] = [
	fail(500),
	fail(503, "overloaded"),
	fail(429, "slow down", 1),
	fail(401, "bad key"),
	fail(402, "credit balance is too low"),
	drop(),
	drop("<recap>Half of"),
	empty(),
	say("Reasoning without tags and tools."),
	hang(),
	say(HOSTILE),
	truncated("<recap>Fixing the deploy and th"),
];

/** Half of the side calls fail. The agent mostly answers, because side calls need new states. */
export function scriptFaults(
	model: ScriptedModel,
	random: Random,
	planted: readonly Planted[],
	titleAsked: (about: string) => void,
): void {
	const among = (good: () => Answer, faulty: number) => {
		return async (request: ModelRequest): Promise<Answer> => {
			const answerer = random() < faulty ? anyOf(random, FAULTS) : good();
			// A slow answer may arrive after the session was renamed, replaced or closed.
			if (random() < SLOW) await pause(random() * SLOW_MS);
			return typeof answerer === "function" ? answerer(request) : answerer;
		};
	};
	const hostileOr = (text: string) => (random() < 0.3 ? `${HOSTILE}${SWITCH} ${text}` : text);
	// A model may repeat a secret.
	const sentence = () => `The deploy stops before the migration. It uses ${anyOf(random, planted).text}.`;
	const title = among(() => useTool("set_session_title", { title: hostileOr("Deploy stops early") }), 0.3);
	model
		.always(
			"recap",
			among(() => say(`<recap>${hostileOr(sentence())}</recap>`), 0.5),
		)
		.always("title", (request) => {
			if (random() < RACES) titleAsked(request.transcript);
			return title(request);
		})
		.always(
			"record",
			among(() => useTool("write_recap_record", RECORD), 0.5),
		)
		.always("agent", (request) => agentAnswer(request, random, planted));
}

const TOOLS: readonly [string, Record<string, unknown>][] = [
	["bash", { command: "cat .env" }],
	["bash", { command: "ls && false" }],
	["read", { path: ".env" }],
	["write", { path: "notes.md", content: "# Notes\n" }],
];

function agentAnswer(
	request: ModelRequest,
	random: Random,
	planted: readonly Planted[],
): Answer | Promise<Answer> {
	if (request.step === 0 && /tool/.test(request.user))
		return useTool(...anyOf(random, TOOLS), "I'll have a look.");
	if (random() < 0.25) {
		const answerer = anyOf(random, FAULTS);
		return typeof answerer === "function" ? answerer(request) : answerer;
	}
	const more = random() < 0.4 ? ` It logs in with ${anyOf(random, planted).text}.` : "";
	return say(
		`The deploy stops before the migration; ${"nothing was changed yet, ".repeat(8)}I think.${more}`,
	);
}
