import type { Recap } from "../../session-core/recap/record.ts";
import { baseName } from "../../session-core/text/paths.ts";
import { redact } from "../../session-core/text/redact.ts";
import { cleanLine } from "../../session-core/text/sanitize.ts";
import { tidyWords } from "./words.ts";

/** The parts of a record that a person edits, as headings of a plain text. State and checks stay what the log says. */
const HEADINGS = {
	headline: "Headline",
	bullets: "What happened",
	next_actions: "Next",
	artifacts: "Artifacts",
} as const;

type Section = keyof typeof HEADINGS;

const KINDS: readonly Recap["artifacts"][number]["kind"][] = ["file", "commit", "url", "command"];
const MAX_ARTIFACTS = 4;

/** A record as the text that the editor opens. */
export function toText(recap: Recap): string {
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
	].join("\n");
}

/** Undefined for a text without a headline: there is nothing that the card could begin with. */
export function fromText(text: string, recap: Recap): Recap | undefined {
	const sections = readSections(text);
	const words = tidyWords({
		headline: sections.headline.join(" "),
		bullets: sections.bullets,
		next_actions: sections.next_actions,
	});
	if (words.headline === "") return undefined;
	const { resume_hint: hint, ...rest } = recap;
	const [first] = words.next_actions;
	return {
		...rest,
		...words,
		generator: { type: "user_edited" },
		artifacts: sections.artifacts.flatMap((line) => readArtifact(line, recap)).slice(0, MAX_ARTIFACTS),
		...(first !== undefined && { resume_hint: { ...hint, seed_instruction: first } }),
	};
}

/** What stands before the first heading is the headline: people delete headings. */
function readSections(text: string): Record<Section, string[]> {
	const sections: Record<Section, string[]> = { headline: [], bullets: [], next_actions: [], artifacts: [] };
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

function readArtifact(line: string, { artifacts }: Recap): Recap["artifacts"] {
	const [word = "", ...others] = line.split(/\s+/);
	const named = KINDS.find((kind) => kind === word.toLowerCase());
	const locator = cleanLine(redact(cleanLine(named ? others.join(" ") : line)));
	if (locator === "") return [];
	const kind = named ?? (/^https?:\/\//.test(locator) ? "url" : "file");
	const known = artifacts.find((artifact) => artifact.kind === kind && artifact.locator === locator);
	return [known ?? { kind, label: kind === "file" ? baseName(locator) : locator, locator }];
}
