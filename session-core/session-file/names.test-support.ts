import { SessionManager } from "@mariozechner/pi-coding-agent";
import { hostNamePorts, type NamePorts } from "./names.ts";

/** A process that has a session open: the host's own manager, and what naming needs of it. */
export interface Process {
	manager: SessionManager;
	ports: NamePorts;
	/** Its user says something. */
	says(text: string): void;
}

/** Opens a session as the host does when it starts. */
export function openProcess(path: string): Process {
	const manager = SessionManager.open(path);
	const pi = {
		appendEntry: (type: string, data: unknown) => void manager.appendCustomEntry(type, data),
		setSessionName: (name: string) => void manager.appendSessionInfo(name),
	};
	return {
		manager,
		ports: hostNamePorts({ pi, manager }),
		says: (content) => void manager.appendMessage({ role: "user", content, timestamp: 0 }),
	};
}
