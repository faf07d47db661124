/**
 * Packs each extension as a single file (dist/<name>/index.js) and as a tarball for `pi install`
 * (dist/*.tgz). Also packs the complete suite.
 */
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const DIST = `${ROOT}dist/`;
const IMAGE = /(\bsrc(?:set)?=")(\.\.\/[^"]+)(")/g;
const INSTALL = /^## Install\n.*?(?=^## )/ms;
const LINK = /(?<!!)\[([^\]]*)\]\(\.\.\/[^)\s]+\)/g;

const NAMES = ["session-recap", "session-title", "session-resume", "session-recall"];

packTarballs([...(await Promise.all(NAMES.map(packExtension))), ROOT]);

async function packExtension(name) {
	const folder = `${DIST}${name}/`;
	rmSync(folder, { recursive: true, force: true });
	mkdirSync(folder, { recursive: true });
	await bundle(`${ROOT}${name}/index.ts`, `${folder}index.js`);
	const readme = readmeAlone(readFileSync(`${ROOT}${name}/README.md`, "utf8"), name);
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

function packTarballs(folders) {
	const options = ["--silent", "--ignore-scripts", "--pack-destination", DIST];
	const { status } = spawnSync("npm", ["pack", ...options, ...folders], {
		cwd: ROOT,
		stdio: "inherit",
		shell: process.platform === "win32",
	});
	if (status !== 0) throw new Error(`npm pack ended with code ${status}`);
}

/** Imports of pi's packages are not bundled. Imports of any other package are an error. */
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

/** The packed README refers to the published package. Links to missing files become plain text. */
function readmeAlone(text, name) {
	const images = [...text.matchAll(IMAGE)].map(([, , path]) => path);
	const alone = text
		.replace(INSTALL, `## Install\n\n\`\`\`sh\npi install npm:pi-${name}\n\`\`\`\n\n`)
		.replace(IMAGE, (_, before, path, after) => `${before}images/${basename(path)}${after}`)
		.replace(LINK, "$1");
	return {
		text: `${alone}\nOther documents that this page mentions are in the package pi-session-suite.\n`,
		images,
	};
}
