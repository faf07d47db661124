import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import type { Sandbox } from "./sandbox.ts";

/** Replaces a program (`git`, `tmux`) with one that fails after `seconds`, and counts calls. */
export function slowProgram(sandbox: Pick<Sandbox, "root">, name: string, seconds: number) {
	const folder = join(sandbox.root, "slow");
	mkdirSync(folder, { recursive: true });
	const file = join(folder, name);
	const calls = join(folder, "calls");
	const note = (word: string) => `echo ${word} >> ${calls}`;
	writeFileSync(
		file,
		// A call that is terminated, because its deadline has passed, is over as well.
		[
			"#!/bin/sh",
			`trap '${note("over")}' EXIT`,
			"trap 'exit 1' TERM",
			note("begun"),
			`sleep ${seconds}`,
			"exit 1",
			"",
		].join("\n"),
	);
	chmodSync(file, 0o755);
	const env = { PATH: [folder, process.env.PATH].filter(Boolean).join(delimiter) };
	const count = (word: string) => readText(calls).split(word).length - 1;
	return { env, begun: () => count("begun"), over: () => count("over") };
}

function readText(path: string): string {
	return existsSync(path) ? readFileSync(path, "utf8") : "";
}
