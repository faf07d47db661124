import {
	editable,
	editedRecord,
	MAX_RECORD_TEXT,
	type SessionRecord,
	tidyHeadline,
	withHint,
} from "../../session-core/recap/index.ts";
import { baseName, cleanLine, safeText } from "../../session-core/text/index.ts";

/** State and checks cannot be edited, because they come from the log. */
const HEADINGS = {
	headline: "Headline",
	bullets: "What happened",
	next_actions: "Next",
	artifacts: "Artifacts",
} as const;

type Section = keyof typeof HEADINGS;

const KINDS: readonly SessionRecord["artifacts"][number]["kind"][] = ["file", "commit", "url", "command"];

export function toText(stored: SessionRecord): string {
	const recap = editable(stored);
	const items = (lines: readonly string[]) => lines.map((line) => `- ${line}`);
	return [
		`# ${HEADINGS.headline}`,
		recap.headline,
		"",
		`# ${HEADINGS.bullets}`,
		...items(recap.bullets),
		"",
		`# ${HEADINGS.next_actions}`,
		...items(recap.next_actions),
		"",
		`# ${HEADINGS.artifacts}`,
		...items(recap.artifacts.map(({ kind, locator }) => `${kind} ${locator}`)),
		"",
		`[${recap.resume_hint?.branch_on_resume ? "x" : " "}] resume in a fork`,
		"",
	].join("\n");
}

/** Matches a checkbox, with or without a list marker in front of it. */
const BOX = /^\s*(?:[-*•]\s+)?\[\s*(\S?)\s*\] resume in a fork\s*$/gim;

type EditOutcome = { ok: true; recap: SessionRecord } | { ok: false; problem: string };

/**
 * Returns the record `current` with the words that the user edited in the text of the record `shown`. Lines that the user did not change
 * stay as they are stored, and nothing that the user typed is cut. If the text cannot be stored, `problem` is a clause that says why.
 */
export function fromText(text: string, shown: SessionRecord, current = shown): EditOutcome {
	const opened = editable(shown);
	const [typed, before] = [readSections(text), readSections(toText(opened))];
	const isHeadlineKept = typed.headline.join(" ") === before.headline.join(" ");
	const headline = isHeadlineKept ? opened.headline : typed.headline.join(" ");
	if (tidyHeadline(headline) === "") return { ok: false, problem: "the recap has no headline" };
	const problem = problemIn(typed);
	if (problem !== undefined) return { ok: false, problem };
	const { bullets, next_actions } = typed;
	const artifacts = typed.artifacts.flatMap((line) => readArtifact(line, opened));
	const recap = { ...editedRecord(shown, { headline, bullets, next_actions }, current), artifacts };
	const mark = [...text.matchAll(BOX)].at(-1)?.[1];
	const branches = mark === undefined ? opened.resume_hint?.branch_on_resume : mark !== "";
	return { ok: true, recap: withHint(recap, { branch_on_resume: branches === true }) };
}

const MOST: Partial<Record<Section, number>> = { bullets: 5, next_actions: 3, artifacts: 4 };

function problemIn(typed: Readonly<Record<Section, string[]>>): string | undefined {
	for (const section of Object.keys(HEADINGS) as Section[]) {
		const [lines, most = lines.length] = [typed[section], MOST[section]];
		const heading = `"# ${HEADINGS[section]}"`;
		if (lines.length > most) return `${heading} has ${lines.length} lines, and at most ${most} can be saved`;
		if (lines.some((line) => line.length > MAX_RECORD_TEXT))
			return `a line below ${heading} has more than ${MAX_RECORD_TEXT} characters`;
	}
	return undefined;
}

/** Text before the first heading counts as the headline, because users delete headings. */
function readSections(text: string): Record<Section, string[]> {
	const sections: Record<Section, string[]> = {
		headline: [],
		bullets: [],
		next_actions: [],
		artifacts: [],
	};
	let current: Section = "headline";
	for (const line of text.replace(BOX, "").split("\n")) {
		const heading = /^#+\s*(.+?)\s*$/.exec(line)?.[1]?.toLowerCase();
		const named = (Object.keys(HEADINGS) as Section[]).find((key) => HEADINGS[key].toLowerCase() === heading);
		const item = line.replace(/^\s*[-*•]\s+/, "").trim();
		if (named) current = named;
		else if (item !== "") sections[current].push(item);
	}
	return sections;
}

function readArtifact(line: string, { artifacts }: SessionRecord): SessionRecord["artifacts"] {
	const own = artifacts.find(({ kind, locator }) => line === `${kind} ${locator}`);
	if (own) return [own];
	const [word = "", ...others] = line.split(/\s+/);
	const named = KINDS.find((kind) => kind === word.toLowerCase());
	const locator = cleanLine(safeText(named ? others.join(" ") : line));
	if (locator === "") return [];
	const kind = named ?? (/^https?:\/\//.test(locator) ? "url" : "file");
	const known = artifacts.find((artifact) => artifact.kind === kind && artifact.locator === locator);
	return [known ?? { kind, label: kind === "file" ? baseName(locator) : locator, locator }];
}
