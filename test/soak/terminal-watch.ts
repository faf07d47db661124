import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { SUSPENDED } from "../host/job-control.ts";
import type { Sandbox } from "../host/sandbox.ts";
import type { TerminalHost } from "../host/terminal-host.ts";
import { leaksIn, type Planted } from "./secrets.ts";

/** Shown by the external editor. Enter leaves it. */
export const EDITING = "[editor: Enter to leave]";
/** Text on the screen while another program has the terminal. Enter ends that program. */
export const OTHER_PROGRAMS = [EDITING, SUSPENDED];

/** Environment of a host with an external editor that does not change the text. */
export function placeEditor({ root }: Pick<Sandbox, "root">): Record<string, string> {
	const path = join(root, "editor.sh");
	writeFileSync(path, `printf '%s' '${EDITING}'\nread -r _\n`);
	return { EDITOR: `sh ${path}` };
}

/** Notifications (OSC 9, 99, 777) and clipboard writes (OSC 52). */
const REQUESTS = /\x1b\](?:(?:9|99|777);([^\x07\x1b]*)|52;c;([A-Za-z0-9+/=]+))(?:\x07|\x1b\\)/g;

/** Secrets in notifications and on the clipboard. */
export function requestLeaks(raw: string, planted: readonly Planted[]): string[] {
	return [...raw.matchAll(REQUESTS)].flatMap(([, message = "", copied = ""]) => {
		const text = `${message}${Buffer.from(copied, "base64").toString("utf8")}`;
		return leaksIn(text, planted).map((kind) => `${kind} in a notification or on the clipboard: ${text}`);
	});
}

/**
 * Terminal modes that must be off after the end of a host and while it is suspended. The host itself sets bracketed paste, and resets
 * it only at an orderly end.
 */
export function modeFaults({ screen, raw }: TerminalHost, way: string, how: "orderly" | "abrupt"): string[] {
	const { sendFocusMode, bracketedPasteMode, mouseTrackingMode } = screen.modes();
	const faults: string[] = [];
	if (sendFocusMode) faults.push(`focus reports are still on at ${way}: ${tail(raw)}`);
	if (how === "orderly" && bracketedPasteMode) faults.push(`bracketed paste is still on at ${way}`);
	if (mouseTrackingMode !== "none") faults.push(`mouse reports are still on at ${way}`);
	return faults;
}

/** The switches of focus reports and the last bytes, for messages. */
function tail(raw: string): string {
	const switches = [...raw.matchAll(/\x1b\[\?1004([hl])/g)].map(([, to]) => to).join("");
	return `${switches} … ${JSON.stringify(raw.slice(-600))}`;
}
