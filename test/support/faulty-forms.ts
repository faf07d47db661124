import { ENGLISH } from "../../session-core/recap/card-words.ts";

const PAIRS = ["()", "[]", "{}", "（）", "「」", "“”"];
const { larger, asked, did, step, said, report, open, error, cutShort } = ENGLISH.recap;
const LABELS = [larger, asked, did, step, said, report, open, error, cutShort];

type Form = (line: string) => boolean;
const FORMS: Readonly<Record<string, Form>> = {
	"an unbalanced bracket": (line) =>
		PAIRS.some(([open = "", close = ""]) => times(line, open) !== times(line, close)),
	"an open quotation": (line) => times(line, '"') % 2 === 1 || times(line, "`") % 2 === 1,
	"a beginning in mid-thought": (line) =>
		/^(?:is|are|was|were|and|or|but|so|which|that|to|of|with|because|then|also|it|this|these|those)\s/.test(
			line,
		) || /^[,.;:)\]}|&]/.test(line),
	"an end in mid-thought": (line) =>
		/(?:[,:;]|&&|\||\\|\b(?:to|and|or|the|a|an|of|with|is|are|if|for|in|by))$/.test(line),
	// `src/**/*.ts` is a path, and `***.***` a redacted address.
	markdown: (line) => /^#{1,6} |(?<![/*])\*\*(?![/*])|^\||```|^[-*] /.test(line),
	"metadata as words": (line) =>
		// A placeholder inside an argument (`origin/<branch>`) is not a tag.
		/^\[(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) \d{4}-|untrusted metadata|(?:^|\s)<[a-z_-]+>|<\/[a-z_-]+>|A new session was started via/.test(
			line,
		),
	"a verdict": (line) => /not checked since|checks (?:passed|failed)|Nothing was changed for it/.test(line),
};

export function faultsIn(text: string): string[] {
	const seen = new Set<string>();
	const faults: string[] = [];
	for (const raw of text.split("\n")) {
		const item = raw.replace(/^- /, "");
		const label = LABELS.find((known) => item.startsWith(known)) ?? "";
		const line = item.slice(label.length).trim();
		const isPathOrAddress = /^\S*[/~.]\S*$/.test(line);
		if (line === "" || isPathOrAddress) continue;
		for (const [name, hasForm] of Object.entries(FORMS)) {
			if (hasForm(line)) faults.push(`${name}: ${line}`);
		}
		if (seen.has(line)) faults.push(`repeated: ${line}`);
		seen.add(line);
	}
	return faults;
}

function times(text: string, mark: string): number {
	return text.split(mark).length - 1;
}
