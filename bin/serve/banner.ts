import { renderUnicodeCompact } from "uqr";

export interface BannerFacts {
	port: number;
	/** Addresses on the local network; none without --lan. */
	addresses: readonly string[];
	tokens: { act: string; read: string };
	tokenFile: string;
	isNew: boolean;
	isTerminal: boolean;
}

/** What is said when the server has begun: where it is, what it shows, and to whom. */
export function bannerLines(facts: BannerFacts): string[] {
	const { port, tokens, tokenFile, isNew } = facts;
	return [
		`pi-sessions: http://127.0.0.1:${port}/#token=${tokens.act}`,
		"It shows titles, first prompts, recaps and folders of all your sessions to whoever has this address.",
		`Read only: http://127.0.0.1:${port}/#token=${tokens.read}`,
		`${isNew ? "New tokens are" : "Tokens are"} kept in ${tokenFile}; --new-token replaces them.`,
		...lanLines(facts),
		"Ctrl+C ends it.",
	];
}

function lanLines({ port, addresses, tokens, isTerminal }: BannerFacts): string[] {
	const [first] = addresses;
	if (first === undefined) return [];
	const url = (address: string) => `http://${address}:${port}/#token=${tokens.read}`;
	return [
		"",
		"WARNING: everybody in this network who gets hold of the address below can read along, and what is sent is not encrypted.",
		"Use it at home, not in a café or an office; from other machines it is read-only.",
		...addresses.map(url),
		...(isTerminal ? ["", ...renderUnicodeCompact(url(first), { border: 2 }).split("\n")] : []),
		"",
	];
}
