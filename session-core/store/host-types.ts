/** Entry types of the host, versions 1 to 3. Extensions and relatives of the host add others, with ids. */
export const HOST_TYPES: ReadonlySet<string> = new Set([
	"message",
	"model_change",
	"thinking_level_change",
	"compaction",
	"branch_summary",
	"custom",
	"custom_message",
	"label",
	"session_info",
]);
