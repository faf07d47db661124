export { type Commons, commonsOf } from "./commons.ts";
export { type Continuation, type Shared, sharedIn } from "./shared.ts";
