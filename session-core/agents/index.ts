export { AGENTS, agentMark } from "./agents.ts";
export { handOverFile } from "./hand-over.ts";
export { openLeases } from "./live.ts";
export { agentFolders, wantedAgents } from "./places.ts";
