export { AGENTS, agentMark, readAgent } from "./agents.ts";
export { findHandOver, handOverFile } from "./hand-over.ts";
export { agentFolders, wantedAgents } from "./places.ts";
