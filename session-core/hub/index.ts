export { type Commons, commonsOf } from "./commons.ts";
export { type HostSession, hostSession } from "./host-session.ts";
export { type Continuation, type Shared, sharedIn } from "./shared.ts";
