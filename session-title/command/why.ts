import type { DoctorSection } from "../../session-core/command/doctor.ts";
import { type Candidate, formatSpec } from "../../session-core/model/choose-model.ts";
import type { NameRefusal } from "../../session-core/session-file/name-session.ts";
import type { OffReason } from "../../session-core/settings/flags.ts";
import { type GuardReason, MAX_ATTEMPTS } from "../guard.ts";

/** What `/rename --why` and the doctor are told; not the name itself, which is the session's content. */
export interface TitleFacts {
	/** Who chose the name; undefined: it has none. */
	source: "auto" | "manual" | undefined;
	/** Why no title is asked for now. */
	whyNot: GuardReason | NameRefusal | undefined;
	attempts: number;
	off: OffReason | undefined;
	/** Models that may be spent on it unasked. */
	candidates: readonly Candidate[];
}

const REASONS: Readonly<Record<Exclude<GuardReason | NameRefusal, "off">, string>> = {
	named: "a name was chosen, or taken away",
	in_flight: "a model is being asked right now",
	attempts: `it has had its ${MAX_ATTEMPTS} calls`,
	not_interactive: "nobody is in front of it",
	not_kept: "the session is not saved",
	no_model:
		"no model is cheap enough to be asked unasked; set title.model or fastModel, or pass --title-model",
	asked: "this state of the conversation has had its call",
	no_topic: "there is nothing to name it after yet",
	daily_limit: "today's limit for automatic calls is reached",
	named_meanwhile: "another process has named it",
	moved_on: "the session went on in another process",
	unreadable: "the session's file cannot be read",
	not_written: "the session's file cannot be written",
};

/** How the session came to its name, or why it has none. */
export function whyText(facts: TitleFacts): string {
	const { source, whyNot, off } = facts;
	if (source === "manual") return "you chose it, so nothing changes it but you; /rename --auto lets a model";
	if (source === "auto")
		return "a model chose it; it is not asked again by itself. /rename --auto asks again";
	if (whyNot === undefined) return "none yet: it is asked for when the agent has settled";
	if (whyNot === "off")
		return `none: automatic titles are off (${off === undefined ? "setting" : explainSwitch(off)})`;
	return `none: ${REASONS[whyNot]}`;
}

export function titleSection(facts: TitleFacts): DoctorSection {
	const models = facts.candidates.map(({ model, source }) => `${formatSpec(model)} (${source})`);
	return {
		title: "title",
		rows: [
			["by itself", facts.off === undefined ? "on" : `off (${explainSwitch(facts.off)})`],
			["name", whyText(facts)],
			["model", models.join(", then ") || "none that may be asked unasked"],
			["calls", `${facts.attempts} of ${MAX_ATTEMPTS} for this session`],
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
			return "a settings file cannot be read; /recap doctor names it";
	}
}
