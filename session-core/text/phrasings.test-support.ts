/**
 * Tables of phrasings that hold secrets, one a line. In a line
 * - `⟦…⟧` stands around each secret, which nothing that leaves the session may hold,
 * - `·` stands for nothing: it parts a secret, so that no scanner finds one in these files,
 * - `⏎` stands for a line break, and a backslash before a grave accent for nothing.
 * Empty lines and lines that begin with `//` are left out.
 */
export interface Phrasing {
	text: string;
	secrets: string[];
}

/** The phrasings of a table. Throws on a line without a secret: it could not fail. */
export function readPhrasings(table: string): Phrasing[] {
	return table
		.split("\n")
		.map((line) => line.trim())
		.filter((line) => line !== "" && !line.startsWith("//"))
		.map(readPhrasing);
}

function readPhrasing(line: string): Phrasing {
	const whole = line.replaceAll("·", "").replaceAll("⏎", "\n").replaceAll("\\`", "`");
	const secrets = [...whole.matchAll(/⟦([^⟧]+)⟧/g)].map(([, secret = ""]) => secret);
	if (secrets.length === 0) throw new Error(`No secret is marked in: ${line}`);
	return { text: whole.replace(/[⟦⟧]/g, ""), secrets };
}

/** The secrets of a phrasing that still stand in what was made of it. */
export function leftIn(redacted: string, { secrets }: Phrasing): string[] {
	return secrets.filter((secret) => redacted.includes(secret));
}
