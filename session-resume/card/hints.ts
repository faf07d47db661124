import type { ShortcutKeys } from "../../session-core/shortcuts/shortcuts.ts";
import type { CardView } from "./view.ts";

export type CardKeys = Pick<ShortcutKeys, "next" | "card">;

const GO_ON = "/resume-here";
const HIDE = "/recap-card clear";

/** The card's last line, the longest first: the keys, with their commands where there is room. */
export function hintsOf(
	{ hint, keyWords }: Pick<CardView, "hint" | "keyWords">,
	{ next: [next], card: [hide] }: CardKeys,
): string[] {
	if (next === undefined && hide === undefined) return [hint];
	const goesOn = keyWords.goesOn(next ?? GO_ON);
	const hides = keyWords.hides(hide ?? HIDE);
	return [
		[next === undefined ? goesOn : `${goesOn} (${GO_ON})`, hide === undefined ? hides : `${hides} (${HIDE})`],
		[goesOn, hides],
		[next ?? GO_ON, hide].filter((it) => it !== undefined),
	].map((parts) => parts.join(" · "));
}
