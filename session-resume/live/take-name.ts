import { currentName } from "../../session-core/naming/current-name.ts";
import { type HostNaming, hostNamePorts } from "../../session-core/naming/ports.ts";
import { nameByPerson } from "../../session-core/naming/write.ts";

/**
 * Gives the open session a name that the user chose elsewhere: through the host, so that footer and memory have it too. False: it
 * could not be written; who left the name looks whether it is in the file, and says so.
 */
export function takeName(host: Omit<HostNaming, "loaded">, name: string): boolean {
	const ports = hostNamePorts({ ...host, loaded: 0 });
	const current = currentName(ports.records());
	// Nothing to say: the user gave it this name here, too.
	if (current?.text === name && current.source === "manual") return true;
	return nameByPerson(ports, name).ok;
}
