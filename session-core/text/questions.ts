import { isObject, objectsIn, textOf } from "./files/index.ts";

/**
 * Returns the questions in a tool call's arguments, and puts the choices before each question: `(Yes / No)
 * Continue?`
 */
export function questionText(args: unknown): string {
	if (!isObject(args)) return "";
	const listed = objectsIn(args["questions"]);
	const lines = (listed.length > 0 ? listed : [args]).flatMap(({ question, prompt, options }) => {
		const labels = Array.isArray(options) ? options.map(labelOf).filter(Boolean) : [];
		const choices = labels.length === 0 ? "" : `(${labels.join(" / ")}) `;
		const text = textOf(question) || textOf(prompt);
		return text === "" ? [] : choices + text;
	});
	return lines.join("\n");
}

function labelOf(option: unknown): string {
	return isObject(option) ? textOf(option["label"]) || textOf(option["value"]) : textOf(option);
}
