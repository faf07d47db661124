/**
 * A cautious estimate of a text's tokens. Providers count differently and a tokenizer is too heavy to ship: plain text
 * takes four characters a token, other alphabets two, and a CJK character or emoji about three quarters of one or more.
 */
export function roughTokens(text: string): number {
	let quarters = 0;
	for (const character of text) quarters += quarterTokens(character.codePointAt(0) ?? 0);
	return Math.ceil(quarters / 4);
}

function quarterTokens(codePoint: number): number {
	if (codePoint < 0x80) return 1;
	if (codePoint < 0x1100) return 2;
	return codePoint < 0x1_0000 ? 3 : 4;
}
