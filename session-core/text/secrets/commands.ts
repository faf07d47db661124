import { Layer } from "./layers.ts";
import type { Rule } from "./rules.ts";
import { type Anchor, endOf, type Reader, type Scan, startsWord } from "./scan.ts";
import { isPlaceholder, looksMadeUp } from "./values.ts";

/** Matches the part before the password in `user:password`. */
const USER = "[^\\s:/<{]{0,100}:";
const TO = "[ =]";
/** Matches the rest of a command's name, such as `dump` in `mysqldump`. */
const ANY_END = "[\\w.-]{0,12}";

/**
 * Each row contains the beginnings of command names, a pattern for the text before the secret, and a
 * pattern for the rest of a command's name. The patterns match commands whose words are separated by
 * single spaces. An option that is named after its secret, such as `--password`, needs no row. Source:
 * the commands' manuals.
 */
export const SECRET_ARGUMENTS: readonly (readonly [names: string, option: string, rest?: string])[] = [
	["sshpass rdesktop evil-winrm crackmapexec netexec nxc", "-p ?"],
	["mysql mariadb mongo", "-p", ANY_END],
	["login", `-p${TO}?`],
	["redis-cli redis-benchmark keydb-cli valkey-cli", `(?:-a${TO}|AUTH )`],
	["mongo cqlsh hydra influx mosquitto_ sfdx snowsql twine useradd usermod", "-[pP] ", ANY_END],
	["curl", `(?:-[a-zA-Z]{0,4}[uUE]|--user|--proxy-user)[ =]?${USER}`],
	["curl", `(?:-b|--cookie)${TO}[\\w.-]{1,60}=`],
	["http https xh", `(?:-a|--auth)${TO}${USER}`],
	["ldapsearch ldapadd ldapmodify ldapdelete ldappasswd ldapwhoami ldapcompare", "-w ?"],
	["ldappasswd", "-s ?"],
	["smbclient rpcclient winexe smbmap smbget net", "-U ?[^\\s%]{1,60}%"],
	["sqlcmd bcp osql isql tsql zip unzip ipmitool", "-P ?"],
	["7z rar unrar", "-h?p", ANY_END],
	[
		"openssl",
		"(?:-[kK] |-pass(?:in|out)? pass:|-passwd |-hmac |-macopt (?:hex)?key:|passwd (?:-salt \\S+ |-(?!salt|in |stdin)\\w+ ){0,4}(?!-)(?=\\S*[^a-z\\s]))",
	],
	["-u --user --username", "(?<=^ )\\S+ (?:-\\w \\S+ )?(?:-[pP]|--pass) (?=\\S*[^a-zA-Z\\s./-])"],
	["-u --user --username -auth --cert", "(?<=^ )[\\w.@-]{1,60}:(?=\\S*[a-zA-Z])(?=\\S*[\\d!#$%^&*?])"],
	["cf", "auth \\S{1,100} "],
	["ngrok", "(?:add-)?authtoken "],
	["oathtool", "-\\S+ (?=[A-Za-z2-7]{16})"],
	["mkpasswd", "(?:-m|--method)[ =]\\S+ (?!-)"],
	["ssh-keygen", "-[NP] ?"],
	["snmpwalk snmpget snmpset", "-[AXc] "],
	["xfreerdp wlfreerdp signtool psexec schtasks wmic cmdkey", "(?:/r?p:|/pass(?:word)?:|-p |/r?p )"],
	["lftp ncftp", "-(?:u [^\\s,]{1,60},|p )", ANY_END],
	["htpasswd", "-(?=\\w*b)\\w*C \\d{1,2} \\S{0,100} "],
	["htpasswd", "(?:-(?=\\w*n)(?!\\w*C)\\w*b\\w*|-\\w*b\\w* (?:-\\w+ ){0,3}\\S{1,200}) \\S{1,100} "],
	[
		"vault doctl",
		"(?:login |auth init -t |operator unseal (?=\\S{20})|(?<=(?:kv (?:put|patch)|write secret/) ?.{0,400} )(?!user|host|port|url|region|email)[A-Za-z_][\\w.-]{0,60}=)",
	],
	["wpa_passphrase", "\\S{1,40} "],
	["net", "user \\S{1,60} (?!/)"],
	["net", "use (?:\\S{1,3} )?\\\\\\\\?\\S{1,200}(?: /user:\\S{1,60})? (?!/)"],
	["ConvertTo-SecureString", "(?:-String )?"],
	[
		"gh eas glab netlify fly flyctl doppler infisical dotnet az wrangler heroku supabase railway",
		`(?<=(?:secrets?|variable|config|env)[: ]?(?:set|put|create) .{0,400})(?:[A-Za-z_]\\w*=|(?:--body|--value)${TO}|-b[ =]?|(?<=(?:secrets?|variable|env:) ?set )[\\w:.-]+ (?=[^-]\\S*[^a-z\\s]))`,
	],
	["kubectl oc", "--from-literal[ =][\\w.-]{1,100}="],
	["nmcli", "(?:password|[\\w.-]*psk) "],
	["security", "(?:-[wP] |(?<=key-partition-list .{0,200})-k |(?<!find-identity .{0,40})-p )"],
	["bw", "(?:unlock|login \\S{1,100}@\\S{1,100}) "],
	["mysqladmin", "password "],
	["ansible-vault", "encrypt_string "],
	["rabbitmqctl drush", "(?:add_user|change_password|authenticate_user|upwd|user:password) \\S{1,60} "],
	["qpdf pdftk pdftotext pdfinfo", "(?:(?:user_pw|owner_pw|input_pw) |--encrypt |-[uo]pw )"],
	["az", "-p "],
	[
		"aws",
		`(?:aws_secret_access_key|aws_session_token|--secret-string|(?<=(?!.*--type[ =]String(?:List)?(?: |$))put-parameter .{0,400})--value)${TO}`,
	],
	["sops", '--set \\S+?\\]\\W"?'],
	["mc", "alias set \\S+ \\S+ \\S+ "],
	["rclone", "(?:obscure |\\w*(?:pass|secret|token|key)\\w*[= ])"],
	["pulumi", "config set (?=.*--secret)(?:--\\S+ ){0,3}\\S+ "],
	["poetry composer", "(?:http-basic\\.\\S+ \\S+|(?:pypi-token|github-oauth|gitlab-token|bearer)\\.\\S+) "],
	["bundle", "config (?:set |--\\w+ ){0,3}\\S+ [\\w.@-]{1,60}:(?!//)"],
	["cargo snyk wandb", "(?:login|auth) (?=\\S*\\d)"],
	["consul etcdctl", "put (?=\\S*(?:pass|secret|token|key))\\S+ "],
	["swaks steamcmd", "(?:-ap |\\+login \\S+ )"],
	["npm yarn pnpm", `(?:config set \\S*_(?:authToken|password)${TO}|--otp[= ])`],
	["git", "-c http\\.extraheader=AUTHORIZATION:\\S+?\\ue000"],
	["gcloud", "activate-refresh-token \\S+ "],
	["gem nuget dotnet", `(?:setapikey|-k|-ApiKey)${TO}`],
	[
		"sudo su docker openconnect wrangler vncpasswd gcloud vercel cryptsetup passwd chpasswd kinit gpg secret-tool podman pass op keepassxc-cli kubectl smbpasswd --with-token --password-stdin",
		"<<< ?(?!\\$\\w)(?:\\w{1,40}:)?",
	],
];

