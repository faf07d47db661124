const LABEL = "[A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?";

/** A whole block; the body may hold anything but another beginning, so that no text is read twice. */
const WHOLE = new RegExp(
	`-----BEGIN ${LABEL}-----(?:[^-]|-(?!----(?:BEGIN|END) ))*-----END ${LABEL}(?:-----)?`,
	"g",
);

/** A block whose end is cut off: its header fields, then lines of base64, quoted or escaped as they may be. */
const CUT_END = new RegExp(
	`-----BEGIN ${LABEL}-----(?:(?:\\\\[nr]|[\\s"',>|])*(?:(?:Proc-Type|DEK-Info|Version|Comment|Hash|Charset):[^\\n\\\\]*|[A-Za-z0-9+/=]{16,}))*(?:(?:\\\\n|\\n)[A-Za-z0-9+/=]{1,15}(?![^\\s\\\\]))?`,
	"g",
);

const END = new RegExp(`-----END ${LABEL}-----`, "g");
/** Longer than the body of any private key in use (16,384 bits of RSA). */
const LONGEST_BODY = 16_384;

const BODY = /[A-Za-z0-9+/=\s"',>|\\]/;

/** Where the base64 before `end` begins, looking back no further than a key can be long. */
function bodyStart(text: string, end: number): number {
	let start = end;
	while (start > 0 && end - start < LONGEST_BODY && BODY.test(text.charAt(start - 1))) start--;
	const firstRun = text.slice(start, end).search(/[A-Za-z0-9+/=]{16}/);
	return firstRun < 0 ? end : start + firstRun;
}

/** A block whose beginning is cut off. */
function redactCutStart(text: string, by: string): string {
	let out = "";
	let read = 0;
	for (const match of text.matchAll(END)) {
		const start = Math.max(read, bodyStart(text, match.index));
		out += text.slice(read, start) + by;
		read = match.index + match[0].length;
	}
	return out + text.slice(read);
}

/** Private-key blocks of PEM and PGP (RFC 7468, RFC 9580), whole or cut off at either end, replaced by `by`. */
export function redactPem(text: string, by: string): string {
	if (!text.includes("PRIVATE KEY")) return text;
	return redactCutStart(text.replace(WHOLE, by).replace(CUT_END, by), by);
}
