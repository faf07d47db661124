import { displayWidth } from "./paint.ts";

/** Clean text in lines of at most so many columns, broken at spaces where that can be; undefined: as it is. */
export function wrapped(text: string, columns: number | undefined, indent = ""): string[] {
	if (columns === undefined) return [text];
	const lines: string[] = [];
	let line = "";
	for (const word of text.split(" ")) {
		const longer = line === "" ? word : `${line} ${word}`;
		if (displayWidth(longer) <= columns || line.trim() === "") line = longer;
		else {
			lines.push(line);
			line = indent + word;
		}
	}
	return [...lines, line].flatMap((one) => broken(one, columns));
}

/** A word that is longer than a line: scripts without spaces, paths. */
function broken(line: string, columns: number): string[] {
	if (displayWidth(line) <= columns) return [line];
	const lines: string[] = [];
	let part = "";
	for (const { segment } of new Intl.Segmenter().segment(line)) {
		if (displayWidth(part + segment) > columns && part !== "") {
			lines.push(part);
			part = "";
		}
		part += segment;
	}
	return [...lines, part];
}
