import { baseName } from "./paths.ts";

/** How clearly a text names a file, from 0 (not at all) to 0.6. */
export type Mention = (path: string) => number;

/** Looks for files in a text, a reply say: what it names is what it is about. */
export function mentionsIn(text: string): Mention {
	let squeezed: string | undefined;
	return (path) => {
		const name = baseName(path);
		const at = name.length > 3 ? text.indexOf(name) : -1;
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

function squeeze(text: string): string {
	return text.replace(/[-_]/g, "").toLowerCase();
}
