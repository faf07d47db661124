import { cleanLine } from "../text/index.ts";

export interface DoctorSection {
	title: string;
	rows: readonly (readonly [label: string, text: string])[];
}

export function sectionsText(sections: readonly DoctorSection[]): string {
	const width = Math.max(0, ...sections.flatMap(({ rows }) => rows.map(([label]) => label.length)));
	const lines = sections.flatMap(({ title, rows }) => [
		title,
		...rows.map(([label, text]) => `  ${label.padEnd(width)}  ${cleanLine(text)}`),
	]);
	return lines.join("\n");
}

/**
 * Returns Markdown for a GitHub issue. Folder names are private, so they are replaced with placeholders
 * such as `<project>`.
 */
export function sectionsReport(
	sections: readonly DoctorSection[],
	{ home, project }: { home: string; project: string },
): string {
	const hide = (line: string, folder: string, name: string) =>
		/[^\\/]/.test(folder) ? line.replaceAll(folder, name) : line;
	const safe = (text: string) => hide(hide(cleanLine(text), project, "<project>"), home, "~");
	const lists = sections.map(({ title, rows }) => {
		const items = rows.map(([label, text]) => `- ${label === "" ? "" : `**${safe(label)}** `}${safe(text)}`);
		return [`### ${safe(title)}`, "", ...items].join("\n");
	});
	return lists.join("\n\n");
}
