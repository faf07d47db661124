import type { ExtensionAPI, ExtensionContext } from "@mariozechner/pi-coding-agent";
import { appendOrUndo } from "../session/append.ts";
import { appendTarget, hostSource } from "../session/host-source.ts";
import type { NamePorts } from "./known-names.ts";
import { nameRecords, TITLE_ENTRY } from "./record.ts";

export interface HostNaming {
	pi: Pick<ExtensionAPI, "appendEntry" | "setSessionName">;
	manager: ExtensionContext["sessionManager"];
	/** See `loadedBytes`; 0: not known, so the whole file is looked at. */
	loaded: number;
}

/** Naming the session that the host has open. What cannot be written is taken back, in memory and in the file. */
export function hostNamePorts({ pi, manager, loaded }: HostNaming): NamePorts {
	const target = appendTarget(manager);
	return {
		loaded,
		file: () => manager.getSessionFile(),
		leafId: () => manager.getLeafId(),
		knows: (id) => manager.getEntry(id) !== undefined,
		records: () => nameRecords(hostSource(manager).getEntries()),
		record: (data) => appendOrUndo(target, () => pi.appendEntry(TITLE_ENTRY, data)),
		name: (text) => appendOrUndo(target, () => pi.setSessionName(text)),
	};
}
