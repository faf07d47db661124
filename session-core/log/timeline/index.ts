export * from "./larger.ts";
export { newestCommit } from "./made.ts";
export * from "./render.ts";
export { endText, readDoing, requestText, runLine, stepLines } from "./render-turn.ts";
export * from "./result.ts";
export { commandText, programText, shortCommand, withCommandCase } from "./shell.ts";
export * from "./timeline.ts";
export * from "./turn.ts";
