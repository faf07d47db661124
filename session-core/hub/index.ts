export { type Commons, commonsOf, createRecordReader, createStateReader } from "./commons.ts";
export { type HostSession, hostSession } from "./host-session.ts";
export { type Continuation, type Shared, sharedIn } from "./hub.ts";
