import type { Rule } from "./scan.ts";

/** Finds secrets in the arguments of commands, and secrets that are piped into a command. */

/** Matches the user name and the colon in `user:password`. */
const USER = "[\"']?[^\\s:\"'/$<{]{0,100}:";
const TO = "(?:\\s+|=)";

/** These patterns match the end of a command name: an optional `.exe` or, to include names such as `mysqldump`, any suffix. */
const NAME_END = "(?:\\.exe)?";
const ANY_END = "[\\w.-]{0,12}";

/**
 * Command-name prefixes, as a space-separated list, a pattern for the text before the secret, and a pattern for the rest of the command
 * name. Options that are named after their secret (`--password`, `-storepass`) are recognized by their name and need no entry. Source: the
 * commands' manuals.
 */
const COMMANDS: readonly (readonly [names: string, option: string, rest?: string])[] = [
	["sshpass rdesktop evil-winrm crackmapexec netexec nxc", "-p\\s*"],
	["mysql mariadb", "-p(?=\\S)", ANY_END],
	["login", `-p${TO}?(?=\\S)`],
	["redis-cli redis-benchmark keydb-cli valkey-cli", `-a${TO}`],
	["mongo hydra influx mosquitto_ sfdx snowsql twine useradd usermod", "-[pP]\\s+", ANY_END],
	["curl", `(?:-[a-zA-Z]{0,4}[uU]|--user|--proxy-user)(?:\\s*|=)${USER}`],
	["curl", `(?:-b|--cookie)${TO}["']?[\\w.-]{1,60}=`],
	["http https xh", `(?:-a|--auth)${TO}${USER}`],
	["ldapsearch ldapadd ldapmodify ldapdelete ldappasswd ldapwhoami ldapcompare", "-[ws]\\s*"],
	["smbclient rpcclient winexe smbmap smbget net", "-U\\s*[\"']?[^\\s%\"']{1,60}%"],
	["sqlcmd bcp osql isql tsql zip unzip ipmitool", "-P\\s*"],
	["7z rar unrar", "-h?p(?=\\S)", ANY_END],
	["openssl", "(?:-[kK]\\s+|-pass(?:in|out)?\\s+[\"']?pass:|-passwd\\s+)"],
	["ssh-keygen", "-[NP]\\s*"],
	["snmpwalk snmpget snmpset", "-[AXc]\\s+"],
	["xfreerdp wlfreerdp psexec schtasks wmic cmdkey", "(?:/r?p:|/pass(?:word)?:|-p\\s+|/r?p\\s+)"],
	["lftp ncftp", "-(?:u\\s+[^\\s,]{1,60},|p\\s+)", ANY_END],
	["htpasswd", "-\\w*b\\w*\\s+(?:-\\w+\\s+){0,3}\\S{1,200}\\s+\\S{1,100}\\s+"],
	["vault", "login\\s+(?!-)"],
	["wpa_passphrase", "\\S{1,40}\\s+"],
	["net", "user\\s+\\S{1,60}\\s+(?![/-])"],
	["net", "use\\s+(?:\\S{1,3}\\s+)?\\\\\\\\\\S{1,200}(?:\\s+/user:\\S{1,60})?\\s+(?![/-])"],
	["runas", "\\S{0,60}/user:\\S{1,60}\\s+(?![/-])"],
	["ConvertTo-SecureString", "(?:-String\\s+)?(?=[\"'])"],
	["secret", `(?:[A-Za-z_]\\w*=|(?:--body|-b|--value)${TO})`, "s?\\s+(?:set|put|create)"],
	["variable", `(?:--body|-b|--value|-v)${TO}`, "s?\\s+set"],
	["--from-literal", "[\"']?[\\w.-]{1,100}="],
	["nmcli", "(?:password|[\\w.-]*psk)\\s+"],
	["security", "-[wp]\\s+"],
	["bw", "(?:unlock|login\\s+\\S{1,100}@\\S{1,100})\\s+(?!-)"],
	["mysqladmin", "password\\s+"],
	["ansible-vault", "encrypt_string\\s+(?!-)"],
	["rabbitmqctl", "(?:add_user|change_password|authenticate_user)\\s+\\S{1,60}\\s+"],
	["qpdf pdftk pdftotext pdfinfo", "(?:(?:user_pw|owner_pw|input_pw)\\s+|--encrypt\\s+|-[uo]pw\\s+)"],
	["az", "-p\\s+"],
	["aws", `(?:aws_secret_access_key|aws_session_token|--secret-string)${TO}`],
	["mc", "alias\\s+set\\s+\\S+\\s+\\S+\\s+\\S+\\s+"],
	["rclone", "(?:obscure\\s+(?!-)|pass(?:word)?[= ])"],
	["npm yarn pnpm", `(?:config\\s+set\\s+\\S*_(?:authToken|password)${TO}|--otp[= ])`],
	["git", "-c\\s+http\\.extraheader=[\"']?AUTHORIZATION:\\s+\\w+\\s+"],
	["gcloud", "activate-refresh-token\\s+\\S+\\s+"],
	["gem nuget dotnet", `(?:setapikey|-k|-ApiKey|-p)${TO}`],
	["sudo cryptsetup passwd chpasswd --with-token --password-stdin", "<<<\\s*(?:[\"']?\\w{1,40}:)?"],
];

/** Matches a value: in quotation marks of its own, at the end of a quoted argument such as `'user:password'`, or unquoted. */
const VALUE =
	"(?:\"((?:\\\\.|[^\"\\\\\\n])+)\"|'([^'\\n]+)'|(?<='[^'\\s]{1,100})([^'\\n]+)(?=')|(?<=\"[^\"\\s]{1,100})([^\"\\n]+)(?=\")|([^\\s\"'|;&<>`]+))";
/** Matches a command's arguments, up to an operator that starts another command. */
const ARGUMENTS = "(?:(?!\\s(?:&&|\\|\\|?|;)\\s)[^\\n]){0,400}";

/** Whether a value is the secret itself, and not a reference, another option, a port or a description. */
function isArgument(value: string): boolean {
	return value.length > 1 && !/^-|^\$|^[A-Z_]+$|^\d{1,5}(?::\d{1,5})?$|\*\*/.test(value);
}

const PASSES =
	"sudo\\s+(?:-\\w+\\s+)*-S|[^|\\n]{0,200}(?:--password-stdin|--with-token|--pass(?:word|phrase)-fd|--stdin|chpasswd|passwd\\b|secret (?:put|set|create)|cryptsetup|gpg\\b|kinit|openssl enc|secret-tool)";

export const COMMAND_RULES: readonly Rule[] = [
	...COMMANDS.map(
		([names, option, rest = NAME_END]): Rule => ({
			form: new RegExp(`(?:${names.replaceAll(" ", "|")})${rest}(?=[\\s=])${ARGUMENTS}`),
			each: new RegExp(`(?<=[\\s=])${option}${VALUE}`),
			accepts: isArgument,
		}),
	),
	new RegExp(
		`(?:echo|printf)\\s+(?:-\\w+\\s+|["']%s\\\\?n?["']\\s+)*(?:"(?:\\w{1,40}:(?=[^|]*\\|\\s*chpasswd))?([^"\\n]{1,200})"|'(?:\\w{1,40}:(?=[^|]*\\|\\s*chpasswd))?([^'\\n]{1,200})'|([^\\s"'|;&<>$]{1,200}))\\s*\\|\\s*(?:${PASSES})`,
	),
];
