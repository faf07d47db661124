/**
 * Packs each extension as one file that includes the parts of session-core that it uses (dist/<name>/index.js), and as a tarball for `pi
 * install` (dist/*.tgz). Without names, packs all extensions and the suite. Prints the files and their sizes.
 */
import { existsSync, mkdirSync } from "node:fs";
import { DIST, packExtension, packTarball, ROOT } from "./packing.mjs";

const EXTENSIONS = ["session-recap", "session-title", "session-resume", "session-recall"];

const names = process.argv.slice(2);
const unknown = names.filter((name) => !existsSync(`${ROOT}${name}/index.ts`));
if (unknown.length > 0) {
	console.error(`unknown extension: ${unknown.join(", ")}; choose from ${EXTENSIONS.join(", ")}`);
	process.exit(2);
}
mkdirSync(DIST, { recursive: true });
for (const name of names.length > 0 ? names : EXTENSIONS) report(packTarball(await packExtension(name)));
if (names.length === 0) report(packTarball(ROOT));

function report({ filename, size, unpackedSize, files }) {
	console.log(
		`${filename}: ${kilobytes(size)} packed, ${kilobytes(unpackedSize)} unpacked, ${files.length} files`,
	);
	if (files.length <= 20) for (const file of files) console.log(`  ${file.path} ${kilobytes(file.size)}`);
}

function kilobytes(bytes) {
	return `${(bytes / 1024).toFixed(1)} KB`;
}
