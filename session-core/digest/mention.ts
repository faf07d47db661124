import { baseName } from "./paths.ts";

/** How clearly a text names a file, from 0 (not at all) to 0.6: what a reply names is what it is about. */
export function mention(text: string, path: string): number {
	const name = baseName(path);
	const at = name.length > 3 ? text.indexOf(name) : -1;
	// What is named first matters most.
	if (at >= 0) return 0.6 - (at / (text.length + 1)) * 0.15;
	// `session_detector.go` is where `SessionDetector` lives.
	const words = name.replace(/\.\w+$/, "");
	const stem = words.replace(/[-_]/g, "").toLowerCase();
	return stem.length > 6 &&
		/[-_]|[a-z][A-Z]/.test(words) &&
		text.replace(/[-_]/g, "").toLowerCase().includes(stem)
		? 0.4
		: 0;
}
