import { basename } from "node:path";

const IMAGE = /(\bsrc(?:set)?=")(\.\.\/[^"]+)(")/g;
const LINK = /(?<!!)\[([^\]]*)\]\(\.\.\/[^)\s]+\)/g;

/** A README without the project around it: pictures come along, links that lead outside become their words. */
export function readmeAlone(text) {
	const images = [...text.matchAll(IMAGE)].map(([, , path]) => path);
	const alone = text
		.replace(IMAGE, (_, before, path, after) => `${before}images/${basename(path)}${after}`)
		.replace(LINK, "$1");
	return { text: alone, images };
}
