// Scores what a title is made from: `node scripts/run.mjs scripts/eval-title.ts --labels FILE --sessions DIR --out FILE`.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { SessionManager } from "@mariozechner/pi-coding-agent";
import { hostSource } from "../session-core/session/host-source.ts";
import { roughTokens } from "../session-core/text/tokens.ts";
import { TITLE_TOOL, titleSystemPrompt } from "../session-title/prompt.ts";
import { titleInput } from "../session-title/reading.ts";

interface Point {
	file: string;
	uptoLine: number;
}

const { values } = parseArgs({
	options: { labels: { type: "string" }, sessions: { type: "string" }, out: { type: "string" } },
});
const { labels, sessions, out } = values;
if (!labels || !sessions || !out) {
	console.error("usage: eval-title.ts --labels FILE --sessions DIR --out FILE");
	process.exit(2);
}

const points: Point[] = JSON.parse(readFileSync(labels, "utf8"));
const folder = mkdtempSync(join(tmpdir(), "title-eval-"));
const fixed = roughTokens(titleSystemPrompt("title")) + roughTokens(JSON.stringify(TITLE_TOOL));
let most = 0;
try {
	const lines = points.map(({ file, uptoLine }, index) => {
		const cut = readFileSync(join(sessions, file), "utf8").split("\n").slice(0, uptoLine);
		const copy = join(folder, `${index}-${basename(file)}`);
		writeFileSync(copy, `${cut.join("\n")}\n`);
		const manager = SessionManager.open(copy);
		const text = titleInput(hostSource(manager), manager.getCwd());
		most = Math.max(most, fixed + roughTokens(text));
		return JSON.stringify({ file, uptoLine, text });
	});
	writeFileSync(out, `${lines.join("\n")}\n`);
} finally {
	rmSync(folder, { recursive: true, force: true });
}
const scorer = join(dirname(labels), "score.mjs");
if (existsSync(scorer)) {
	process.stdout.write(spawnSync(process.execPath, [scorer, labels, out], { encoding: "utf8" }).stdout);
}
console.log(`largest request, cautiously estimated, with system prompt (${fixed}) and tool: ${most} tokens`);
