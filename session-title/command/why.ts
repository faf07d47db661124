import type { DoctorSection } from "../../session-core/command/doctor.ts";
import { type Candidate, formatSpec } from "../../session-core/model/choose-model.ts";
import type { NameRefusal } from "../../session-core/session-file/name-precedence.ts";
import type { TitleSource } from "../../session-core/session-file/name-records.ts";
import type { OffReason } from "../../session-core/settings/flags.ts";
import type { FailedTitle } from "../ask.ts";
import { MAX_ATTEMPTS } from "../limits.ts";
import type { GuardReason } from "../when-to-request.ts";
import { describeFailed } from "./answers.ts";

/** The facts for `/rename --why` and the doctor. They do not contain the name, because users share the doctor's output. */
export interface TitleFacts {
	/** Who chose the name, and the model that wrote it, if one did; undefined if the session has no name. */
	name: { source: TitleSource; model: string | undefined } | undefined;
	/** Why no title is requested now. */
	whyNot: GuardReason | NameRefusal | undefined;
	attempts: number;
	/** Why the last request in this run of pi gave no title, if it gave none. */
	failed: FailedTitle | undefined;
	off: OffReason | undefined;
	/** The models that may be called automatically. */
	candidates: readonly Candidate[];
}

const REASONS: Readonly<Record<Exclude<GuardReason | NameRefusal, "off">, string>> = {
	named: "a name was chosen or removed",
	in_flight: "a request to a model is in progress",
	attempts: `all ${MAX_ATTEMPTS} automatic attempts have been used`,
	not_interactive: "this run is not interactive",
	not_kept: "the session is not saved",
	no_model:
		"no model is cheap enough for automatic calls; set title.model or fastModel, or pass --title-model",
	asked: "a model has already been called automatically at this point in the session",
	no_topic: "the session has no topic yet",
	daily_limit: "today's limit for automatic calls has been reached",
	named_meanwhile: "another process has named the session",
	moved_on: "another process has continued the session",
	unreadable: "the session's file cannot be read",
	not_written: "the session's file cannot be written",
};

/** Returns where the name comes from, or why the session has none. */
export function whyText(facts: TitleFacts): string {
	const { name, whyNot, off } = facts;
	if (name?.source === "manual") return "you chose this name; type /rename --auto to ask a model for one";
	if (name && name.model === undefined)
		return "this name is your own prompt, which is short and clear; type /rename --auto to ask a model for one";
	if (name) return "a model chose this name; type /rename --auto to ask for a new one";
	const last = facts.failed ? `. Last request: ${describeFailed(facts.failed)}` : "";
	if (whyNot === undefined) return `none yet: a title will be requested when the agent has finished${last}`;
	if (whyNot === "off")
		return `none: automatic titles are off (${off === undefined ? "setting" : explainSwitch(off)})${last}`;
	return `none: ${REASONS[whyNot]}${last}`;
}

export function titleSection(facts: TitleFacts): DoctorSection {
	const models = facts.candidates.map(({ model, source }) => `${formatSpec(model)} (${source})`);
	return {
		title: "title",
		rows: [
			["automatic", facts.off === undefined ? "on" : `off (${explainSwitch(facts.off)})`],
			// The provider's words may quote the session.
			["name", whyText({ ...facts, failed: facts.failed && { ...facts.failed, detail: undefined } })],
			["model", models.join(", then ") || "automatic calls to models are not allowed"],
			["attempts", `${facts.attempts} of ${MAX_ATTEMPTS} in this session`],
		],
	};
}

function explainSwitch(reason: OffReason): string {
	switch (reason) {
		case "flag":
			return "--title-disable";
		case "environment":
			return "PI_DISABLE_AUTO_TITLE=1";
		case "setting":
			return "title.enabled";
		case "project":
			return "the project's .pi/session-suite.json";
		case "unreadable":
			return "a settings file cannot be read; type /recap doctor to see which one";
	}
}
