import fc from "fast-check";
import { expect, test } from "vitest";
import { cmdLine } from "./cmd-line.ts";

/** One reading by cmd.exe: carets escape, quotation marks begin and end what is literal. Throws where it would act on something. */
function readByCmd(line: string): string {
	let out = "";
	let isQuoted = false;
	for (let at = 0; at < line.length; at++) {
		const char = line.charAt(at);
		if (char === "^" && !isQuoted) {
			at++;
			out += line.charAt(at);
			continue;
		}
		if (char === '"') isQuoted = !isQuoted;
		else if (!isQuoted && /[&|<>()]/.test(char)) throw new Error(`acts on ${char}`);
		out += char;
	}
	return out;
}

/** A variable between percent signs would be replaced, quoted or not: on a command line there is no other way to escape it. */
function variablesIn(line: string): string[] {
	return (line.match(/%[^%]*%/g) ?? []).filter((name) => !name.includes("^"));
}

/** As `CommandLineToArgvW` reads what stands behind the program's name. */
function argumentsIn(line: string): string[] {
	const words: string[] = [];
	for (let at = 0; at < line.length; ) {
		if (line[at] === " ") {
			at++;
			continue;
		}
		let word = "";
		let isQuoted = false;
		for (; at < line.length && (isQuoted || line[at] !== " "); at++) {
			const slashes = /^\\*/.exec(line.slice(at))?.[0].length ?? 0;
			const isMark = line[at + slashes] === '"';
			word += "\\".repeat(isMark ? slashes >> 1 : slashes);
			at += slashes;
			if (isMark && slashes % 2 === 1) word += '"';
			else if (isMark) isQuoted = !isQuoted;
			else if (isQuoted || line[at] !== " ") word += line[at] ?? "";
			else break;
		}
		words.push(word);
	}
	return words;
}

test("a batch file's program gets the very words, and cmd.exe acts on none of them", () => {
	const trouble = fc.constantFrom(
		..."\"\\%^&|<>()!;, =*?'`[]{}~aZ9é日",
		'\\"',
		"&&calc",
		"%PATH%",
		"^%PATH^%",
		'" & calc & "',
	);
	const word = fc.array(trouble, { maxLength: 12 }).map((parts) => parts.join(""));
	fc.assert(
		fc.property(fc.array(word, { maxLength: 4 }), (words) => {
			const file = "C:\\Users\\ann (work) & co\\pi.cmd";
			const line = cmdLine(file, words) ?? "";
			expect(variablesIn(line)).toEqual([]);
			const first = readByCmd(line);
			expect(first.startsWith(`${file}${words.length > 0 ? " " : ""}`)).toBe(true);
			// In the batch file the arguments stand in place of `%*`, and are read once more.
			expect(argumentsIn(readByCmd(first.slice(file.length)))).toEqual(words);
		}),
		{ numRuns: 2_000 },
	);
});

test.each([["two\nlines"], ["a\rb"], ["a\0b"], ["x".repeat(9_000)]])("%j cannot be given to one", (word) => {
	expect(cmdLine("C:\\pi.cmd", [word.slice(0, 9_000)])).toBeUndefined();
});
