import { join } from "node:path";
import { readDoing } from "../session-core/log/timeline/index.ts";
import { type ChangedFile, LeaseHolder } from "../session-core/sessions/live/lease-files.ts";
import { leasesWith, overlapsOf } from "../session-core/sessions/overlaps.ts";
import { replaceFile } from "../session-core/text/files/atomic-file.ts";
import { OverlapWarning } from "../session-resume/live/overlapping.ts";
import { alternately, type BenchRow, inFolder } from "./lib/harness.ts";

const SESSIONS = 20;
const RUNS = 400;
/** A lease lists at most 100 changed files. */
const FILES = 100;

const files = (session: number): ChangedFile[] =>
	Array.from({ length: FILES }, (_, index) => ({
		path: `/code/project-${session}/src/file-${index}.ts`,
		at: 1,
	}));
const CALL = { type: "toolCall", id: "1", name: "edit", arguments: { path: "src/auth.ts" } };
const EDIT = [
	{ role: "assistant", content: [CALL] },
	{ role: "toolResult", toolCallId: "1", toolName: "edit", content: [{ type: "text", text: "ok" }] },
];

export function rows(): Promise<BenchRow[]> {
	return inFolder(async (agentDir) => {
		const holders = Array.from({ length: SESSIONS }, (_, session) => {
			const holder = new LeaseHolder(agentDir, { sessionId: `s-${session}` }, "working", Date.now());
			holder.report({ changed: files(session) });
			return holder;
		});
		const [own] = holders;
		if (!own) return [];
		const { instance } = own;
		const overlapping = new OverlapWarning({
			...{ agentDir, instance, cwd: agentDir, ui: undefined },
			isOn: () => true,
			over: new AbortController().signal,
		});
		overlapping.add(files(0));
		const named = new Set(files(0).map(({ path }) => path));
		const editing = () => {
			const { doing = "", changed: paths } = readDoing(EDIT, agentDir);
			const at = Date.now();
			const changed = overlapping.add(paths.map((path) => ({ path, at })));
			own.report({ doing, ...(changed && { changed }) });
			return overlapsOf(leasesWith(agentDir, at, named), { agentDir, now: at });
		};
		const writing = () => replaceFile(join(agentDir, "lease.json"), JSON.stringify(files(0)));
		const [value = 0, write = 0] = (await alternately(RUNS, editing, writing)).map((all) => Math.min(...all));
		return [
			{ what: `An edit while ${SESSIONS} other sessions are live`, value, unit: "ms", most: 1 },
			{
				what: "The same edit, relative to only writing the lease",
				value: value / write,
				unit: "×",
				most: 10,
			},
		];
	});
}
