import { lineEnd, matchAt, type Reader } from "./scan.ts";

/** The private part of a PuTTY key; source: the PPK format, appendix C of PuTTY's manual. */
const PPK =
	/private-lines:\s{0,3}\d{1,4}\s{1,3}((?:[A-Za-z0-9+/=]{4,80}\s{1,3})*[A-Za-z0-9+/=]{4,80}(?![\w+/=-]))/iy;
const PPK_MAC = /private-(?:mac|hash):\s{0,3}([0-9a-f]{16,})/iy;

export const readPpk: Reader = (scan, at) => {
	const match = matchAt(PPK, scan.text, at) ?? matchAt(PPK_MAC, scan.text, at);
	const body = match?.[1];
	if (!match || body === undefined) return;
	const end = at + match[0].length;
	scan.hide(end - body.length, end);
};

/** The values of a Kubernetes `Secret`, whatever their names; gitleaks kubernetes-secret-yaml. */
const SECRET_DATA =
	/kind["']?:\s{0,3}["']?secret["']?(?=\s)[^\0]{0,600}?\n[ \t]{0,20}(?:data|stringData):[ \t]{0,5}\n/iy;
const ENTRY = /[ \t]{1,20}["']?[\w.-]{1,100}["']?:[ \t]{1,5}["']?([^\s"'{#][^\n"']{0,4000})/y;

export const readSecretManifest: Reader = (scan, at) => {
	if (!scan.isFresh("manifest", at)) return;
	const head = matchAt(SECRET_DATA, scan.text, at);
	scan.reach("manifest", at + (head?.[0].length ?? 600));
	if (!head) return;
	let start = at + head[0].length;
	for (let entry = matchAt(ENTRY, scan.text, start); entry; entry = matchAt(ENTRY, scan.text, start)) {
		const value = entry[1] ?? "";
		const end = start + entry[0].length;
		if (!/^[|>][+-]?$|^\$\{|^<|^\[/.test(value)) scan.hide(end - value.length, end);
		start = lineEnd(scan.text, end, 4_000) + 1;
	}
	scan.reach("manifest", start);
};

/** The private members of a JSON Web Key; RFC 7518, 6.3.2. */
const JWK_MEMBER = /"(?:d|p|q|dp|dq|qi|k)"\s{0,3}:\s{0,3}"([\w-]{16,})"/g;
const LONGEST_JWK = 4_000;

export const readJwk: Reader = (scan, at) => {
	const start = Math.max(0, at - LONGEST_JWK);
	if (!scan.isFresh("jwk", at)) return;
	const end = Math.min(scan.text.length, at + LONGEST_JWK);
	scan.reach("jwk", end);
	for (const match of scan.text.slice(start, end).matchAll(JWK_MEMBER)) {
		const value = match[1] ?? "";
		const from = start + match.index + match[0].length - 1 - value.length;
		scan.hide(from, from + value.length);
	}
};

/** A line of `.pgpass`: `host:port:database:user:password`. */
const PGPASS = /:\d{4,5}:[^:\s]{1,60}:[^:\s]{1,60}:([^\s:]{2,100})(?=\s|$)/y;

export const readPgpass: Reader = (scan, at) => {
	const match = matchAt(PGPASS, scan.text, at);
	const value = match?.[1];
	if (match && value !== undefined) scan.hide(at + match[0].length - value.length, at + match[0].length);
};

/** The secret key that stands near its id: 40 characters of base64; gitleaks aws rules, trufflehog aws. */
const AWS_SECRET = /(?<![\w/+])(?=[A-Za-z/+]{0,39}\d)(?=[a-z\d/+]{0,39}[A-Z])[A-Za-z\d/+]{40}(?![\w/+])/g;
const NEAR = 240;

export const readAwsPair: Reader = (scan, at) => {
	if (!/^[A-Z0-9]{16}/.test(scan.text.slice(at + 4, at + 24)) || !scan.isFresh("aws", at)) return;
	const end = Math.min(scan.text.length, at + NEAR);
	scan.reach("aws", end);
	for (const match of scan.text.slice(at, end).matchAll(AWS_SECRET))
		scan.hide(at + match.index, at + match.index + match[0].length);
};

/** The words of a wallet's recovery phrase; BIP 39. */
const PHRASE =
	/(?:mnemonic|seed|recovery|backup)(?:[ _-]?(?:phrase|words|seed))?["'`]{0,2}\s{0,3}(?:is|[:=：])?\s{0,3}["'`]?((?:[a-z]{3,8}[ ,]{1,2}){11,23}[a-z]{3,8})/iy;
/** Codes to get in without the second factor: groups of letters and digits. */
const CODES =
	/(?:recovery|backup|scratch)[ _-]codes?["'`*]{0,3}\s{0,3}(?:is|are|[:=：])?[\s"'[*-]{0,8}((?:(?=[a-z-]{0,40}\d)[a-z\d]{4,10}(?:-[a-z\d]{4,10}){0,4}[\s,"']{1,4}){0,20}(?=[a-z-]{0,40}\d)[a-z\d]{4,10}(?:-[a-z\d]{4,10}){0,4})/iy;

export const readRecovery: Reader = (scan, at) => {
	if (!scan.isFresh("recovery", at)) return;
	const match = matchAt(PHRASE, scan.text, at) ?? matchAt(CODES, scan.text, at);
	const value = match?.[1];
	if (!match || value === undefined) return;
	const end = at + match[0].length;
	scan.reach("recovery", end);
	scan.hide(end - value.length, end);
};
