// Collects the test results of `.ci/run`. The argument `clear` removes them. Without an argument, this
// program prints the names of all failed tests and then the totals: "N passed, N failed", followed by ",
// N skipped" if any test was skipped. The totals are the last line, because the beginning of a long log
// is cut off.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const FOLDER = join(ROOT, "node_modules/.cache/test-results");

/** Returns the path of the JSON report of a test run. */
export function resultFile(name) {
	mkdirSync(FOLDER, { recursive: true });
	return join(FOLDER, `${name.replace(/[^\w.-]+/g, "-")}.json`);
}

/** Records a failure that the test runner itself cannot report. */
export function addFailure(name, reason) {
	const file = { name: reason, status: "failed", assertionResults: [] };
	writeFileSync(resultFile(name), JSON.stringify({ testResults: [file] }));
}

/**
 * Returns the failed tests in a report as `file > test`, or as the file's name if the file could not be
 * loaded.
 */
function failuresOf({ testResults = [] }) {
	return testResults.flatMap(({ name, status, assertionResults }) => {
		const file = name.startsWith(ROOT) ? relative(ROOT, name) : name;
		const failed = assertionResults.filter((test) => test.status === "failed");
		if (failed.length === 0) return status === "failed" ? [file] : [];
		return failed.map((test) => [file, ...test.ancestorTitles, test.title].join(" > "));
	});
}

function report() {
	const names = existsSync(FOLDER) ? readdirSync(FOLDER) : [];
	const lines = names.length === 0 ? ["no test results were found"] : [];
	let passed = 0;
	let skipped = 0;
	for (const name of names) {
		const run = JSON.parse(readFileSync(join(FOLDER, name), "utf8"));
		passed += run.numPassedTests ?? 0;
		skipped += (run.numPendingTests ?? 0) + (run.numTodoTests ?? 0);
		lines.push(...failuresOf(run).map((failure) => `${name.slice(0, -".json".length)}: ${failure}`));
	}
	for (const line of lines) console.log(`FAILED ${line}`);
	const more = skipped > 0 ? `, ${skipped} skipped` : "";
	console.log(`${passed} passed, ${lines.length} failed${more}`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
	if (process.argv[2] === "clear") rmSync(FOLDER, { recursive: true, force: true });
	else report();
}
