/** What a session rarely needs, loaded when it does. */

export { hostNamePorts, takeName } from "../../session-core/session-file/name-session.ts";
export { askOnArrival, mayFork, mayOpen } from "./gate.ts";
export { notifyOfNeed } from "./notify.ts";
