import { type Anchor, type Reader, type Rule, type Scan, startsWord } from "./scan.ts";
import { isPlaceholder } from "./values.ts";
import { type Command, endAt, LONGEST, wordsAt } from "./words.ts";

/** Finds secrets in the arguments of commands, and secrets that are piped into a command. */

/** Matches the user name and the colon in `user:password`. */
const USER = "[^\\s:/$<{]{0,100}:";
const TO = "[ =]";
/** Matches any end of a command name, to include names such as `mysqldump`. */
const ANY_END = "[\\w.-]{0,12}";

/**
 * Each row contains the beginnings of command names, separated by spaces; a pattern for the text before the secret; and a pattern for the
 * rest of the command name. The command's words are separated by one space, whatever their layout is. Options that are named after their
 * secret (`--password`, `-storepass`) are recognized by their name and need no entry. Source: the commands' manuals.
 */
export const SECRET_ARGUMENTS: readonly (readonly [names: string, option: string, rest?: string])[] = [
	["sshpass rdesktop evil-winrm crackmapexec netexec nxc", "-p ?"],
	["mysql mariadb", "-p", ANY_END],
	["login", `-p${TO}?`],
	["redis-cli redis-benchmark keydb-cli valkey-cli", `-a${TO}`],
	["mongo hydra influx mosquitto_ sfdx snowsql twine useradd usermod", "-[pP] ", ANY_END],
	["curl", `(?:-[a-zA-Z]{0,4}[uU]|--user|--proxy-user)[ =]?${USER}`],
	["curl", `(?:-b|--cookie)${TO}[\\w.-]{1,60}=`],
	["http https xh", `(?:-a|--auth)${TO}${USER}`],
	["ldapsearch ldapadd ldapmodify ldapdelete ldappasswd ldapwhoami ldapcompare", "-[ws] ?"],
	["smbclient rpcclient winexe smbmap smbget net", "-U ?[^\\s%]{1,60}%"],
	["sqlcmd bcp osql isql tsql zip unzip ipmitool", "-P ?"],
	["7z rar unrar", "-h?p", ANY_END],
	["openssl", "(?:-[kK] |-pass(?:in|out)? pass:|-passwd )"],
	["ssh-keygen", "-[NP] ?"],
	["snmpwalk snmpget snmpset", "-[AXc] "],
	["xfreerdp wlfreerdp psexec schtasks wmic cmdkey", "(?:/r?p:|/pass(?:word)?:|-p |/r?p )"],
	["lftp ncftp", "-(?:u [^\\s,]{1,60},|p )", ANY_END],
	["htpasswd", "-\\w*b\\w* (?:-\\w+ ){0,3}\\S{1,200} \\S{1,100} "],
	["vault", "login "],
	["wpa_passphrase", "\\S{1,40} "],
	["net", "user \\S{1,60} (?!/)"],
	["net", "use (?:\\S{1,3} )?\\\\\\\\?\\S{1,200}(?: /user:\\S{1,60})? (?!/)"],
	["ConvertTo-SecureString", "(?:-String )?"],
	[
		"gh fly flyctl az wrangler heroku supabase railway",
		`(?<=(?:secrets?|variable|config):?(?: ?set| put| create) .{0,400})(?:[A-Za-z_]\\w*=|(?:--body|-b|--value)${TO})`,
	],
	["kubectl oc", "--from-literal[ =][\\w.-]{1,100}="],
	["nmcli", "(?:password|[\\w.-]*psk) "],
	["security", "-[wp] "],
	["bw", "(?:unlock|login \\S{1,100}@\\S{1,100}) "],
	["mysqladmin", "password "],
	["ansible-vault", "encrypt_string "],
	["rabbitmqctl", "(?:add_user|change_password|authenticate_user) \\S{1,60} "],
	["qpdf pdftk pdftotext pdfinfo", "(?:(?:user_pw|owner_pw|input_pw) |--encrypt |-[uo]pw )"],
	["az", "-p "],
	["aws", `(?:aws_secret_access_key|aws_session_token|--secret-string)${TO}`],
	["mc", "alias set \\S+ \\S+ \\S+ "],
	["rclone", "(?:obscure |pass(?:word)?[= ])"],
	["npm yarn pnpm", `(?:config set \\S*_(?:authToken|password)${TO}|--otp[= ])`],
	["git", "-c http\\.extraheader=AUTHORIZATION:\\S+?\\ue000"],
	["gcloud", "activate-refresh-token \\S+ "],
	["gem nuget dotnet", `(?:setapikey|-k|-ApiKey)${TO}`],
	["sudo cryptsetup passwd chpasswd --with-token --password-stdin", "<<< ?(?:\\w{1,40}:)?"],
];

