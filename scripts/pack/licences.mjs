import { readdirSync, readFileSync } from "node:fs";

const PACKAGE = /^.*[/\\]node_modules[/\\](?:@[^/\\]+[/\\])?[^/\\]+(?=[/\\])/;

/** The licence texts of the packages that modules come from, by name; undefined where all are ours. */
export function licencesOf(modules) {
	const folders = new Set(modules.flatMap((path) => PACKAGE.exec(path)?.[0] ?? []));
	const texts = [...folders].sort().map((folder) => {
		const { name, version, license } = JSON.parse(readFileSync(`${folder}/package.json`, "utf8"));
		const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
		if (!file) throw new Error(`${name} ${version} (${license}) has no licence text to keep.`);
		return `${name} ${version} (${license})\n\n${readFileSync(`${folder}/${file}`, "utf8").trim()}\n`;
	});
	return texts.length > 0 ? texts.join("\n---\n\n") : undefined;
}
