export { type Commons, commonsOf, createStateReader } from "./commons.ts";
export { type HostSession, hostSession } from "./host-session.ts";
export { type Continuation, type DraftedRecap, type Shared, sharedIn } from "./hub.ts";
