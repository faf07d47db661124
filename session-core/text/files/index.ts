export * from "./atomic-file.ts";
export * from "./file-system.ts";
export * from "./json.ts";
export * from "./pace.ts";
export * from "./regular-file.ts";
export * from "./repository.ts";
export * from "./watch-folder.ts";
