import { isUnsupported, type Shown } from "../../session-core/digest/claims.ts";

/** What a model's words are held against. */
export interface Ground {
	/** Everything that the model was given. */
	facts: string;
	/** What the log shows to have succeeded. */
	shown: Shown;
}

/** A path or file name with an extension, a commit hash, or a ticket number. */
const NAME =
	/(?:[\w@~-]+[\\/])*[\w@-][\w@.-]*\.[a-z]\w{0,7}\b(?!\()|\b(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{7,40}\b|#\d+\b/gi;
/** Looks like a file name and is none: versions and abbreviations. */
const NO_FILE = /^(?:[eg]\.[eg]|i\.e|v?\d[\w.]*)$/i;

/** Whether a line claims only what the session shows: names that occur in it, successes that the log has seen. */
export function isGrounded(line: string, { facts, shown }: Ground): boolean {
	if (isUnsupported(line, shown)) return false;
	const known = facts.toLowerCase();
	const names = (line.match(NAME) ?? []).filter((name) => !NO_FILE.test(name));
	return names.every((name) => known.includes(name.toLowerCase()));
}
