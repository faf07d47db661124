import { lineEnd, matchAt, type Reader } from "./scan.ts";
import { isPlaceholder } from "./value.ts";

/** A secret among the arguments of a command, by the flags that mean one there. */
interface CommandFlags {
	/** What the command's name begins with, parted by blanks. */
	names: string;
	/** Source of the pattern of the rest of the name. */
	rest?: string;
	/** Source of the pattern from a blank up to the secret. */
	flag: string;
	/** Where the facts are from. */
	source: string;
}

/** The user's name in `user:password`. */
const USER = "[\"']?[^\\s:\"'/$<{]{0,100}:";

const COMMANDS: readonly CommandFlags[] = [
	{ names: "sshpass", flag: "-p\\s*", source: "man sshpass" },
	{ names: "mysql mariadb", rest: "\\w*(?:-\\w+)?", flag: "-p(?=\\S)", source: "man mysql" },
	{
		names: "login",
		flag: "-p(?:\\s+|=)?(?=\\S)",
		source: "docker, podman, helm, oc, cf and az login --help",
	},
	{
		names: "redis-cli redis-benchmark keydb-cli valkey-cli",
		flag: "(?:-a|--pass)(?:\\s+|=)",
		source: "redis-cli --help",
	},
	{ names: "mongo", rest: "(?:sh|dump|restore|export|import)?", flag: "-p\\s+", source: "mongosh --help" },
	{
		names: "curl",
		flag: `(?:-[a-zA-Z]{0,4}[uU]|--user|--proxy-user)(?:\\s*|=)${USER}`,
		source: "man curl; gitleaks curl-auth-user",
	},
	{ names: "curl", flag: "(?:-b|--cookie)(?:\\s+|=)[\"']?[\\w.-]{1,60}=", source: "man curl" },
	{ names: "http https xh", flag: `(?:-a|--auth)(?:\\s+|=)${USER}`, source: "httpie.io/docs" },
	{
		names: "ldap",
		rest: "(?:search|add|modify|delete|passwd|whoami|compare)",
		flag: "-w\\s*",
		source: "man ldapsearch",
	},
	{
		names: "smbclient rpcclient winexe smbmap smbget net",
		flag: "-U\\s*[\"']?[^\\s%\"']{1,60}%",
		source: "man smbclient",
	},
	{ names: "sqlcmd bcp osql isql tsql", flag: "-P\\s*", source: "sqlcmd -?" },
	{ names: "zip unzip", flag: "-P\\s*", source: "man zip" },
	{ names: "7z rar unrar", rest: "[ar]?", flag: "-h?p(?=\\S)", source: "man 7z" },
	{
		names: "openssl",
		flag: "(?:-[kK]\\s+|-pass(?:in|out)?\\s+[\"']?pass:|-passwd\\s+)",
		source: "man openssl-passphrase-options",
	},
	{ names: "ssh-keygen", flag: "-[NP]\\s*", source: "man ssh-keygen" },
	{ names: "ipmitool", flag: "-P\\s+", source: "man ipmitool" },
	{ names: "snmp", rest: "\\w+", flag: "-[AXc]\\s+", source: "man snmpcmd" },
	{ names: "xfreerdp wlfreerdp", flag: "/p:", source: "man xfreerdp" },
	{ names: "rdesktop evil-winrm crackmapexec netexec nxc", flag: "-p\\s+", source: "man rdesktop" },
	{
		names: "keytool jarsigner",
		flag: "-(?:store|key|new|srcstore|deststore)pass\\s+",
		source: "man keytool",
	},
	{ names: "lftp ncftp", rest: "\\w*", flag: "-(?:u\\s+[^\\s,]{1,60},|p\\s+)", source: "man lftp" },
	{
		names: "htpasswd",
		flag: "-\\w*b\\w*\\s+(?:-\\w+\\s+){0,3}\\S{1,200}\\s+\\S{1,100}\\s+",
		source: "man htpasswd",
	},
	{ names: "vault", flag: "login\\s+(?!-)", source: "vault login -help" },
	{ names: "wpa_passphrase", flag: "\\S{1,40}\\s+", source: "man wpa_passphrase" },
	{ names: "net runas", flag: "(?:user\\s+|\\S{0,60}/user:)\\S{1,60}\\s+(?![/-])", source: "net help user" },
	{
		names: "ConvertTo-SecureString",
		flag: "(?:-String\\s+)?(?=[\"'])",
		source: "learn.microsoft.com, ConvertTo-SecureString",
	},
	{
		names: "secret",
		rest: "s?\\s+(?:set|put|create)",
		flag: "(?:[A-Za-z_]\\w*=|(?:--body|-b)(?:\\s+|=))",
		source: "fly secrets set, gh secret set --help",
	},
	{ names: "--from-literal", flag: "[\"']?[\\w.-]{1,100}=", source: "kubectl create secret --help" },
	{ names: "nmcli", flag: "(?:password|[\\w.-]*psk)\\s+", source: "man nmcli" },
	{ names: "security", flag: "-[wp]\\s+", source: "man security" },
	{ names: "useradd usermod", flag: "-p\\s+", source: "man usermod" },
	{
		names: "bw",
		flag: "(?:unlock|login\\s+\\S{1,100}@\\S{1,100})\\s+(?!-)",
		source: "bitwarden.com/help/cli",
	},
	{
		names: "psexec PsExec psexec64 PsExec64 psexec.exe PsExec.exe schtasks wmic",
		rest: "(?:\\.exe)?",
		flag: "(?:-p|/p|/rp|/RP|/password:)\\s*",
		source: "learn.microsoft.com, PsExec",
	},
	{
		names:
			"impacket- psexec.py smbexec.py wmiexec.py secretsdump.py smbclient.py mssqlclient.py GetUserSPNs.py GetNPUsers.py atexec.py dcomexec.py getTGT.py lookupsid.py",
		rest: "\\w*",
		flag: "[\"']?(?:[\\w.-]{1,60}/)?[\\w.$-]{1,60}:(?=\\S{1,200}@\\S)",
		source: "github.com/fortra/impacket",
	},
	{ names: "net", flag: "use\\s+\\S{1,200}(?:\\s+/user:\\S{1,60})?\\s+(?![/-])", source: "net help use" },
	{ names: "cmdkey", flag: "/pass(?:word)?:", source: "cmdkey /?" },
	{ names: "mount mount.cifs", flag: "-o\\s+\\S{0,100}?pass(?:word)?=", source: "man mount.cifs" },
	{ names: "svn", flag: "--password\\s+", source: "svn help" },
	{ names: "wget", flag: "--(?:http-|ftp-|proxy-)?password(?:\\s+|=)", source: "man wget" },
	{ names: "ansible-vault", flag: "encrypt_string\\s+(?!-)", source: "ansible-vault --help" },
	{ names: "telnet nc ncat", flag: "-P\\s+(?!\\d)", source: "man ncat" },
	{ names: "expect", flag: "send\\s+", source: "man expect" },
	{ names: "kinit", flag: "--password=", source: "man kinit" },
	{
		names: "gh glab",
		flag: "(?:variable|secret)\\s+set\\s+[A-Z_\\d]+\\s+(?:-b|--body|-v|--value)(?:\\s+|=)",
		source: "gh secret --help",
	},
	{
		names: "heroku",
		flag: "config:set\\s+(?:\\S+\\s+)*?[A-Z_\\d]*(?:KEY|TOKEN|SECRET|PASS\\w*|PW)=",
		source: "heroku help config:set",
	},
	{ names: "hydra medusa ncrack", flag: "-p\\s+", source: "man hydra" },
	{ names: "borg restic", flag: "(?:--passphrase|--password)(?:\\s+|=)", source: "restic help" },
	{ names: "pg_dump psql createdb pg_restore", flag: "(?:-W|--password)=?", source: "man psql" },
	{
		names: "qpdf pdftk",
		flag: "(?:--password=|(?:user_pw|owner_pw|input_pw)\\s+|--encrypt\\s+)",
		source: "man qpdf",
	},
	{ names: "pdftotext pdfinfo pdftoppm", flag: "-[uo]pw\\s+", source: "man pdftotext" },
	{ names: "az", flag: "(?:-p|--password|--client-secret)(?:\\s+|=)", source: "az login --help" },
	{ names: "vncviewer x11vnc vncpasswd", flag: "(?:-passwd|-rfbauth|-f)\\s+", source: "man x11vnc" },
	{ names: "hashcat john", flag: "--pot-password=", source: "hashcat --help" },
	{
		names: "aws",
		flag: "(?:aws_secret_access_key|aws_session_token|--secret-string|--password|--master-user-password)(?:\\s+|=)",
		source: "aws help",
	},
	{ names: "influx", flag: "(?:-p|-t|--password|--token)(?:\\s+|=)", source: "influx help" },
	{
		names: "mosquitto_pub mosquitto_sub mosquitto_passwd",
		flag: "(?:-P\\s+|-b\\s+\\S+\\s+\\S+\\s+)",
		source: "man mosquitto_pub",
	},
	{
		names: "rabbitmqctl",
		flag: "(?:add_user|change_password|authenticate_user)\\s+\\S{1,60}\\s+",
		source: "man rabbitmqctl",
	},
	{ names: "smbpasswd pdbedit", flag: "-s\\s+", source: "man smbpasswd" },
	{ names: "proftpd ftpasswd", flag: "--passwd\\s+", source: "man ftpasswd" },
	{ names: "sfdx snowsql", flag: "(?:-p|--password)(?:\\s+|=)", source: "snowsql --help" },
	{ names: "mc", flag: "alias\\s+set\\s+\\S+\\s+\\S+\\s+\\S+\\s+", source: "min.io/docs, mc alias set" },
	{ names: "rclone", flag: "(?:obscure\\s+(?!-)|pass(?:word)?[= ])", source: "rclone help obscure" },
	{
		names: "npm yarn pnpm",
		flag: "(?:config\\s+set\\s+\\S*_(?:authToken|password)(?:\\s+|=)|--otp[= ])",
		source: "npm help config",
	},
	{
		names: "git",
		flag: "-c\\s+http\\.extraheader=[\"']?AUTHORIZATION:\\s+\\w+\\s+",
		source: "git help config",
	},
	{ names: "twine", flag: "(?:-p|--password)(?:\\s+|=)", source: "twine upload --help" },
	{
		names: "gem nuget dotnet",
		flag: "(?:setapikey|(?:-k|--api-key|-ApiKey|-p|--password))(?:\\s+|=)",
		source: "nuget help",
	},
	{ names: "cryptsetup", flag: "<<<\\s*", source: "man cryptsetup" },
	{ names: "PASSWD chpasswd passwd", flag: "<<<\\s*(?:\\w{1,40}:)?", source: "man chpasswd" },
];

