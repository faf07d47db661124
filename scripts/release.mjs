// Releases one extension, or the suite, as RELEASING.md says. Without --publish it is a dry run: every check and step but
// the tag and the upload, and what is left to do by hand.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { DIST, packExtension, packTarball, ROOT } from "./packing.mjs";

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

const faults = [
	...(said("git", "status", "--porcelain") === "" ? [] : ["there are changes that are not committed"]),
	...(said("git", "tag", "--list", tag) === "" ? [] : [`the tag ${tag} exists already`]),
	...(notesOf(version) === undefined && !isDry
		? [`${name}'s CHANGELOG.md has no heading "## ${version}"`]
		: []),
];
if (faults.length > 0) {
	for (const fault of faults) console.error(`cannot release ${tag}: ${fault}`);
	process.exit(1);
}
const notes = notesOf(version) ?? notesOf("Unreleased");
if (!notes) {
	console.error(
		`cannot release ${tag}: nothing stands under "## ${version}" or "## Unreleased" in the changelog`,
	);
	process.exit(1);
}

const report = packTarball(isSuite ? ROOT : await packExtension(name));
const tarball = `${DIST}${report.filename}`;
console.log(`${report.filename}: ${report.files.length} files, ${(report.size / 1024).toFixed(1)} KB`);
if (isDry) {
	run("npm", "publish", tarball, "--access", "public", "--dry-run");
	if (notesOf(version) === undefined)
		console.log(`\nTo do: the changelog's "Unreleased" becomes "## ${version}", with today's date.`);
	console.log(`\nA dry run: no tag ${tag} was made and nothing was published.\nRelease notes:\n\n${notes}`);
} else {
	run("git", "tag", "--annotate", tag, "--message", `${name} ${version}\n\n${notes}`);
	run("git", "push", "origin", tag);
	// Provenance needs a build service that vouches for itself; elsewhere npm refuses and says so.
	run("npm", "publish", tarball, "--access", "public", "--provenance");
	console.log(`\nReleased ${tag}. Release notes:\n\n${notes}`);
}

/** What the changelog says under a heading, without the date behind it; undefined where there is no such heading. */
function notesOf(heading) {
	const sections = readFileSync(`${folder}CHANGELOG.md`, "utf8").split(/^## /m).slice(1);
	const section = sections.find((text) => text.split(/\s/, 1)[0] === heading);
	return section?.slice(section.indexOf("\n")).trim() || undefined;
}

function said(command, ...args) {
	return spawnSync(command, args, { cwd: ROOT, encoding: "utf8" }).stdout.trim();
}

function run(command, ...args) {
	const { status } = spawnSync(command, args, {
		cwd: ROOT,
		stdio: "inherit",
		shell: process.platform === "win32",
	});
	if (status === 0) return;
	console.error(`${command} ${args[0]} ended with code ${status}; nothing after it was done.`);
	process.exit(1);
}
