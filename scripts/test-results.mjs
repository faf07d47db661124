// Adds up the test runs of `.ci/run`. Called as a program it clears the results, or prints the sum as its last line:
// "N passed, N failed", with ", N skipped" if any were.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const FOLDER = fileURLToPath(new URL("../node_modules/.cache/test-results", import.meta.url));

/** Where a run's JSON report goes. */
export function resultFile(name) {
	mkdirSync(FOLDER, { recursive: true });
	return join(FOLDER, `${name.replace(/[^\w.-]+/g, "-")}.json`);
}

/** Adds a result to those of the test runner. */
export function addResult(name, { failed }) {
	writeFileSync(resultFile(name), JSON.stringify({ success: false, numFailedTests: failed }));
}

function summary() {
	const sum = { passed: 0, failed: 0, skipped: 0 };
	const names = existsSync(FOLDER) ? readdirSync(FOLDER) : [];
	// Without a report, not even the tests could be started.
	if (names.length === 0) sum.failed = 1;
	for (const name of names) {
		const report = JSON.parse(readFileSync(join(FOLDER, name), "utf8"));
		const { numPassedTests = 0, numFailedTests = 0, numPendingTests = 0, numTodoTests = 0 } = report;
		sum.passed += numPassedTests;
		// A file that cannot be loaded fails without a failed test.
		sum.failed += numFailedTests || (report.success ? 0 : 1);
		sum.skipped += numPendingTests + numTodoTests;
	}
	return `${sum.passed} passed, ${sum.failed} failed${sum.skipped > 0 ? `, ${sum.skipped} skipped` : ""}`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
	if (process.argv[2] === "clear") rmSync(FOLDER, { recursive: true, force: true });
	else console.log(summary());
}
