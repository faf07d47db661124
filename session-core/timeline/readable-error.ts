/** Returns the message inside a provider's error, which is often JSON after a status code. */
export function readableError(message: string): string | undefined {
	const status = message.match(/^\s*(\d{3})\b/)?.[1];
	const inner = message.match(/"(?:message|detail|error_description)"\s*:\s*"((?:[^"\\]|\\.)*)"/)?.[1];
	const text = (inner ?? message)
		.replace(/\\(["'/\\])/g, "$1")
		.replace(/\\[nrt]/g, " ")
		.replace(/\s+/g, " ")
		.trim()
		.replace(/[.。]+$/, "");
	if (text === "") return undefined;
	return inner && status ? `${status} ${text}` : text;
}