const VALUE = "(?:\"((?:\\\\.|[^\"\\\\\\n])+)\"|'([^'\\n]+)'|([^\\s\"'|;&<>`]+))";
/** A command goes on up to a sign that starts another one. */
const LONGEST_COMMAND = 400;

const READERS = COMMANDS.map(({ names, rest = "", flag }) => ({
	command: new RegExp(`(?:${names.replaceAll(" ", "|")})${rest}(?![\\w.-])`, "y"),
	flag: new RegExp(`(?<=\\s|=)(?:${flag})${VALUE}`, "g"),
}));

/** What the commands' names begin with, and the place of each in the table. */
export const COMMAND_ANCHORS: readonly [literal: string, index: number][] = COMMANDS.flatMap(
	({ names }, index) => names.split(" ").map((literal): [string, number] => [literal, index]),
);

export function commandReader(index: number): Reader {
	const { command, flag } = READERS[index] ?? {};
	return (scan, at) => {
		const kind = `command ${index}`;
		if (!command || !flag || !scan.isFresh(kind, at) || /[\w.]/.test(scan.text.charAt(at - 1))) return;
		const head = matchAt(command, scan.text, at);
		if (!head) return;
		const start = at + head[0].length;
		const line = scan.text.slice(start - 1, lineEnd(scan.text, start, LONGEST_COMMAND));
		const end = /\s(?:&&|\|\|?|;)\s/.exec(line)?.index ?? line.length;
		scan.reach(kind, start - 1 + end);
		for (const match of line.slice(0, end).matchAll(flag)) {
			const value = match[1] ?? match[2] ?? match[3];
			if (value === undefined || !mayBeSecret(value)) continue;
			const from = start - 1 + match.index + match[0].lastIndexOf(value);
			scan.hide(from, from + value.length);
		}
	};
}

