import { baseName } from "./paths.ts";

/** How clearly a text names a file, from 0 (not at all) to 0.6. */
export type Mention = (path: string) => number;

/** Looks for files in a text, a reply say: what it names is what it is about. */
export function mentionsIn(text: string): Mention {
	let squeezed: string | undefined;
	return (path) => {
		const name = baseName(path);
		const at = name.length > 3 ? placeOf(path, name, text) : -1;
		// What is named first matters most.
		if (at >= 0) return 0.6 - (at / (text.length + 1)) * 0.15;
		// `session_detector.go` is where `SessionDetector` lives.
		const words = name.replace(/\.\w+$/, "");
		if (words.length <= 6 || !/[-_]|[a-z][A-Z]/.test(words)) return 0;
		const stem = squeeze(words);
		squeezed ??= squeeze(text);
		return stem.length > 6 && squeezed.includes(stem) ? 0.4 : 0;
	};
}

/** Where a text has a file's name, alone or behind the folders that it really is in; -1 if nowhere. */
function placeOf(path: string, name: string, text: string): number {
	for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + name.length)) {
		const folders = text.slice(Math.max(0, at - 200), at).match(/[\w@.~/-]*\/$/)?.[0] ?? "";
		const named = `${folders}${name}`;
		if (path.endsWith(named) || named.endsWith(path)) return at;
	}
	return -1;
}

function squeeze(text: string): string {
	return text.replace(/[-_]/g, "").toLowerCase();
}
