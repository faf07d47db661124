import { cleanLine } from "../../text/index.ts";

/** One extension's report in `/recap doctor`. Contains no session text. */
export interface DoctorSection {
	title: string;
	/** Pairs of a label and a value. An empty label continues the row above. Values that may be secret are already redacted. */
	rows: readonly (readonly [label: string, text: string])[];
}

export function sectionsText(sections: readonly DoctorSection[]): string {
	const width = Math.max(0, ...sections.flatMap(({ rows }) => rows.map(([label]) => label.length)));
	return sections
		.flatMap(({ title, rows }) => [
			title,
			...rows.map(([label, text]) => `  ${label.padEnd(width)}  ${cleanLine(text)}`),
		])
		.join("\n");
}

/** Returns Markdown for a GitHub issue, without the names of the project's folder and the home folder, which are private. */
export function sectionsReport(
	sections: readonly DoctorSection[],
	folders: { home: string; project: string },
): string {
	const hidden = [
		[folders.project, "<project>"],
		[folders.home, "~"],
	].filter(([folder = ""]) => /[^\\/]/.test(folder));
	const safe = (text: string) =>
		hidden.reduce((line, [folder = "", name = ""]) => line.replaceAll(folder, name), cleanLine(text));
	const tables = sections.map(({ title, rows }) =>
		[
			`### ${safe(title)}`,
			"",
			...rows.map(([label, text]) => `- ${label === "" ? "" : `**${safe(label)}** `}${safe(text)}`),
		].join("\n"),
	);
	return tables.join("\n\n");
}
