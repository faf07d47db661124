import { type Anchor, scannerFor } from "./anchors.ts";
import { readAssignment } from "./assignments.ts";
import { CALL_ANCHORS, readCredentialCall } from "./calls.ts";
import { readColumns } from "./columns.ts";
import { COMMAND_ANCHORS, commandReader, readPiped } from "./commands.ts";
import { readAwsPair, readJwk, readPgpass, readPpk, readRecovery, readSecretManifest } from "./files.ts";
import { readAuthField, readAuthorization, readBasic, readBearer, readCookie } from "./headers.ts";
import { LINE_READERS, readPgpassStars } from "./lines.ts";
import { readLogin, readLoginCall } from "./logins.ts";
import { NAME_ANCHORS } from "./names.ts";
import { PRINTING_ANCHORS, readPrinted } from "./next-line.ts";
import { type Reader, Scan, type Span } from "./scan.ts";
import { readInsert, readTable } from "./tables.ts";
import { TOKEN_ANCHORS } from "./token-reader.ts";
import { readParameter, readSlashLogin, readUserinfo } from "./urls.ts";

/** What begins the look of each reader. */
const READERS: readonly [read: Reader, literals: readonly string[]][] = [
	[readAssignment, NAME_ANCHORS],
	[
		readTable,
		[
			"pass",
			"pwd",
			"secret",
			"token",
			"api key",
			"api_key",
			"apikey",
			"contraseña",
			"senha",
			"kennwort",
			"пароль",
			"密码",
			"パスワード",
			"비밀번호",
		],
	],
	[readColumns, ["pass", "pwd", "secret", "token", "key", "kennwort", "пароль"]],
	[readInsert, ["values"]],
	[readUserinfo, ["://"]],
	[
		readParameter,
		[
			"?sig=",
			"&sig=",
			"?sid=",
			"&sid=",
			"?auth=",
			"&auth=",
			"?jwt=",
			"&jwt=",
			"?pwd=",
			"&pwd=",
			"?key=",
			"&key=",
			"code_verifier=",
			...[
				"appid",
				"app_id",
				"app_key",
				"appkey",
				"apikey",
				"access_key",
				"auth_key",
				"hash",
				"signature",
				"hapikey",
				"k",
				"api",
				"code",
				"s",
				"sign",
				"subscription-key",
				"zwsid",
				"uuid_token",
				"developerkey",
			].flatMap((name) => [`?${name}=`, `&${name}=`]),
		],
	],
	[readSlashLogin, ["thin:", "sqlplus ", "impdp ", "expdp ", "sqlldr ", "exp ", "imp "]],
	[readAuthorization, ["authorization"]],
	[readBearer, ["bearer"]],
	[readBasic, ["basic "]],
	[readCookie, ["cookie"]],
	[readAuthField, ['auth"', 'auth\\"', "auth=", "auth:", "_auth ", "auth ="]],
	[readPpk, ["private-lines:", "private-mac:", "private-hash:"]],
	[readSecretManifest, ["kind: secret", 'kind": "secret']],
	[readJwk, ['"kty"']],
	[readPgpass, [":5432:", ":6432:", ":5433:", ":3306:", ":1433:"]],
	[readPgpassStars, ["*:*:", "localhost:*:", "*:5432:"]],
	[readPrinted, PRINTING_ANCHORS],
	[readCredentialCall, CALL_ANCHORS],
	...LINE_READERS,
	[readAwsPair, ["AKIA", "ASIA"]],
	[
		readRecovery,
		["mnemonic", "seed phrase", "seed words", "recovery ", "recovery_", "backup ", "backup_", "scratch code"],
	],
	[
		readLogin,
		[
			"login",
			"log in",
			"logged in",
			"sign in",
			"signin",
			"credential",
			"creds",
			"basic auth",
			"wifi",
			"wi-fi",
			"u/p",
			"account",
			"user",
			"admin/",
			"admin:",
			"admin /",
			"root/",
			"root:",
			"root /",
			"administrator/",
			"administrator:",
		],
	],
	[
		readLoginCall,
		["auth", "login", "credential", "authenticate", "signin", "sign_in", "connect", "jwt.", "hmac"],
	],
	[readPiped, ["echo ", "printf ", "chpasswd", "--password-stdin", "--with-token", "sudo "]],
];

export function* anchors(): Generator<Anchor<Reader>> {
	yield* TOKEN_ANCHORS;
	for (const [value, literals] of READERS)
		for (const literal of literals) yield { literal: literal.toLowerCase(), value };
	for (const [literal, index] of COMMAND_ANCHORS) yield { literal, value: commandReader(index) };
}

let scan: ReturnType<typeof scannerFor<Reader>> | undefined;

/** Letters and digits of full width, each in place of one unit. */
function halfWidth(text: string): string {
	return text.replace(/[\uff10-\uff19\uff21-\uff3a\uff3f\uff41-\uff5a]+/g, (wide) => wide.normalize("NFKC"));
}

/** Where the secrets of a text stand, in order and apart from each other. Linear; key blocks are not looked for. */
export function findSecrets(wide: string): Span[] {
	const text = halfWidth(wide);
	scan ??= scannerFor(anchors());
	const found = new Scan(text);
	scan(text, (at, read, literal) => {
		if (at >= found.hiddenTo) read(found, at, literal);
	});
	return apart(found.spans);
}

/** The spans in order, those that touch made one. */
function apart(spans: readonly Span[]): Span[] {
	const merged: Span[] = [];
	for (const span of [...spans].sort((a, b) => a.start - b.start)) {
		const last = merged.at(-1);
		if (last && span.start <= last.end) last.end = Math.max(last.end, span.end);
		else merged.push({ ...span });
	}
	return merged;
}