/** Not a reference, a further option, a port or what describes the argument. */
function mayBeSecret(value: string): boolean {
	return (
		value.length > 1 && !isPlaceholder(value) && !/^-|^\$|^[A-Z_]+$|^\d{1,5}(?::\d{1,5})?$|\*\*/.test(value)
	);
}

/** `echo secret | sudo -S` and what else reads one from standard input. */
const PIPED =
	/(?:echo|printf)\s+(?:-\w+\s+|["']%s\\?n?["']\s+)*(?:"([^"\n]{1,200})"|'([^'\n]{1,200})'|([^\s"'|;&<>$]{1,200}))\s*\|\s*(?:sudo\s+(?:-\w+\s+)*-S|[^|\n]{0,200}(?:--password-stdin|--with-token|--pass(?:word|phrase)-fd|chpasswd|secret (?:put|set|create)|passwd --stdin|--passphrase-fd|--stdin|cryptsetup|passwd\b|gpg\b|su\b|kinit|smbpasswd|vncpasswd|openssl enc|mount|docker secret|podman secret|secret-tool|wg pubkey|-password-stdin|htpasswd -i|ansible-vault|ecryptfs|zpool|zfs|veracrypt|borg|restic|age -d|sshpass|doas|runuser|keyctl))/y;
/** `chpasswd <<< "user:password"` */
const HERE =
	/(?:chpasswd|--password-stdin|--with-token|sudo\s{1,3}(?:-\w{1,3}\s{1,3}){0,3}-S)[^\n|;<]{0,60}<<<\s{0,3}["']?([^\s"']{3,200})/y;

export const readPiped: Reader = (scan, at) => {
	const match = matchAt(PIPED, scan.text, at) ?? matchAt(HERE, scan.text, at);
	const value = match?.[1] ?? match?.[2] ?? match?.[3];
	if (!match || value === undefined || isPlaceholder(value)) return;
	const secret = value.slice(/chpasswd/.test(match[0]) ? value.indexOf(":") + 1 : 0);
	const start = at + match[0].indexOf(value) + value.length - secret.length;
	scan.hide(start, start + secret.length);
};