interface Layout {
	separator: RegExp;
	ends: "shell" | "element" | "line";
}
const SHELL: Layout = { separator: /[ \t]+/y, ends: "shell" };
const LAYOUTS: readonly Layout[] = [
	{ separator: /["'`]\s*,\s*(?:["']?arg(?:ument)?s["']?\s*[:=]\s*)?[[{]?\s*(?=["'`])/y, ends: "element" },
	{ separator: /["']?[ \t]*\r?\n[ \t]*-[ \t]+/y, ends: "line" },
	{ separator: /[ \t]*\r?\n[ \t]*(?=[^\s#-]\S*[ \t]*(?:\r?\n|$)|-)/y, ends: "line" },
	SHELL,
];

/**
 * In a command that was split into words, this private-use character stands for whitespace inside
 * quotation marks.
 */
const BLANK = "\ue000";
const LONGEST = 8_000;

/**
 * Reads the words of a shell command, the elements of an array, the items of a YAML list, or one word from
 * each line. In the result, a space precedes each word, and quotation marks are removed.
 */
function wordsAt({ text }: Scan, from: number, quote: string): Layer {
	const words = new Layer(new Layer(undefined, text));
	const layout = LAYOUTS.find(({ separator }) => endOf(separator, text, from) !== undefined) ?? SHELL;
	let at = from;
	while (at - from < LONGEST) {
		const start = endOf(layout.separator, text, at);
		if (start === undefined || start >= text.length) break;
		if (layout === SHELL && /^(?:&&|\|\|?|;)\s/.test(text.slice(start, start + 3))) break;
		words.add(at, start, " ");
		at = addWord(words, text, start, layout, quote);
		if (at === start) break;
	}
	return words;
}

function addWord(words: Layer, text: string, from: number, { ends }: Layout, quote: string): number {
	const isShell = ends === "shell";
	let open = !isShell && /["'`]/.test(text.charAt(from)) ? text.charAt(from) : "";
	let at = from + open.length;
	for (; at - from < LONGEST; at++) {
		const character = text.charAt(at);
		if (character === "" || character === "\n" || character === "\r") break;
		if (
			open === "" &&
			isShell &&
			(character === quote || /^(?:[ \t]|;(?:\s|$)|\\n|\\\\n(?!\w))/.test(text.slice(at, at + 4)))
		)
			break;
		if (open === "" && ends === "line" && /^ +(?:#|\r|\n|$)/.test(text.slice(at, at + 20))) break;
		if (open !== "" && character === open) {
			if (!isShell) break;
			open = "";
		} else if (isShell && open === "" && /["']/.test(character)) open = character;
		else if (character === "\\" && open !== (isShell ? "'" : "") && /[^\n\r]/.test(text.charAt(at + 1))) {
			words.add(at, at + 2, text.charAt(at + 1));
			at++;
		} else words.add(at, at + 1, /\s/.test(character) ? BLANK : character);
	}
	return at;
}

interface Row {
	end: RegExp;
	option: RegExp;
}

/** In a command, a secret cannot be a variable, another option, a port or a path such as `/path`. */
function isArgument(value: string): boolean {
	return (
		value.length > 1 &&
		!isPlaceholder(value) &&
		!/^--?[A-Za-z][a-zA-Z-]*(?:=.*)?\)*$|^\d?>{1,2}[/&]|^[A-Z_]+$|^\d{1,5}(?::\d{1,5})?$|^\/\w+$|^\/\//.test(
			value,
		)
	);
}

function readerOf(rows: readonly Row[]): Reader {
	const reader: Reader = (scan, at, literal) => {
		const { text } = scan;
		if (at < scan.reachedBy(reader) || !startsWord(text, at)) return;
		for (const { end, option } of rows) {
			const from = endOf(end, text, at + literal.length);
			if (from === undefined) continue;
			scan.isPromising = true;
			const words = wordsAt(scan, from, scan.quoteAt(at));
			for (const match of words.text.matchAll(option)) {
				const value = match[1] ?? "";
				const last = match.index + match[0].length;
				const span = words.toSource(last - value.length, last);
				if (isArgument(value)) scan.hide(span.start, span.end);
			}
			if (words.text !== "") scan.reach(reader, words.toSource(0, words.text.length).end);
		}
	};
	return reader;
}

function anchors(): Anchor[] {
	const rows = new Map<string, Row[]>();
	for (const [names, option, rest = "(?:\\.exe)?"] of SECRET_ARGUMENTS) {
		const row = {
			end: new RegExp(`${rest}(?=[\\s"'\`\\\\])`, "y"),
			option: new RegExp(`(?<= )${option}(\\S+)`, "g"),
		};
		for (const name of names.split(" ")) rows.set(name, [...(rows.get(name) ?? []), row]);
	}
	return [...rows].map(([literal, own]) => ({ literal, exact: true, value: readerOf(own) }));
}

export const COMMAND_ANCHORS: readonly Anchor[] = anchors();

const PASSES =
	"sudo\\s+(?:-\\w+\\s+)*-S|[^|\\n]{0,200}(?:--password-stdin|--with-token|--pass(?:word|phrase)-fd|--stdin|chpasswd|passwd\\b|secrets? (?:put|set|create|versions add)|create secret|env add|devops login|pass insert|cryptsetup|gpg\\b|kinit|openssl enc|secret-tool|keyring set|load-key)";
/** Matches the path of a file that is named after a secret, such as `/run/secrets/db_password`. */
const SECRET_FILE = `["']?[^\\s"'<>|]{0,200}(?:pass(?:wd|word|_file)?|secrets?|token|credentials?|api_?key|pgpass)(?:\\.(?:txt|key|env))?["']?`;
const CONTINUED = "\\s*(?:\\\\\\r?\\n\\s*)?";

function echo(prefix = ""): string {
	const option = `-\\w+\\s+|["']?%s(?:\\\\{1,2}n)?["']?\\s+`;
	return `(?:echo|printf)\\s+(?:${option})*(?:"${prefix}([^"\\n]{1,200})"|'${prefix}([^'\\n]{1,200})'|([^\\s"'|;&<>$()]{1,200}))`;
}

export const PIPED: readonly Rule[] = [
	new RegExp(
		`${echo("(?:\\w{1,40}:(?=[^|]*\\|\\s*chpasswd))?")}(?:(?=(?:;[^|\\n)]{1,200}(?=\\)))?\\)?${CONTINUED}\\|${CONTINUED}(?:${PASSES}))|\\s*(?:>{1,2}|\\|\\s*(?:sudo\\s+)?tee\\s(?:\\s*-a\\s)?)\\s*${SECRET_FILE}(?=[\\s;&]|$))`,
	),
	// cat > password.txt <<EOF
	new RegExp(
		`(?:cat|tee)(?:\\s+(?:>{1,2}\\s*|-a\\s+)?${SECRET_FILE})?\\s*<<-?\\s?["']?(\\w{2,12})["']?(?:(?<=\\s${SECRET_FILE}\\s{0,3}<<.{0,16})|\\s*>{1,2}\\s*${SECRET_FILE})\\r?\\n[ \\t]{0,8}(\\S{4,400})\\r?\\n[ \\t]{0,8}\\1`,
	),
	// sed 's/password: .*/…/'
	{
		form: /sed [^\n]{0,80}?[\s'"]s([/|#@,])(?=[^\n]{0,100}(?:pass|secret|token|key))[^\n]{1,100}?\1(?:[\w.${}()\\-]{1,60}(?:[:=]\s?|["'] ?[:=,] ?["']|\s)|\\\d)?["']?([^\s"'/|#@,\\]{4,100})["']?\1/i,
		accepts: looksMadeUp,
	},
	// echo user:password | base64
	{
		form: /(?:echo|printf)\s+(?:-\w+\s+)*["']?[\w.@-]{1,60}:([^\s"'|]{4,100})["']?\s*\|\s*(?:openssl )?base64/,
		accepts: looksMadeUp,
	},
	// --password-file <(echo …)
	{ form: new RegExp(`<\\(${echo()}\\s*\\)`), accepts: looksMadeUp },
];
