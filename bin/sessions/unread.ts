import type { ScanReport } from "../../session-core/store/scan.ts";
import { redact } from "../../session-core/text/redact.ts";
import { cleanLine } from "../../session-core/text/sanitize.ts";

/** Folders that are named. */
const TOLD = 3;

/** What listings could not read, in lines for the user: a session that is not shown is not one that is not there. */
export function unreadLines(reports: readonly Pick<ScanReport, "unread" | "left">[]): string[] {
	const folders = new Map(reports.flatMap(({ unread }) => unread.map((one) => [one.folder, one.code])));
	const files = Math.max(0, ...reports.map(({ left }) => left.unreadable ?? 0));
	const named = [...folders]
		.slice(0, TOLD)
		.map(([folder, code]) => redact(cleanLine(`${folder} cannot be read (${code}).`)));
	const more = folders.size > TOLD ? [`So it is with ${folders.size - TOLD} more folders.`] : [];
	const some = files > 0 ? [`${files} session ${files === 1 ? "file" : "files"} cannot be read.`] : [];
	return [...named, ...more, ...some];
}
