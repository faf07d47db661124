import {
	artifactName,
	type CardWords,
	isRepeated,
	longAge,
	movedTopic,
	newBullets,
	nextLines,
	openOf,
	openPoints,
	type SessionRecord,
	sentencesOfNote,
	stateLine,
} from "../../session-core/recap/index.ts";
import { OUTCOME_COLORS } from "../../session-core/sessions/index.ts";
import {
	type Changes,
	cleanLine,
	clipColumns,
	joinText,
	sentencesOf,
	shownName,
} from "../../session-core/text/index.ts";

interface CardFacts {
	recap: SessionRecord;
	at: number | undefined;
	/** The share of the model's context window that is in use, from 0 to 1. */
	fill?: number | undefined;
	name?: string | undefined;
	words: CardWords;
	now: number;
	repository: string;
}

export type CardContent = ReturnType<typeof cardContent>;

export function cardContent({ recap, at, fill, name, now, repository, words }: CardFacts) {
	const age = at === undefined ? "" : longAge(at, now, words.language);
	const outcome = { text: stateLine(recap, words), color: OUTCOME_COLORS[recap.outcome] };
	const { waits } = openOf(recap);
	const sentences = sentencesOfNote(recap);
	const isNote = sentences !== undefined;
	const points = nextLines(recap, words);
	const headline = isNote ? withoutRepeated(sentences, recap.next_actions) : (recap.text ?? recap.headline);
	const title = isNote ? cleanLine(name ?? recap.headline) : "";
	const open = new Set(openPoints({ ...recap, text: headline }).map(({ text }) => text));
	const next = recap.next_actions.flatMap((text, index) => {
		const line = points[index] ?? "";
		// `/resume-here` accepts the number of a step, as in `/resume-here 2`.
		return open.has(text) ? [points.length > 1 ? `${index + 1} ${line}` : line] : [];
	});
	const bullets = newBullets(recap, [headline, ...open], words);
	const said = bullets.findIndex(({ kind }) => kind === "said");
	// If the agent's reply contains a list, the card quotes the list and not the sentences before it.
	const list = bullets.findIndex(({ line }, index) => said >= 0 && index >= said && line.includes("; "));
	const choices = list < 0 ? said : list;
	const isNamed = ({ kind, label }: SessionRecord["artifacts"][number]): boolean =>
		kind === "file" && bullets.some(({ line }) => line.includes(label));
	return {
		state: [age, outcome.text].filter(Boolean).join(" · "),
		outcome,
		waits,
		title,
		topic: movedTopic(recap, name),
		headline,
		isNote,
		bullets: bullets.map(({ line }) => line),
		choices: waits && choices >= 0 ? choices : undefined,
		next,
		artifacts: recap.artifacts
			.filter((artifact) => !isNamed(artifact))
			.map(artifactName)
			.join(" · "),
		fresh: freshLine({ fill, at, now }),
		repository: repository && words.repository(repository),
		/** The symbol on the card is dimmed if the recap was written without a model. */
		offline: recap.generator.type === "heuristic",
	};
}

function withoutRepeated(sentences: string, next: readonly string[]): string {
	const all = sentencesOf(sentences);
	const left = all.filter((sentence) => !isRepeated(sentence, next));
	return left.length > 0 && left.length < all.length ? joinText(left) : sentences;
}

/** If more than this share of the model's context window is in use, the card suggests a new session. */
const FULL = 0.7;
/** The session age, in milliseconds, above which the card suggests starting a new session. */
const OLD_MS = 7 * 24 * 60 * 60 * 1_000;

export function freshLine({
	fill = 0,
	at = Number.POSITIVE_INFINITY,
	now,
}: Pick<CardFacts, "fill" | "at" | "now">): string {
	const offer = "/resume-here --fresh: new session with this recap";
	if (fill > FULL) return `${offer} · context ${Math.min(100, Math.round(fill * 100))} % full`;
	return now - at > OLD_MS ? offer : "";
}

const BRANCH_COLUMNS = 40;

export function describeChanges(
	then: SessionRecord["workspace"],
	now: Changes | undefined,
	words: CardWords,
): string {
	if (!now) return "";
	const { git_branch: was, git_head: from = "" } = then ?? {};
	const { head, commits, dirty } = now;
	const branch = now.branch === undefined ? undefined : shownName(now.branch);
	const name = (one: string) => clipColumns(cleanLine(one), BRANCH_COLUMNS);
	const isMoved = /^[\da-f]{7,64}$/.test(from) && head !== undefined && from !== head;
	// After a rebase or a reset, git reports no new commits, even though HEAD has moved.
	const moved = () =>
		commits ? words.commitsSince(commits) : words.headMoved(from.slice(0, 7), (head ?? "").slice(0, 7));
	return [
		was !== undefined && was !== branch && words.onBranch(name(branch ?? "detached HEAD"), name(was)),
		isMoved && moved(),
		dirty && words.uncommitted(dirty),
	]
		.filter(Boolean)
		.join(" · ");
}
