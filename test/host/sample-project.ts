/** The sample session's project as the session left it. `node --test` passes. */
export const SAMPLE_PROJECT: Readonly<Record<string, string>> = {
	"package.json": `{
	"name": "date-parser",
	"type": "module",
	"scripts": { "test": "node --test" }
}
`,
	"src/parse-date.js": `const DAY = 24 * 60 * 60 * 1000;

/** Parses "2026-03-14" and "2026-W11-6" as midnight UTC; undefined for anything else. */
export function parseDate(text) {
	const week = /^(\\d{4})-W(\\d{2})-([1-7])$/.exec(text);
	if (week) return fromWeek(Number(week[1]), Number(week[2]), Number(week[3]));
	if (!/^\\d{4}-\\d{2}-\\d{2}$/.test(text)) return undefined;
	const date = new Date(\`\${text}T00:00:00Z\`);
	if (Number.isNaN(date.getTime()) || !date.toISOString().startsWith(text)) return undefined;
	return date;
}

function fromWeek(year, week, day) {
	const fourth = new Date(Date.UTC(year, 0, 4));
	const monday = fourth.getTime() - ((fourth.getUTCDay() + 6) % 7) * DAY;
	return new Date(monday + ((week - 1) * 7 + day - 1) * DAY);
}
`,
	"test/parse-date.test.js": `import assert from "node:assert/strict";
import test from "node:test";
import { parseDate } from "../src/parse-date.js";

const day = (text) => parseDate(text)?.toISOString().slice(0, 10);

test("a plain date is that day in UTC, whatever the machine's time zone", () => {
	assert.equal(day("2026-03-14"), "2026-03-14");
});

test("a week date is the day that ISO 8601 says", () => {
	assert.equal(day("2026-W11-6"), "2026-03-14");
	assert.equal(day("2026-W01-1"), "2025-12-29");
});

test("other text is not a date", () => {
	assert.equal(parseDate("14.3.2026"), undefined);
});
`,
};
