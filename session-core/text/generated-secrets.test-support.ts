import { anyOf, type Random } from "../../test/support/random.ts";

/**
 * Generates samples of configuration files, commands and other text that contain random secrets. A command
 * can be written in several layouts, and lines can have prefixes such as line numbers. Each secret is
 * enclosed in two private-use characters.
 */

const ALNUM = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const FULL = Array.from({ length: 94 }, (_, i) => String.fromCharCode(33 + i)).join("");
const but = (s: string) => [...FULL].filter((c) => !s.includes(c)).join("");
const of = (r: Random, alphabet: string, n: number) =>
	Array.from({ length: n }, () => alphabet[Math.floor(r() * alphabet.length)]).join("");
const pick = anyOf;
const WORDS =
	"monkey business copper harbor velvet dragon summer winter pickle rocket lantern orchid thunder basil quartz meadow falcon ginger hollow island".split(
		" ",
	);
const M = (x: string) => `\ue100${x}\ue101`;
const json = (x: string) => JSON.stringify(x).slice(1, -1);
const ysq = (x: string) => x.replaceAll("'", "''");
const ssq = (x: string) => x.replaceAll("'", "'\\''");
const sdq = (x: string) => x.replace(/["$`\\]/g, "\\$&");
const url = (x: string) => encodeURIComponent(x).replaceAll("'", "%27");
const xml = (x: string) =>
	x.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
const b64 = (x: string) => Buffer.from(x, "latin1").toString("base64");
const b64u = (x: string) => Buffer.from(x, "latin1").toString("base64url");

const CAPS =
	"DB_PASSWORD POSTGRES_PASSWORD MYSQL_ROOT_PASSWORD ADMIN_PASSWORD REDIS_PASSWORD SMTP_PASS JWT_SECRET SESSION_SECRET CLIENT_SECRET OPENAI_API_KEY ADMIN_API_KEY AWS_SECRET_ACCESS_KEY GITHUB_TOKEN AUTH_TOKEN SLACK_TOKEN ENCRYPTION_PASSPHRASE APP_CREDENTIALS DB_PWD MASTER_PASSWD PRIVATE_KEY ACCESS_KEY BASIC_AUTH".split(
		" ",
	);
const LOWER =
	"password passwd passphrase db_password adminPassword client_secret clientSecret api_key apiKey access_key secret auth_token accessToken root-password user_password private_key dbPassword secretKey".split(
		" ",
	);
const PASSWORD =
	"password passwd db_password adminPassword userPassword root_password master_password passphrase".split(
		" ",
	);

type Form = (r: Random) => string;
const pw = (r: Random, alphabet = FULL, n = 16) => of(r, alphabet, n);
/**
 * Returns a password that consists of words, of letters and digits or, half of the time, also of
 * symbols.
 */
const val = (r: Random, alphabet = FULL) => {
	const x = r();
	if (x < 0.08) return pick(r, WORDS) + pick(r, WORDS);
	if (x < 0.14) return `${pick(r, WORDS)}-${pick(r, WORDS)}-${pick(r, WORDS)}`;
	if (x < 0.2) return pick(r, WORDS) + Math.floor(r() * 1000);
	if (x < 0.5) return pw(r, ALNUM, 12 + Math.floor(r() * 20));
	for (;;) {
		const s = pw(r, alphabet, 16);
		if (!/^["'`]/.test(s)) return s;
	}
};
const OPTIONS = ["password", "token", "secret", "api-key"];
const LISTS = ["passwords", "tokens", "apiKeys", "secrets"];
const KEYS = ["passwords", "secrets", "api_keys"];
/** The characters of a value in a shell, in YAML, and in single and double quotes. */
const bare = but("\"'`\\$()<>|;& !*?[]{}~#");
const bareWord = but("\"'`\\$()<>|;& !*?[]{}~#-");
const plain = but("\"'`&*!|>%@#{}[]-?:,");
const [inSingle, inDouble] = [but("'\\"), but('"\\')];
const noQ = but("\"'`\\");
const mixed = (r: Random, n: number) => {
	for (;;) {
		const s = of(r, ALNUM, n);
		if (/\d/.test(s) && /[a-z]/.test(s) && /[A-Z]/.test(s)) return s;
	}
};

export const FORMS: Record<string, Form> = {
	"env bare": (r) => `NODE_ENV=test\n${pick(r, CAPS)}=${M(val(r))}\nPORT=3000`,
	"env export": (r) => `export ${pick(r, CAPS)}=${M(val(r, bare))}`,
	"env single quoted": (r) => `export ${pick(r, CAPS)}='${M(ssq(val(r)))}'`,
	"env double quoted": (r) => `${pick(r, CAPS)}="${M(sdq(val(r)))}"`,
	"env prefix of command": (r) => `${pick(r, CAPS)}=${M(val(r, bare))} npm run migrate`,
	"env quoted prefix": (r) => `cd app && ${pick(r, CAPS)}='${M(ssq(val(r)))}' node server.js`,
	"env inline lower": (r) => `${pick(r, PASSWORD)}=${M(val(r))}`,
	properties: (r) =>
		`spring.datasource.${pick(r, ["password", "secret"])}=${M(val(r))}\nspring.datasource.username=app`,
	"ini spaced": (r) => `[database]\nhost = db\n${pick(r, PASSWORD)} = ${M(val(r))}\nport = 5432`,
	"docker -e": (r) => `docker run -d -e ${pick(r, CAPS)}=${M(val(r, bare))} -p 80:80 web`,
	"docker -e quoted": (r) => `docker run -d -e '${pick(r, CAPS)}=${M(ssq(val(r)))}' -p 80:80 web`,
	"docker --env dq": (r) => `docker run --env "${pick(r, CAPS)}=${M(sdq(val(r)))}" web`,
	"docker inspect": (r) =>
		`"Env": [\n  "PATH=/usr/bin",\n  "${pick(r, CAPS)}=${M(json(val(r)))}",\n  "LANG=C"\n]`,
	"dockerfile ENV": (r) => `FROM node:20\nENV ${pick(r, CAPS)} ${M(val(r, noQ))}\nRUN npm ci`,
	"dockerfile ENV=": (r) => `FROM node:20\nENV ${pick(r, CAPS)}=${M(val(r, noQ))}\nRUN npm ci`,
	"yaml plain": (r) => `database:\n  host: db\n  ${pick(r, PASSWORD)}: ${M(val(r, plain))}\n  port: 5432`,
	"yaml plain any": (r) =>
		`db:\n  ${pick(r, PASSWORD)}: ${M(`${of(r, ALNUM, 1)}${pw(r, but("#"), 15)}`)}\n  port: 1`,
	"password: any": (r) => `password: ${M(pw(r))}`,
	"Password: any": (r) =>
		`${pick(r, ["Password", "User password", "Admin password", "New password", "Secret", "API key"])}: ${M(pw(r))}`,
	"yaml sq": (r) => `env:\n  ${pick(r, [...CAPS, ...LOWER])}: '${M(ysq(val(r)))}'\n  X: 1`,
	"yaml dq": (r) => `env:\n  ${pick(r, [...CAPS, ...LOWER])}: "${M(json(val(r)))}"\n  X: 1`,
	"yaml caps plain": (r) =>
		`environment:\n  NODE_ENV: x\n  ${pick(r, CAPS)}: ${M(val(r, plain))}\n  PORT: 80`,
	"compose list": (r) => `environment:\n  - NODE_ENV=x\n  - ${pick(r, CAPS)}=${M(val(r, noQ))}\n  - PORT=80`,
	"yaml list of secrets": (r) =>
		`${pick(r, ["passwords", "tokens", "secrets", "api_keys", "password", "credentials"])}:\n  - ${M(mixed(r, 16))}\n  - ${M(mixed(r, 16))}\n  - "${M(mixed(r, 20))}"\nother: 1`,
	"yaml list same indent": (r) => `${pick(r, KEYS)}:\n- ${M(mixed(r, 16))}\n- ${M(mixed(r, 16))}\nname: x`,
	"yaml flow list": (r) => `${pick(r, KEYS)}: [${M(mixed(r, 16))}, ${M(mixed(r, 16))}]`,
	"yaml flow map": (r) => `db: { user: app, ${pick(r, PASSWORD)}: ${M(val(r, plain))}, port: 5432 }`,
	"yaml block scalar": (r) =>
		`db:\n  ${pick(r, PASSWORD)}: ${pick(r, ["|", ">", "|-", ">-"])}\n    ${M(val(r, noQ))}\n  port: 1`,
	"yaml env name value": (r) =>
		`env:\n  - name: LOG\n    value: debug\n  - name: ${pick(r, CAPS)}\n    value: ${pick(r, ['"', "'", ""]).replace(/./, "")}${M(val(r, plain))}\n  - name: PORT\n    value: "80"`,
	"yaml env name value dq": (r) =>
		`env:\n- name: ${pick(r, CAPS)}\n  value: "${M(json(val(r)))}"\n- name: PORT\n  value: "80"`,
	"yaml env value first": (r) =>
		`env:\n- value: "${M(json(val(r)))}"\n  name: ${pick(r, CAPS)}\n- name: PORT\n  value: "80"`,
	json: (r) => `{"host":"db","${pick(r, [...CAPS, ...LOWER])}":"${M(json(val(r)))}","port":1}`,
	"json pretty": (r) =>
		`{\n  "host": "db",\n  "${pick(r, [...CAPS, ...LOWER])}": "${M(json(val(r)))}",\n  "port": 1\n}`,
	"json number": (r) =>
		`{"user":"x","${pick(r, PASSWORD)}":${M(`${10000000 + Math.floor(r() * 89999999)}`)},"z":1}`,
	"json list": (r) => `{"${pick(r, LISTS)}": ["${M(mixed(r, 16))}", "${M(mixed(r, 16))}"], "n": 2}`,
	"json list pretty": (r) =>
		`{\n  "${pick(r, LISTS)}": [\n    "${M(mixed(r, 16))}",\n    "${M(mixed(r, 16))}"\n  ],\n  "n": 2\n}`,
	"json name value": (r) => `{"name":"${pick(r, CAPS)}","value":"${M(json(val(r)))}"}`,
	"json key value": (r) => `{"key": "${pick(r, PASSWORD)}", "value": "${M(json(val(r)))}"}`,
	"json Name Value aws": (r) => `[{"Name": "${pick(r, CAPS)}", "Value": "${M(json(val(r)))}"}]`,
	"json in a string": (r) =>
		JSON.stringify({ body: `{"${pick(r, LOWER)}":"${M("")}` })
			.replace("\ue100\ue101", M("Q"))
			.replace("Q", json(json(val(r)))),
	toml: (r) => `[db]\n${pick(r, PASSWORD)} = "${M(json(val(r)))}"`,
	"js const": (r) => `const ${pick(r, LOWER).replace("-", "_")} = '${M(val(r, inSingle))}';`,
	"py kwarg": (r) =>
		`conn = connect(host="db", ${pick(r, ["password", "passwd", "api_key", "secret", "auth_token"])}="${M(val(r, inDouble))}")`,
	"py dict": (r) => `config = {'user': 'x', '${pick(r, LOWER)}': '${M(val(r, inSingle))}'}`,
	"js compare": (r) =>
		`if (${pick(r, ["password", "secret", "apiKey"])} === "${M(val(r, inDouble))}") return true;`,
	"env fallback": (r) => `const s = process.env.${pick(r, CAPS)} || "${M(val(r, inDouble))}";`,
	"sh default": (r) => `: \${${pick(r, CAPS)}:-${M(val(r, but("\"'`\\}{$")))}}`,
	"powershell env": (r) => `$env:${pick(r, CAPS)} = "${M(val(r, but('"`$')))}"`,
	"fish set": (r) => `set -gx ${pick(r, CAPS)} '${M(val(r, inSingle))}'`,
	"cmd set": (r) => `set ${pick(r, CAPS)}=${M(val(r, but("\"'%&|<>^")))}`,
	"conn string": (r) =>
		`Server=tcp:db.example;Database=shop;User Id=sa;${pick(r, ["Password", "Pwd"])}=${M(val(r, but("\"';={}")))};Encrypt=True`,
	"conn string first": (r) => `Password=${M(val(r, but("\"';={}")))};Server=db;User Id=sa;`,
	"conn string json": (r) =>
		`"ConnectionStrings": {"Default": "Server=db;User=sa;Password=${M(json(val(r, but("\"';={}"))))};"}`,
	"conn string sq": (r) => `Data Source=db;Password='${M(val(r, but("'")))}';User ID=sa`,
	"odbc braces": (r) => `Driver=x;UID=sa;PWD={${M(val(r, but("{}")))}};`,
	"libpq dsn": (r) => `host=db port=5432 user=app password=${M(val(r, but("\"'\\")))} dbname=shop`,
	"xml element": (r) => `<user>jo</user><${"password"}>${M(xml(val(r)))}</password>`,
	"xml attr": (r) => `<add name="x" ${pick(r, ["password", "Password", "apiKey"])}="${M(xml(val(r)))}" />`,
	"xml add key": (r) =>
		`<add key="${pick(r, ["ApiKey", "DbPassword", "ClientSecret"])}" value="${M(xml(val(r)))}" />`,
	"url userinfo": (r) =>
		`${pick(r, ["postgres", "mysql", "redis", "amqp", "mongodb+srv", "https", "ftp"])}://app:${M(url(val(r)))}@db.example.com/shop`,
	"url userinfo raw": (r) => `postgres://app:${M(val(r, but("\"'`<>\\@/?#")))}@db.example.com:5432/shop`,
	"url userinfo digits": (r) =>
		`${pick(r, ["postgres", "redis", "https", "amqp"])}://app:${M(of(r, "0123456789", 6 + Math.floor(r() * 8)))}@db.example.com/shop`,
	"url no user": (r) => `redis://:${M(url(val(r)))}@cache:6379/0`,
	"url user is mail": (r) => `smtp://jo@example.com:${M(url(val(r)))}@mail.example.com:587`,
	"url param": (r) =>
		`https://api.example.com/v1?${pick(r, ["api_key", "access_token", "password", "token", "client_secret", "apikey", "auth_token"])}=${M(url(val(r)))}&page=2`,
	"url param 2": (r) =>
		`GET /cb?state=1&${pick(r, ["api_key", "access_token", "password", "client_secret"])}=${M(url(val(r)))} HTTP/1.1`,
	"form body": (r) => `curl -d 'user=jo&password=${M(url(val(r)))}&remember=1' https://x.example/login`,
	bearer: (r) => `Authorization: Bearer ${M(mixed(r, 24) + of(r, `${ALNUM}-_.~+/`, 12))}`,
	"authorization token": (r) =>
		`authorization: ${pick(r, ["token", "Token", "ApiKey", "Key"])} ${M(mixed(r, 30))}`,
	basic: (r) => `Authorization: Basic ${M(b64(`jo:${val(r)}`))}`,
	"basic latin1": (r) => `Authorization: Basic ${M(b64(`jürgen:${val(r)}é`))}`,
	"basic utf8": (r) => `Authorization: Basic ${M(Buffer.from(`jo:${val(r)}ü日`).toString("base64"))}`,
	"basic url": (r) => `Authorization: Basic ${M(b64u(`jo:${val(r)}?>~`))}`,
	"curl header": (r) => `curl -H "Authorization: Bearer ${M(mixed(r, 32))}" https://x.example`,
	"header key": (r) =>
		`${pick(r, ["X-Api-Key", "X-Auth-Token", "Api-Key", "X-Access-Token", "x-goog-api-key", "PRIVATE-TOKEN", "X-Vault-Token", "X-Client-Secret"])}: ${M(val(r, noQ))}`,
	"header key curl": (r) => `curl -H 'X-Api-Key: ${M(val(r, but("'\"\\")))}' https://x`,
	"header json": (r) => `{"headers":{"X-Api-Key":"${M(json(val(r)))}","Accept":"*/*"}}`,
	"header in argv": (r) => `["curl","-H","X-Api-Key: ${M(json(val(r)))}","https://x.example"]`,
	cookie: (r) => `Cookie: theme=dark; sid=${M(mixed(r, 24))}; lang=de`,
	"set-cookie": (r) => `Set-Cookie: sid=${M(mixed(r, 24))}; Path=/; HttpOnly`,
	"set-cookie quoted": (r) => `Set-Cookie: sid="${M(mixed(r, 24))}"; Path=/`,
	"cookie quoted": (r) => `Cookie: a="${M(mixed(r, 20))}"; b="${M(mixed(r, 20))}"`,
	"curl -b": (r) => `curl -b '${pick(r, ["sid", "session"])}=${M(mixed(r, 24))}' https://x.example`,
	"har cookie": (r) =>
		`"cookies": [{"name": "lang", "value": "de"}, {"name": "${pick(r, ["sid", "connect.sid", "JSESSIONID", "auth"])}", "value": "${M(mixed(r, 24))}", "path": "/"}]`,
	"har cookie pretty": (r) =>
		`"cookies": [\n  {\n    "name": "${pick(r, ["sid", "connect.sid", "__Host-s"])}",\n    "value": "${M(mixed(r, 24))}",\n    "httpOnly": true\n  }\n]`,
	"har header": (r) =>
		`{"name": "${pick(r, ["Authorization", "Cookie", "Set-Cookie", "X-Api-Key"])}", "value": "${pick(r, ["sid=", ""])}${M(mixed(r, 28))}"}`,
	"har auth bearer": (r) => `{"name":"authorization","value":"Bearer ${M(mixed(r, 28))}"}`,
	option: (r) =>
		`tool login --user jo --${pick(r, ["password", "token", "secret", "api-key", "client-secret", "db-password", "access-key", "passphrase"])} ${M(val(r, bareWord))} --host x`,
	"option =": (r) =>
		`tool login --${pick(r, ["password", "token", "secret", "api-key", "client-secret", "db-password"])}=${M(val(r, bare))} --host x`,
	"option sq": (r) => `tool login --${pick(r, OPTIONS)} '${M(ssq(val(r)))}'`,
	"option dq": (r) => `tool login --${pick(r, OPTIONS)} "${M(sdq(val(r)))}"`,
	"option argv": (r) => `["tool","login","--${pick(r, OPTIONS)}","${M(json(val(r)))}","-v"]`,
	"option argv =": (r) => `["tool","login","--${pick(r, OPTIONS)}=${M(json(val(r)))}","-v"]`,
	"option yaml items": (r) =>
		`command:\n  - tool\n  - login\n  - --${pick(r, OPTIONS)}\n  - ${M(mixed(r, 16))}\n  - -v`,
	"option lines": (r) => `tool\nlogin\n--${pick(r, OPTIONS)}\n${M(mixed(r, 16))}\n-v`,
	"option single dash": (r) => `keytool -list -storepass ${M(val(r, bareWord))}`,
	k8s: (r) => k8s(r, true),
	"k8s data first": (r) => k8s(r, false),
	"k8s json": (r) => JSON.stringify(k8sObj(r, false), null, 2),
	"k8s json min": (r) => JSON.stringify(k8sObj(r, true)),
	"k8s stringData": (r) =>
		`apiVersion: v1\nstringData:\n  user: ${M(mixed(r, 12))}\n  cfg: |\n    a: ${M(mixed(r, 14))}\n    b: ${M(mixed(r, 14))}\nkind: Secret\nmetadata:\n  name: app\ntype: Opaque`,
	"k8s list": (r) =>
		`apiVersion: v1\nitems:\n- apiVersion: v1\n  data:\n    user: ${M(b64(mixed(r, 12)))}\n  kind: Secret\n  metadata:\n    name: a\n- apiVersion: v1\n  data:\n    pass: ${M(b64(mixed(r, 12)))}\n  kind: Secret\n  metadata:\n    name: b\nkind: List`,
	"tf update": (r) =>
		`  ~ resource "aws_db_instance" "x" {\n      ~ master_password = "${M(json(val(r)))}" -> "${M(json(val(r)))}"\n    }`,
	"tf create": (r) => `      + password             = "${M(json(val(r)))}"`,
	"tf output json": (r) =>
		`{\n  "db_password": {\n    "sensitive": true,\n    "type": "string",\n    "value": "${M(json(val(r)))}"\n  }\n}`,
	"tf output json min": (r) =>
		`{"db_password":{"sensitive":true,"type":"string","value":"${M(json(val(r)))}"}}`,
	tfvars: (r) => `db_password = "${M(json(val(r)))}"`,
	pem: (r) => pem(r),
	pgpass: (r) => `db.internal:5432:shop:jo:${M(val(r, but("\"'`:\\*")))}`,
	netrc: (r) => `machine api.example.com login jo password ${M(val(r, noQ))}`,
	"netrc lines": (r) => `machine api.example.com\n  login jo\n  password ${M(val(r, noQ))}`,
	npmrc: (r) => `//registry.example.com/:_authToken=${M(mixed(r, 36))}`,
	"docker config": (r) => `{"auths":{"x.io":{"auth":"${M(b64(`jo:${val(r)}`))}"}}}`,
	"sql identified": (r) => `CREATE USER 'jo'@'%' IDENTIFIED BY '${M(val(r, inSingle))}';`,
	"sql with password": (r) => `ALTER ROLE jo WITH LOGIN PASSWORD '${M(val(r, inSingle))}';`,
	"prose is": (r) =>
		`The ${pick(r, ["password", "db password", "admin password", "passphrase"])} is ${M(mixed(r, 14))}, please use it.`,
	"prose german": (r) => `Das Passwort lautet ${M(mixed(r, 14))}`,
};
function k8sObj(r: Random, kindFirst: boolean) {
	const data = { username: M(b64(mixed(r, 12))), "tls.key": M(b64(mixed(r, 30))) };
	const meta = { name: "app-db", namespace: "prod" };
	return kindFirst
		? { apiVersion: "v1", kind: "Secret", metadata: meta, data }
		: { apiVersion: "v1", data, kind: "Secret", metadata: meta, type: "Opaque" };
}
function k8s(r: Random, kindFirst: boolean): string {
	const data = `data:\n  username: ${M(b64(mixed(r, 12)))}\n${r() < 0.3 ? "  # rotated\n" : ""}  db-pass: ${M(b64(mixed(r, 12)))}\n`;
	const meta = "metadata:\n  name: app-db\n  namespace: prod\n";
	return kindFirst
		? `apiVersion: v1\nkind: Secret\n${meta}type: Opaque\n${data}`
		: `apiVersion: v1\n${data}kind: Secret\n${meta}type: Opaque\n`;
}
function pem(r: Random): string {
	const kind = pick(r, ["RSA ", "", "EC ", "OPENSSH ", "ENCRYPTED "]);
	const lines = Array.from({ length: 12 }, () => M(of(r, `${ALNUM}+/`, 64)));
	return `-----BEGIN ${kind}PRIVATE KEY-----\n${lines.join("\n")}\n${M(`${of(r, ALNUM, 22)}==`)}\n-----END ${kind}PRIVATE KEY-----`;
}
export const COMMANDS: Record<string, [string[], (s: string) => string]> = {
	"curl -u": [["curl", "-s", "-u"], (s) => `jo:${s}`],
	"curl --user": [["curl", "--user"], (s) => `jo:${s}`],
	"mysql -p": [["mysql", "-h", "db", "-u", "root"], (s) => `-p${s}`],
	"mysqldump -p": [["mysqldump", "-uadmin"], (s) => `-p${s}`],
	"docker login": [["docker", "login", "-u", "acme", "-p"], (s) => s],
	sshpass: [["sshpass", "-p"], (s) => s],
	"redis-cli": [["redis-cli", "-h", "c", "-a"], (s) => s],
	mongosh: [["mongosh", "-u", "bob", "-p"], (s) => s],
	sqlcmd: [["sqlcmd", "-S", "srv", "-U", "sa", "-P"], (s) => s],
	ldapsearch: [["ldapsearch", "-D", "cn=admin", "-w"], (s) => s],
	htpasswd: [["htpasswd", "-b", ".htpasswd", "admin"], (s) => s],
	"http -a": [["http", "-a"], (s) => `bob:${s}`],
	smbclient: [["smbclient", "//fs/share", "-U"], (s) => `jo%${s}`],
	zip: [["zip", "-P"], (s) => s],
	"7z": [["7z", "a"], (s) => `-p${s}`],
	openssl: [["openssl", "rsa", "-passin"], (s) => `pass:${s}`],
	kubectl: [["kubectl", "create", "secret", "generic", "db"], (s) => `--from-literal=password=${s}`],
	vault: [["vault", "login"], (s) => s],
	az: [["az", "login", "--service-principal", "-u", "8a1f", "-p"], (s) => s],
	gh: [["gh", "secret", "set", "X", "--body"], (s) => s],
	aws: [["aws", "configure", "set", "aws_secret_access_key"], (s) => s],
	helm: [["helm", "upgrade", "x", "--set"], (s) => `db.password=${s}`],
	mysqladmin: [["mysqladmin", "-u", "root", "password"], (s) => s],
	rabbitmqctl: [["rabbitmqctl", "add_user", "jo"], (s) => s],
	"ssh-keygen": [["ssh-keygen", "-t", "ed25519", "-N"], (s) => s],
	mosquitto_pub: [["mosquitto_pub", "-u", "jo", "-P"], (s) => s],
	bw: [["bw", "unlock"], (s) => s],
	"net user": [["net", "user", "bob"], (s) => s],
};
const tail = ["https://x.example/a", "--verbose"];
const longArgs = Array.from({ length: 30 }, (_, i) => ["-H", `X-Trace-${i}:value${i}`]).flat();
const isPlain = (x: string) => /^[\w./:@%=,+-]+$/.test(x);
const shq = (w: string) => {
	const bare = w.replace(/[\ue100\ue101]/g, "");
	return isPlain(bare) ? w : `'${w.replaceAll("'", "'\\''")}'`;
};
export const LAYOUTS: Record<string, (words: string[]) => string> = {
	line: (w) => `$ ${w.map(shq).join(" ")}`,
	"continued before option": (w) => {
		const at = w.findLastIndex((x) => x.startsWith("-"));
		const i = Math.max(1, at);
		return `${w.slice(0, i).map(shq).join(" ")} \\\n    ${w.slice(i).map(shq).join(" ")}`;
	},
	"continued each word": (w) => w.map(shq).join(" \\\n  "),
	"continued crlf": (w) => w.map(shq).join(" \\\r\n  "),
	argv: (w) => JSON.stringify(w),
	"argv spaced": (w) => `[${w.map((x) => JSON.stringify(x)).join(", ")}]`,
	"argv pretty": (w) => JSON.stringify(w, null, 2),
	"argv python": (w) => `subprocess.run([${w.map((x) => `'${x.replace(/['\\]/g, "\\$&")}'`).join(", ")}])`,
	"argv codex": (w) => JSON.stringify({ command: w, workdir: "/x" }),
	"argv sh -c": (w) => JSON.stringify({ command: ["bash", "-lc", w.map(shq).join(" ")] }),
	"json command": (w) => JSON.stringify({ command: `cd /x && ${w.map(shq).join(" ")}`, timeout: 5 }),
	"yaml items": (w) =>
		`command:\n${w.map((x) => `  - ${isPlain(x.replace(/[\ue100\ue101]/g, "")) ? x : JSON.stringify(x)}`).join("\n")}`,
	lines: (w) => w.join("\n"),
	long: (w) => `${w.slice(0, 1).map(shq).join(" ")} ${longArgs.join(" ")} ${w.slice(1).map(shq).join(" ")}`,
	"sudo and pipe": (w) => `cd /srv && sudo ${w.map(shq).join(" ")} | tee out.log`,
	"with redirection": (w) => `${w.map(shq).join(" ")} 2>&1 > /tmp/log`,
};
/** Text that may precede each line or surround the whole text. */
export const PREFIXES: Record<string, (text: string, r: Random) => string> = {
	none: (t) => t,
	"cat -n": (t) => num(t, (n, l) => `${String(n).padStart(6)}\t${l}`),
	"read →": (t) => num(t, (n, l) => `${String(n + 40).padStart(6)}→${l}`),
	"read1→": (t) => num(t, (n, l) => `${n}→${l}`),
	"grep -n": (t) => num(t, (n, l) => `${n}:${l}`),
	"grep -Hn": (t) => num(t, (n, l) => `config/app.env:${n}:${l}`),
	"grep context": (t) => num(t, (n, l) => `config/app-x.env-${n}-${l}`),
	"diff +": (t) => `diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,3 +1,9 @@\n${num(t, (_, l) => `+${l}`)}`,
	"diff -": (t) => `@@ -1,9 +1,3 @@\n${num(t, (_, l) => `-${l}`)}`,
	"diff both": (t) => `@@ -1,9 +1,3 @@\n${num(t, (_, l) => ` ${l}`)}`,
	"ci log": (t) => num(t, (n, l) => `2026-03-04T10:11:${String(n % 60).padStart(2, "0")}.1234567Z ${l}`),
	"gh run": (t) =>
		num(t, (n, l) => `build\tRun tests\t2026-03-04T10:11:${String(n % 60).padStart(2, "0")}.1234567Z ${l}`),
	"compose log": (t) => num(t, (_, l) => `web-1  | ${l}`),
	quote: (t) => num(t, (_, l) => `> ${l}`),
	bat: (t) => num(t, (n, l) => `${String(n).padStart(4)} │ ${l}`),
	crlf: (t) => t.replace(/(?<!\r)\n/g, "\r\n"),
	indent: (t) => num(t, (_, l) => `    ${l}`),
	fence: (t) => `Here it is:\n\`\`\`\n${t}\n\`\`\`\nDone.`,
	json: (t) => JSON.stringify({ content: t }),
	"json json": (t) => JSON.stringify({ result: JSON.stringify({ content: t }) }),
	"json cat -n": (t) => JSON.stringify({ content: num(t, (n, l) => `${String(n).padStart(6)}\t${l}`) }),
	"prose before": (t) => `Please look at this file, it fails:\n\n${t}\n\nand fix it, don't guess.`,
};
const num = (t: string, f: (n: number, l: string) => string) =>
	t
		.split("\n")
		.map((l, i) => f(i + 1, l))
		.join("\n");

interface Planted {
	text: string;
	secrets: string[];
}
export function unmark(marked: string): Planted {
	const secrets = [...marked.matchAll(/\ue100([^\ue101]*)\ue101/g)].map((m) => m[1] ?? "");
	return { text: marked.replace(/[\ue100\ue101]/g, ""), secrets };
}
/** Cuts a text inside its last secret. */
export function cutEnd(marked: string, r: Random): string {
	const from = marked.lastIndexOf("\ue100");
	const to = marked.lastIndexOf("\ue101");
	const n = to - from - 1;
	if (n < 8) return marked;
	let keep = 6 + Math.floor(r() * (n - 6));
	// The remaining part must not be a word.
	const secret = marked.slice(from + 1, to);
	while (keep < n && !/\d.*[A-Za-z]|[A-Za-z].*\d/.test(secret.slice(0, keep))) keep++;
	return `${marked.slice(0, from + 1 + keep)}\ue101`;
}
/** Returns six consecutive characters of the secret that are visible in `shown`. */
export function shownPiece(secret: string, shown: string): string | undefined {
	const n = Math.min(6, secret.length);
	for (let at = 0; at + n <= secret.length; at++)
		if (shown.includes(secret.slice(at, at + n))) return secret.slice(at, at + n);
	return undefined;
}
export function commandForm(r: Random, command: string, layout: string): string {
	const [before, last] = COMMANDS[command] ?? [[], () => ""];
	const secret =
		layout === "lines"
			? mixed(r, 16)
			: pick(r, [mixed(r, 14), `${mixed(r, 4)}${of(r, but("\"'`\\$"), 12)}`, pw(r, but("\"'`\\$-"), 16)]);
	const words = [...before, last(M(secret)), ...tail];
	return LAYOUTS[layout]?.(words) ?? "";
}
