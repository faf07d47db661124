// Packs an extension as a separate package, and a folder as a tarball.
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

/** The path of the project, with a trailing slash. */
export const ROOT = fileURLToPath(new URL("..", import.meta.url));
/** The path of the output folder, with a trailing slash. */
export const DIST = `${ROOT}dist/`;

/** Writes a package with the bundled extension to `dist/<name>/`. Returns its path. */
export async function packExtension(name) {
	const folder = `${DIST}${name}/`;
	rmSync(folder, { recursive: true, force: true });
	mkdirSync(folder, { recursive: true });
	const modules = await bundle(`${ROOT}${name}/index.ts`, `${folder}index.js`);
	const readme = readmeAlone(readFileSync(`${ROOT}${name}/README.md`, "utf8"));
	writeFileSync(`${folder}README.md`, readme.text);
	for (const image of readme.images) {
		mkdirSync(`${folder}images`, { recursive: true });
		copyFileSync(`${ROOT}${name}/${image}`, `${folder}images/${basename(image)}`);
	}
	copyFileSync(`${ROOT}${name}/CHANGELOG.md`, `${folder}CHANGELOG.md`);
	copyFileSync(`${ROOT}LICENSE`, `${folder}LICENSE`);
	const licenses = licensesOf(modules);
	if (licenses) writeFileSync(`${folder}THIRD-PARTY-LICENSES.txt`, licenses);
	writeFileSync(`${folder}package.json`, `${JSON.stringify(manifest(name), null, "\t")}\n`);
	return folder;
}

/** Packs a folder with npm into `dist/`. Returns npm's report (`filename`, `size`, `unpackedSize`, `files`). */
export function packTarball(folder) {
	const npm = spawnSync("npm", ["pack", "--json", "--ignore-scripts", "--pack-destination", DIST], {
		cwd: folder,
		encoding: "utf8",
		shell: process.platform === "win32",
	});
	if (npm.status !== 0) throw new Error(`npm pack ended with code ${npm.status}\n${npm.stderr}`);
	const [report] = JSON.parse(npm.stdout);
	return report;
}

/** Bundles a module, but keeps the host's own packages as imports. Returns the paths of the bundled modules. */
async function bundle(input, file) {
	const build = await rolldown({
		input,
		platform: "node",
		external: [/^node:/, /^@mariozechner\//, /^@earendil-works\//, /^typebox(\/|$)/],
	});
	const { output } = await build.write({ file, format: "esm", codeSplitting: false });
	await build.close();
	return output.flatMap((chunk) => chunk.moduleIds ?? []);
}

function manifest(name) {
	const { private: _, pi: __, ...own } = JSON.parse(readFileSync(`${ROOT}${name}/package.json`, "utf8"));
	const { engines, peerDependencies, peerDependenciesMeta } = JSON.parse(
		readFileSync(`${ROOT}package.json`, "utf8"),
	);
	return { ...own, engines, peerDependencies, peerDependenciesMeta, pi: { extensions: ["./index.js"] } };
}

const PACKAGE = /^.*[/\\]node_modules[/\\](?:@[^/\\]+[/\\])?[^/\\]+(?=[/\\])/;

/** Returns the license texts of the bundled packages; undefined if there are none. */
function licensesOf(modules) {
	const folders = new Set(modules.flatMap((path) => PACKAGE.exec(path)?.[0] ?? []));
	const texts = [...folders].sort().map((folder) => {
		const { name, version, license } = JSON.parse(readFileSync(`${folder}/package.json`, "utf8"));
		const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
		if (!file) throw new Error(`${name} ${version} (${license}) has no license text to keep.`);
		return `${name} ${version} (${license})\n\n${readFileSync(`${folder}/${file}`, "utf8").trim()}\n`;
	});
	return texts.length > 0 ? texts.join("\n---\n\n") : undefined;
}

const IMAGE = /(\bsrc(?:set)?=")(\.\.\/[^"]+)(")/g;
const LINK = /(?<!!)\[([^\]]*)\]\(\.\.\/[^)\s]+\)/g;

/** Returns a README for use outside the repository: pictures are copied, and links to other files become plain text. */
function readmeAlone(text) {
	const images = [...text.matchAll(IMAGE)].map(([, , path]) => path);
	const alone = text
		.replace(IMAGE, (_, before, path, after) => `${before}images/${basename(path)}${after}`)
		.replace(LINK, "$1");
	return { text: alone, images };
}