interface Row {
	end: RegExp;
	option: RegExp;
}

/** Matches the end of a command name, before its arguments. */
const NAME_END = /(?=[\s"'`\\])/y;

/** Whether a value is the secret itself, and not a reference, another option, a port or a description. */
function isArgument(value: string): boolean {
	return (
		value.length > 1 &&
		!isPlaceholder(value) &&
		!/^--?[A-Za-z][a-zA-Z-]*(?:=.*)?$|^\d?>{1,2}[/&]|^[A-Z_]+$|^\d{1,5}(?::\d{1,5})?$|^\/\w+$/.test(value)
	);
}

function readRow(scan: Scan, { option }: Row, { line, at }: Command): void {
	for (const match of line.matchAll(option)) {
		const value = match[1] ?? "";
		const start = match.index + match[0].length - value.length;
		if (isArgument(value)) scan.hide(at[start] ?? 0, endAt(scan, at[start + value.length - 1] ?? 0));
	}
}

function readerOf(rows: readonly Row[]): Reader {
	const reader: Reader = (scan, at, literal) => {
		const { text } = scan;
		if (!scan.isFresh(reader, at) || !startsWord(text, at)) return;
		for (const row of rows) {
			row.end.lastIndex = at + literal.length;
			if (!row.end.test(text)) continue;
			NAME_END.lastIndex = row.end.lastIndex;
			if (!NAME_END.test(text)) continue;
			scan.look(at - 200, at + LONGEST);
			const command = wordsAt(scan, NAME_END.lastIndex, scan.quoteAt(at));
			readRow(scan, row, command);
			scan.reach(reader, command.at.at(-1) ?? at);
		}
	};
	return reader;
}

function anchors(): Anchor<Reader>[] {
	const rows = new Map<string, Row[]>();
	for (const [names, option, rest = "(?:\\.exe)?"] of SECRET_ARGUMENTS)
		for (const name of names.split(" ")) {
			const row = { end: new RegExp(rest, "y"), option: new RegExp(`(?<= )${option}(\\S+)`, "g") };
			rows.set(name, [...(rows.get(name) ?? []), row]);
		}
	return [...rows].map(([literal, own]) => ({ literal, exact: true, value: readerOf(own) }));
}

export const COMMAND_ANCHORS: readonly Anchor<Reader>[] = anchors();

const PASSES =
	"sudo\\s+(?:-\\w+\\s+)*-S|[^|\\n]{0,200}(?:--password-stdin|--with-token|--pass(?:word|phrase)-fd|--stdin|chpasswd|passwd\\b|secret (?:put|set|create)|cryptsetup|gpg\\b|kinit|openssl enc|secret-tool)";
const CONTINUED = "\\s*(?:\\\\\\r?\\n\\s*)?";

export const PIPED: Rule = new RegExp(
	`(?:echo|printf)\\s+(?:-\\w+\\s+|["']%s\\\\?n?["']\\s+)*(?:"(?:\\w{1,40}:(?=[^|]*\\|\\s*chpasswd))?([^"\\n]{1,200})"|'(?:\\w{1,40}:(?=[^|]*\\|\\s*chpasswd))?([^'\\n]{1,200})'|([^\\s"'|;&<>$]{1,200}))(?:${CONTINUED}\\|${CONTINUED}(?:${PASSES})|\\s*>{1,2}\\s*["']?[^\\s"']{0,200}(?:passw(?:or)?d|secret|token|credentials?)(?:\\.txt)?["']?(?=[\\s;&]|$))`,
);
