/**
 * Releases an extension or the suite; see RELEASING.md. Without --publish, does everything except tagging and uploading, and prints the
 * remaining manual steps.
 */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { DIST, packExtension, packTarball, ROOT } from "./pack.mjs";

const [name, ...flags] = process.argv.slice(2);
const isSuite = name === "suite";
const folder = isSuite ? ROOT : `${ROOT}${name}/`;
if (!name || !existsSync(`${folder}package.json`) || flags.some((flag) => flag !== "--publish")) {
	console.error(
		"usage: npm run release -- session-recap|session-title|session-resume|session-recall|suite [--publish]",
	);
	process.exit(2);
}
const isDry = !flags.includes("--publish");
const { version } = JSON.parse(readFileSync(`${folder}package.json`, "utf8"));
const tag = isSuite ? `v${version}` : `${name}/v${version}`;

const notes = notesOf(version);
const faults = [
	output("git", "status", "--porcelain") !== "" && "there are uncommitted changes",
	output("git", "tag", "--list", tag) !== "" && `the tag ${tag} exists already`,
	!notes && `the changelog has nothing under "## ${version}"`,
].filter(Boolean);
if (faults.length > 0) {
	for (const fault of faults) console.error(`cannot release ${tag}: ${fault}`);
	process.exit(1);
}

const report = packTarball(isSuite ? ROOT : await packExtension(name));
const tarball = `${DIST}${report.filename}`;
console.log(`${report.filename}: ${report.files.length} files, ${(report.size / 1024).toFixed(1)} KB`);
if (isDry) {
	run("npm", "publish", tarball, "--access", "public", "--dry-run");
	console.log(
		`\nDry run: the tag ${tag} was not created and nothing was published.\nRelease notes:\n\n${notes}`,
	);
} else {
	run("git", "tag", "--annotate", tag, "--message", `${name} ${version}\n\n${notes}`);
	run("git", "push", "origin", tag);
	// npm accepts `--provenance` only on a supported build service.
	run("npm", "publish", tarball, "--access", "public", "--provenance");
	console.log(`\nReleased ${tag}. Release notes:\n\n${notes}`);
}

/** Returns the section of the changelog with this heading; undefined if there is none. */
function notesOf(heading) {
	const sections = readFileSync(`${folder}CHANGELOG.md`, "utf8").split(/^## /m).slice(1);
	const section = sections.find((text) => text.split(/\s/, 1)[0] === heading);
	return section?.slice(section.indexOf("\n")).trim() || undefined;
}

function output(command, ...args) {
	return spawnSync(command, args, { cwd: ROOT, encoding: "utf8" }).stdout.trim();
}

function run(command, ...args) {
	const { status } = spawnSync(command, args, {
		cwd: ROOT,
		stdio: "inherit",
		shell: process.platform === "win32",
	});
	if (status === 0) return;
	console.error(`${command} ${args[0]} ended with code ${status}; the steps after it were not performed.`);
	process.exit(1);
}
