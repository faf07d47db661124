/** A thing that a command made and printed as one JSON object: its id and its title. */

/** Warnings may stand before the object. */
const OPENING = /^\s*\{\s*$|^\s*\{\s*"/m;
const ID = /"(?:id|identifier|key|number)":\s*"?([\w#./-]{1,60})"?\s*[,}\n]/;
const TITLE = /"(?:title|name|subject|summary)":\s*"((?:[^"\\\n]|\\.){1,160})"/;

export function madeObject(output: string): { id: string; title: string } | undefined {
	const start = OPENING.exec(output.slice(0, 4_000))?.index;
	if (start === undefined) return undefined;
	const text = output.slice(start, start + 4_000);
	const id = ID.exec(text)?.[1];
	const title = TITLE.exec(text)?.[1];
	return id === undefined || title === undefined ? undefined : { id, title: title.replace(/\\(.)/g, "$1") };
}
