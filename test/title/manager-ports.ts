// The one module instead of the whole host: processes that do nothing but this start three times as fast.
import { SessionManager } from "../../node_modules/@mariozechner/pi-coding-agent/dist/core/session-manager.js";
import type { NamePorts } from "../../session-core/naming/known-names.ts";
import { loadedBytes } from "../../session-core/naming/loaded-bytes.ts";
import { nameRecords, TITLE_ENTRY } from "../../session-core/naming/record.ts";
import { hostSource } from "../../session-core/session/host-source.ts";

/** A process's view of a session: the host's own manager, and what naming needs of it. */
export interface Process {
	manager: SessionManager;
	ports: NamePorts;
}

/** Open a session as the host does when it starts. */
export function openProcess(path: string): Process {
	const manager = SessionManager.open(path);
	return {
		manager,
		ports: {
			loaded: loadedBytes(path, manager.getLeafId()),
			file: () => manager.getSessionFile(),
			leafId: () => manager.getLeafId(),
			knows: (id) => manager.getEntry(id) !== undefined,
			records: () => nameRecords(hostSource(manager).getEntries()),
			record: (data) => manager.appendCustomEntry(TITLE_ENTRY, data),
			name: (text) => manager.appendSessionInfo(text),
		},
	};
}
