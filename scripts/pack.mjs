/**
 * Packs each extension as one file that includes the parts of session-core that it uses (dist/<name>/index.js), and as a tarball for `pi
 * install` (dist/*.tgz). Without names, packs all extensions and the suite. Prints the files and their sizes.
 */
import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

/** The path of the project, with a trailing slash. */
export const ROOT = fileURLToPath(new URL("..", import.meta.url));
/** The path of the output folder, with a trailing slash. */
export const DIST = `${ROOT}dist/`;

const EXTENSIONS = ["session-recap", "session-title", "session-resume", "session-recall"];

/** Writes a package with the bundled extension to `dist/<name>/`. Returns its path. */
export async function packExtension(name) {
	const folder = `${DIST}${name}/`;
	rmSync(folder, { recursive: true, force: true });
	mkdirSync(folder, { recursive: true });
	await bundle(`${ROOT}${name}/index.ts`, `${folder}index.js`);
	const readme = readmeAlone(readFileSync(`${ROOT}${name}/README.md`, "utf8"));
	writeFileSync(`${folder}README.md`, readme.text);
	for (const image of readme.images) {
		mkdirSync(`${folder}images`, { recursive: true });
		copyFileSync(`${ROOT}${name}/${image}`, `${folder}images/${basename(image)}`);
	}
	copyFileSync(`${ROOT}${name}/CHANGELOG.md`, `${folder}CHANGELOG.md`);
	copyFileSync(`${ROOT}LICENSE`, `${folder}LICENSE`);
	writeFileSync(`${folder}package.json`, `${JSON.stringify(manifest(name), null, "\t")}\n`);
	return folder;
}

/** Packs a folder with npm into `dist/`. Returns npm's report (`filename`, `size`, `unpackedSize`, `files`). */
export function packTarball(folder) {
	mkdirSync(DIST, { recursive: true });
	const npm = spawnSync("npm", ["pack", "--json", "--ignore-scripts", "--pack-destination", DIST], {
		cwd: folder,
		encoding: "utf8",
		shell: process.platform === "win32",
	});
	if (npm.status !== 0) throw new Error(`npm pack ended with code ${npm.status}\n${npm.stderr}`);
	const [report] = JSON.parse(npm.stdout);
	return report;
}

/** Bundles a module, but keeps the host's own packages as imports. No other package is imported. */
async function bundle(input, file) {
	const build = await rolldown({
		input,
		platform: "node",
		external: [/^node:/, /^@mariozechner\//, /^@earendil-works\//, /^typebox(\/|$)/],
	});
	await build.write({ file, format: "esm", codeSplitting: false });
	await build.close();
}

function manifest(name) {
	const { private: _, pi: __, ...own } = JSON.parse(readFileSync(`${ROOT}${name}/package.json`, "utf8"));
	const { engines, peerDependencies, peerDependenciesMeta } = JSON.parse(
		readFileSync(`${ROOT}package.json`, "utf8"),
	);
	return { ...own, engines, peerDependencies, peerDependenciesMeta, pi: { extensions: ["./index.js"] } };
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

function report({ filename, size, unpackedSize, files }) {
	const kilobytes = (bytes) => `${(bytes / 1024).toFixed(1)} KB`;
	console.log(
		`${filename}: ${kilobytes(size)} packed, ${kilobytes(unpackedSize)} unpacked, ${files.length} files`,
	);
	if (files.length <= 20) for (const file of files) console.log(`  ${file.path} ${kilobytes(file.size)}`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
	const names = process.argv.slice(2);
	const unknown = names.filter((name) => !existsSync(`${ROOT}${name}/index.ts`));
	if (unknown.length > 0) {
		console.error(`unknown extension: ${unknown.join(", ")}; choose from ${EXTENSIONS.join(", ")}`);
		process.exit(2);
	}
	for (const name of names.length > 0 ? names : EXTENSIONS) report(packTarball(await packExtension(name)));
	if (names.length === 0) report(packTarball(ROOT));
}
