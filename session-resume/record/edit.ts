import { nextOf, pointsOf, type SessionRecord, tidyWords } from "../../session-core/recap/index.ts";
import { baseName, cleanLine, safeText } from "../../session-core/text/index.ts";

/**
 * The headings under which a user edits the parts of a record as plain text. State and checks cannot be edited, because they come from
 * the log.
 */
const HEADINGS = {
	headline: "Headline",
	bullets: "What happened",
	next_actions: "Next",
	artifacts: "Artifacts",
	resume: "Resume with (empty: the first step)",
} as const;

type Section = keyof typeof HEADINGS;

const KINDS: readonly SessionRecord["artifacts"][number]["kind"][] = ["file", "commit", "url", "command"];
const MAX_ARTIFACTS = 4;

/** Returns a record as the text that is opened in the editor. */
export function toText(recap: SessionRecord): string {
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
		`# ${HEADINGS.resume}`,
		...(ownSeed(recap) === undefined ? [] : [ownSeed(recap)]),
		`[${recap.resume_hint?.branch_on_resume ? "x" : " "}] in a fork`,
		"",
	].join("\n");
}

/** Returns the instruction for resuming the session if it differs from the first next step; otherwise, undefined. */
function ownSeed({ resume_hint: hint, next_actions: [first] }: SessionRecord): string | undefined {
	return hint?.seed_instruction === (first ?? "") ? undefined : hint?.seed_instruction || undefined;
}

const MAX_NEXT = 3;

/** Matches a checkbox, with or without text after it. */
const BOX = /^\[\s*(\S?)\s*\]/;

/** Parses the edited text. Returns undefined if it has no headline. */
export function fromText(text: string, recap: SessionRecord): SessionRecord | undefined {
	const sections = readSections(text);
	const words = tidyWords({
		headline: sections.headline.join(" "),
		bullets: sections.bullets,
		next_actions: sections.next_actions,
	});
	if (words.headline === "") return undefined;
	const { resume_hint: hint, next_kinds: _, ...rest } = recap;
	// A next step that was not edited keeps its kind.
	const known = pointsOf(recap);
	const points = words.next_actions.map(
		(text) => known.find((point) => point.text === text) ?? { kind: "step" as const, text },
	);
	const hinted = readHint(sections.resume, words.next_actions[0], hint);
	// What is sent is what is shown, so an instruction of the user's own becomes the first next step.
	const seed = hinted?.seed_instruction;
	if (seed && seed !== points[0]?.text)
		points.splice(0, points.length, ...[{ kind: "step" as const, text: seed }, ...points].slice(0, MAX_NEXT));
	return {
		...rest,
		...words,
		...nextOf(points),
		generator: { type: "user_edited" },
		artifacts: sections.artifacts.flatMap((line) => readArtifact(line, recap)).slice(0, MAX_ARTIFACTS),
		...(hinted && { resume_hint: hinted }),
	};
}

type Hint = NonNullable<SessionRecord["resume_hint"]>;

function readHint(
	lines: readonly string[],
	first: string | undefined,
	hint: Hint | undefined,
): Hint | undefined {
	const { branch_on_resume: before, ...model } = hint ?? {};
	const box = lines.map((line) => BOX.exec(line)?.[1]).findLast((mark) => mark !== undefined);
	const branches = box === undefined ? before : box !== "";
	const own = lines.filter((line) => !BOX.test(line)).map((line) => cleanLine(safeText(line)));
	const seed = own.filter(Boolean).join("\n") || (first ?? "");
	if (seed === "" && !branches) return undefined;
	return { ...model, seed_instruction: seed, ...(branches && { branch_on_resume: true }) };
}

/** Text before the first heading counts as the headline, because users delete headings. */
function readSections(text: string): Record<Section, string[]> {
	const sections: Record<Section, string[]> = {
		headline: [],
		bullets: [],
		next_actions: [],
		artifacts: [],
		resume: [],
	};
	let current: Section = "headline";
	for (const line of text.split("\n")) {
		const heading = /^#+\s*(.+?)\s*$/.exec(line)?.[1]?.toLowerCase();
		const named = (Object.keys(HEADINGS) as Section[]).find((key) => HEADINGS[key].toLowerCase() === heading);
		const item = line.replace(/^\s*[-*•]\s+/, "").trim();
		if (named) current = named;
		else if (item !== "") sections[current].push(item);
	}
	return sections;
}

function readArtifact(line: string, { artifacts }: SessionRecord): SessionRecord["artifacts"] {
	const [word = "", ...others] = line.split(/\s+/);
	const named = KINDS.find((kind) => kind === word.toLowerCase());
	const locator = cleanLine(safeText(named ? others.join(" ") : line));
	if (locator === "") return [];
	const kind = named ?? (/^https?:\/\//.test(locator) ? "url" : "file");
	const known = artifacts.find((artifact) => artifact.kind === kind && artifact.locator === locator);
	return [known ?? { kind, label: kind === "file" ? baseName(locator) : locator, locator }];
}
