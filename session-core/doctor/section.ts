import { cleanLine } from "../text/sanitize.ts";

/** What one extension says of itself to `/recap doctor`: nothing of what was said in a session. */
export interface DoctorSection {
	title: string;
	/** Label and text; without a label, more of the row before. */
	rows: readonly (readonly [label: string, text: string])[];
}

/** The sections as a command answers: one line a row. */
export function sectionsText(sections: readonly DoctorSection[]): string {
	const width = Math.max(0, ...sections.flatMap(({ rows }) => rows.map(([label]) => label.length)));
	return sections
		.flatMap(({ title, rows }) => [
			title,
			...rows.map(([label, text]) => `  ${label.padEnd(width)}  ${cleanLine(text)}`),
		])
		.join("\n");
}

/** The same as Markdown for an issue, with the home folder as `~`: its name is the user's. */
export function sectionsReport(sections: readonly DoctorSection[], home: string): string {
	const tables = sections.map(({ title, rows }) =>
		[
			`### ${title}`,
			"",
			...rows.map(([label, text]) => `- ${label === "" ? "" : `**${label}** `}${cell(text, home)}`),
		].join("\n"),
	);
	return tables.join("\n\n");
}

function cell(text: string, home: string): string {
	const line = cleanLine(text);
	return home === "" || home === "/" ? line : line.replaceAll(home, "~");
}
