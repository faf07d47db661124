import { appendFileSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Pace } from "../text/files/pace.ts";
import { TITLE_ENTRY } from "./entry.ts";
import { type NameRecord, readNamesInFile, settleNames } from "./names-in-file.ts";
import { useTemporaryFolder } from "./session.test-support.ts";

const folder = useTemporaryFolder();

let serial = 0;
function write(text: string): string {
	serial += 1;
	const path = join(folder(), `${serial}.jsonl`);
	writeFileSync(path, text);
	return path;
}

const info = (name: string, id = name) =>
	`${JSON.stringify({ type: "session_info", id, parentId: null, name })}\n`;
const custom = (title: string, source = "auto") =>
	`${JSON.stringify({ type: "custom", customType: TITLE_ENTRY, data: { title, source }, id: `t-${title}`, parentId: null })}\n`;
const message = (text: string) =>
	`${JSON.stringify({ type: "message", id: "m", message: { role: "user", content: text } })}\n`;

function texts(path: string): string[] {
	const looked = readNamesInFile(path);
	return looked.ok ? looked.records.map(textOf) : [looked.reason];
}

function textOf(record: NameRecord): string {
	return record.kind === "name" ? record.text : `record of ${record.data.title}`;
}

describe("the names and title records in a file", () => {
	const torn = info("lost").slice(0, 30);
	const spaced = (custom("B") + info("B")).replaceAll('":', '": ');
	const fake = { type: "session_info", id: "x", timestamp: "t", name: "fake" };
	const call = JSON.stringify({ type: "message", id: "m", message: { content: [{ arguments: fake }] } });
	test.each<[string, string, string[]]>([
		[
			"are returned in file order",
			info("A") + custom("B") + info("B") + message("x"),
			["A", "record of B", "B"],
		],
		["can be of another title", custom("B") + info("B") + custom("C"), ["record of B", "B", "record of C"]],
		["can be missing", message("nothing"), []],
		["can be missing in an empty file", "", []],
		[
			"are found among torn and foreign lines",
			`${info("A")}${torn}\n{"type":"x"}\nnot json\n${message("z")}`,
			["A"],
		],
		["are found before a torn line", info("A") + torn, ["A"]],
		["are found in joined lines", info("A").trimEnd() + info("B"), ["A", "B"]],
		["are found in lines with spaces", spaced + message(info("quoted")), ["record of B", "B"]],
		[
			"do not include names that messages or calls only quote",
			`${info("A") + message(info("quoted"))}${call}\n`,
			["A"],
		],
	])("%s", (_, text, names) => expect(texts(write(text))).toEqual(names));

	test("are found before megabytes of messages, wherever a read begins", () => {
		const filler = message("x".repeat(300_000));
		fc.assert(
			fc.property(fc.nat({ max: 600_000 }), fc.nat({ max: 4 }), (length, fillers) => {
				const path = write(custom("A") + info("A") + message("y".repeat(length)) + filler.repeat(fillers));
				expect(texts(path)).toEqual(["record of A", "A"]);
			}),
			{ numRuns: 25 },
		);
	});

	test.each([
		[60, "A"],
		[68, undefined],
	])("are searched for in the last 64 MB: before %i MB, the name is %s", async (megabytes, name) => {
		// The filler takes no space on the disk.
		const path = write(message("x".repeat(2_000_000)) + info("A"));
		truncateSync(path, megabytes * 1024 * 1024);
		appendFileSync(path, `\n${message("end")}`);
		const names = await settleNames(path, { gap: 0 }, Buffer.alloc(1024 * 1024), new Pace());
		expect(names.name).toBe(name);
	});

	test("do not include the end of a half-read call that looks like an entry", () => {
		const fake = JSON.stringify({
			type: "session_info",
			id: "x",
			timestamp: "t",
			parentId: null,
			name: "fake",
		});
		const call = (padding: number) =>
			`{"type":"message","id":"m","a":"${"p".repeat(padding)}","message":${fake}}\n${message("z".repeat(524_288 - 200))}`;
		for (const padding of [100, 65_000, 70_000])
			expect(texts(write(info("A") + call(padding)))).toEqual(["A"]);
	});

	test("are not read through a symlink, from a folder, or from a missing file", () => {
		const link = join(folder(), "link.jsonl");
		symlinkSync(write(info("A")), link);
		expect(texts(link)).toEqual(["symlink"]);
		expect(texts(folder())).toEqual(["not_regular"]);
		expect(texts(join(folder(), "none.jsonl"))).toEqual(["missing"]);
	});
});
