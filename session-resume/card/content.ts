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
import type { Changes } from "../../session-core/text/files/index.ts";
import { cleanLine, clipColumns, joinText, sentencesOf, shownName } from "../../session-core/text/index.ts";

interface CardFacts {
	recap: SessionRecord;
	/** When the last message was sent, in milliseconds since the epoch. */
	at: number | undefined;
	/** The fraction of the model's context window that is in use after the last reply, from 0 to 1; undefined if unknown. */
	fill?: number | undefined;
	name?: string | undefined;
	words: CardWords;
	now: number;
	repository: string;
}

export type CardContent = ReturnType<typeof cardContent>;

/** Returns the text of the card. The layout decides how much of it fits. */
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
		// This is the number that `/resume-here` accepts.
		return open.has(text) ? [points.length > 1 ? `${index + 1} ${line}` : line] : [];
	});
	const bullets = newBullets(recap, [headline, ...open], words);
	const said = bullets.findIndex(({ kind }) => kind === "said");
	// The items of a list are joined with semicolons. What precedes the list is less informative than the list.
	const list = bullets.findIndex(({ line }, index) => said >= 0 && index >= said && line.includes("; "));
	const choices = list < 0 ? said : list;
	const isNamed = ({ kind, label }: SessionRecord["artifacts"][number]): boolean =>
		kind === "file" && bullets.some(({ line }) => line.includes(label));
	return {
		state: [age, outcome.text].filter(Boolean).join(" · "),
		/** The outcome at the end of `state`, and its color. */
		outcome,
		waits,
		/** If there is a note, the session's name or, without one, the note's topic; otherwise empty. */
		title,
		topic: movedTopic(recap, name),
		/** A note's sentences, or the offline headline. */
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
		/** If so, the card's symbol is dimmed. */
		offline: recap.generator.type === "heuristic",
	};
}

/** Returns a model's sentences, except those that the card already shows as next steps. */
function withoutRepeated(sentences: string, next: readonly string[]): string {
	const all = sentencesOf(sentences);
	const left = all.filter((sentence) => !isRepeated(sentence, next));
	return left.length > 0 && left.length < all.length ? joinText(left) : sentences;
}

/** If more than this fraction of the model's context window is in use, a new session is suggested. */
const FULL = 0.7;
/** After this time, a new session is suggested, because the model would have to read the whole conversation again. */
const OLD_MS = 7 * 24 * 60 * 60 * 1_000;

/** Returns the line that suggests a new session; empty for a session that is neither large nor old. */
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

/** Returns what has changed in the repository since a record was written; empty if nothing has changed. */
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
	// If git reports no new commits (for example, after a rebase or a reset), the only certain fact is that HEAD has moved.
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
