// Makes one extension a package of its own: a bundled file, and what a package must have beside it.
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import { rolldown } from "rolldown";
import { licencesOf } from "./licences.mjs";
import { DIST, ROOT } from "./places.mjs";
import { readmeAlone } from "./readme.mjs";

/** Writes `dist/<name>/` and returns its path. */
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
	const licences = licencesOf(modules);
	if (licences) writeFileSync(`${folder}THIRD-PARTY-LICENSES.txt`, licences);
	writeFileSync(`${folder}package.json`, `${JSON.stringify(manifest(name), null, "\t")}\n`);
	return folder;
}

/** The host's own packages stay imports: it brings them. Returns the paths of the modules that went in. */
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
