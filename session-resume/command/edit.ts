import {
	editable,
	editedRecord,
	MAX_RECORD_TEXT,
	type SessionRecord,
	tidyHeadline,
	withHint,
} from "../../session-core/recap/index.ts";
import { baseName, cleanLine, safeText } from "../../session-core/text/index.ts";

const SECTIONS = {
	headline: { heading: "Headline", most: Number.POSITIVE_INFINITY },
	bullets: { heading: "What happened", most: 5 },
	next_actions: { heading: "Next", most: 3 },
	artifacts: { heading: "Artifacts", most: 4 },
} as const;

type Section = keyof typeof SECTIONS;
const NAMES = Object.keys(SECTIONS) as Section[];

const KINDS: readonly SessionRecord["artifacts"][number]["kind"][] = ["file", "commit", "url", "command"];

export function toText(stored: SessionRecord): string {
	const { headline, bullets, next_actions, artifacts, resume_hint } = editable(stored);
	const list = (lines: readonly string[]) => lines.map((line) => `- ${line}\n`).join("");
	const parts: Record<Section, string> = {
		headline: `${headline}\n`,
		bullets: list(bullets),
		next_actions: list(next_actions),
		artifacts: list(artifacts.map(({ kind, locator }) => `${kind} ${locator}`)),
	};
	const texts = NAMES.map((name) => `# ${SECTIONS[name].heading}\n${parts[name]}`);
	const box = `[${resume_hint?.branch_on_resume ? "x" : " "}] resume in a fork\n`;
	return [...texts, box].join("\n");
}

const BOX = /^\s*(?:[-*•]\s+)?\[\s*(\S?)\s*\] resume in a fork\s*$/gim;

type EditOutcome = { ok: true; recap: SessionRecord } | { ok: false; problem: string };

/** Lines that the user did not change stay as they were stored, and typed text is never cut. */
export function fromText(text: string, shown: SessionRecord, current = shown): EditOutcome {
	const opened = editable(shown);
	const [typed, before] = [readSections(text), readSections(toText(opened))];
	const isHeadlineKept = typed.headline.join(" ") === before.headline.join(" ");
	const headline = isHeadlineKept ? opened.headline : typed.headline.join(" ");
	if (tidyHeadline(headline) === "") return { ok: false, problem: "The recap has no headline." };
	const problem = problemIn(typed);
	if (problem !== undefined) return { ok: false, problem };
	const { bullets, next_actions } = typed;
	const artifacts = typed.artifacts.flatMap((line) => readArtifact(line, opened));
	const recap = { ...editedRecord(shown, { headline, bullets, next_actions }, current), artifacts };
	const mark = [...text.matchAll(BOX)].at(-1)?.[1];
	const branches = mark === undefined ? opened.resume_hint?.branch_on_resume : mark !== "";
	return { ok: true, recap: withHint(recap, { branch_on_resume: branches === true }) };
}

function problemIn(typed: Readonly<Record<Section, string[]>>): string | undefined {
	for (const name of NAMES) {
		const { heading, most } = SECTIONS[name];
		const lines = typed[name];
		if (lines.length > most)
			return `The section "${heading}" has ${lines.length} lines, but at most ${most} can be saved.`;
		if (lines.some((line) => line.length > MAX_RECORD_TEXT))
			return `A line in the section "${heading}" has more than ${MAX_RECORD_TEXT} characters.`;
	}
	return undefined;
}

/** Users may delete headings, so text before the first heading counts as the headline. */
function readSections(text: string): Record<Section, string[]> {
	const sections: Record<Section, string[]> = { headline: [], bullets: [], next_actions: [], artifacts: [] };
	let current: Section = "headline";
	for (const line of text.replace(BOX, "").split("\n")) {
		const heading = /^#+\s*(.+?)\s*$/.exec(line)?.[1]?.toLowerCase();
		const named = NAMES.find((name) => SECTIONS[name].heading.toLowerCase() === heading);
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
