import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hostileText, much } from "../../test/support/hostile-text.ts";
import { redact } from "./redact.ts";
import { TOKEN_FORMATS } from "./secrets/token-formats.ts";

/** A fake secret, put together here so that no scanner finds one in this file. */
const fake = (...parts: string[]) => parts.join("");
const ALNUM = "k3J9xQ2mZ7pL5wR8vT1nB6yH4cD0gF3sA9eU2iO7";
const HEX = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";
const UPPER = "Q3ZR7TYK5WPLX2MN";

const TOKENS: [string, string][] = [
	["Anthropic", fake("sk-", "ant-api03-", ALNUM, "-", ALNUM, "AA")],
	["OpenRouter", fake("sk-", "or-v1-", HEX)],
	["OpenAI project", fake("sk-", "proj-", ALNUM, "_", ALNUM)],
	["OpenAI service account", fake("sk-", "svcacct-", ALNUM)],
	["OpenAI legacy", fake("sk-", ALNUM)],
	["Google API", fake("AI", "za", "SyD", ALNUM.slice(0, 32))],
	["Google OAuth", fake("ya", "29.", "a0Af", ALNUM)],
	["Google client", fake("GOC", "SPX-", ALNUM)],
	["Groq", fake("gs", "k_", ALNUM)],
	["xAI", fake("xa", "i-", ALNUM, ALNUM)],
	["Perplexity", fake("pp", "lx-", ALNUM)],
	["Hugging Face", fake("h", "f_", ALNUM)],
	["Replicate", fake("r", "8_", ALNUM)],
	["NVIDIA", fake("nv", "api-", ALNUM)],
	["LangSmith", fake("lsv2", "_pt_", HEX)],
	["GitHub personal", fake("gh", "p_", ALNUM)],
	["GitHub OAuth", fake("gh", "o_", ALNUM)],
	["GitHub user", fake("gh", "u_", ALNUM)],
	["GitHub server", fake("gh", "s_", ALNUM)],
	["GitHub refresh", fake("gh", "r_", ALNUM)],
	["GitHub fine-grained", fake("github", "_pat_", "11ABCDE_", ALNUM, ALNUM)],
	["GitLab", fake("gl", "pat-", ALNUM.slice(0, 20))],
	["npm", fake("np", "m_", ALNUM.slice(0, 36))],
	["PyPI", fake("py", "pi-", "AgEIcHlwaS5vcmc", ALNUM, ALNUM)],
	["AWS key id", fake("AK", "IA", UPPER)],
	["AWS session key id", fake("AS", "IA", UPPER)],
	["Azure AD client", fake("abc", "8Q~", ALNUM.slice(0, 34))],
	["DigitalOcean", fake("dop", "_v1_", HEX)],
	["Databricks", fake("da", "pi", HEX.slice(0, 32))],
	["Vault", fake("hv", "s.", ALNUM)],
	["Stripe", fake("sk", "_live_", ALNUM)],
	["Stripe webhook", fake("wh", "sec_", ALNUM)],
	["Shopify", fake("shp", "at_", HEX.slice(0, 32))],
	["SendGrid", fake("S", "G.", ALNUM.slice(0, 22), ".", ALNUM)],
	["Twilio", fake("S", "K", HEX.slice(0, 32))],
	["Slack bot", fake("xo", "xb-", "781236542736-2364535789652-", ALNUM.slice(0, 24))],
	["Slack app", fake("xa", "pp-", "1-A052FGTS2DL-5171572773297-", HEX)],
	["Telegram", fake("123456", "7890:", "AA", ALNUM.slice(0, 33))],
	["Discord", fake("M", ALNUM.slice(0, 23), ".", "GhJ2kL.", ALNUM.slice(0, 38))],
	["Linear", fake("lin", "_api_", ALNUM)],
	["Notion", fake("nt", "n_", ALNUM, "x1y2z3")],
	["JWT", fake("ey", "JhbGciOiJIUzI1NiJ9", ".", "eyJzdWIiOiIxMjM0In0", ".", ALNUM)],
];

const PEM_BODY = fake(HEX, "\n", ALNUM, ALNUM.slice(0, 24), "\n", HEX, "\n", "abcd==");
const BEGIN = fake("-----BEGIN RSA PRIV", "ATE KEY-----");
const END = fake("-----END RSA PRIV", "ATE KEY-----");

/** § stands for this value in the tables below. */
const VALUE = fake("k3J9x", "Q2mZ7", "pL5w");
const fill = (text: string) => text.replaceAll("§", VALUE);

/** Text with a secret, and what is left of it. */
const ASSIGNMENTS: [string, string][] = [
	['api_key = "§"', 'api_key = "[redacted]"'],
	["API_KEY=§", "API_KEY=[redacted]"],
	["export SECRET=swordfish", "export SECRET=[redacted]"],
	['"password": "hunter2"', '"password": "[redacted]"'],
	["'password' => 'hunter2'", "'password' => '[redacted]'"],
	['{\\"password\\": \\"hunter2\\", \\"a\\": 1}', '{\\"password\\": \\"[redacted]\\", \\"a\\": 1}'],
	["password: hunter2", "password: [redacted]"],
	["password: swordfish\n", "password: [redacted]\n"],
	["password: correct-horse-battery-staple", "password: [redacted]"],
	["DB_PASSWORD=swordfish npm start", "DB_PASSWORD=[redacted] npm start"],
	["PGPASSWORD='p@ss word' psql", "PGPASSWORD='[redacted]' psql"],
	["MYSQL_PWD=letmein", "MYSQL_PWD=[redacted]"],
	['const dbPassword: string = "hunter2";', 'const dbPassword: string = "[redacted]";'],
	['password = """hunter2"""', 'password = """[redacted]"""'],
	['passphrase: "correct horse battery staple"', 'passphrase: "[redacted]"'],
	["client_secret: `§`", "client_secret: `[redacted]`"],
	['os.environ["AUTH_TOKEN"] = "§"', 'os.environ["AUTH_TOKEN"] = "[redacted]"'],
	['setPassword("hunter2")', 'setPassword("[redacted]")'],
	['getenv("SECRET_KEY", "§")', 'getenv("SECRET_KEY", "[redacted]")'],
	["the api key is §", "the api key is [redacted]"],
	["The password is hunter2.", "The password is [redacted]."],
	["set the password to 'tiger'", "set the password to '[redacted]'"],
	["mysql --user=root --password=tiger1 db", "mysql --user=root --password=[redacted] db"],
	["deploy --password tiger --verbose", "deploy --password [redacted] --verbose"],
	["gh auth --token §", "gh auth --token [redacted]"],
	["<password>hunter2</password>", "<password>[redacted]</password>"],
	['<add key="DbPassword" value="hunter2" />', '<add key="DbPassword" value="[redacted]" />'],
	["- name: DB_PASSWORD\n  value: hunter2", "- name: DB_PASSWORD\n  value: [redacted]"],
	[
		"Server=db;User Id=sa;Password=P@ss1;Pooling=true",
		"Server=db;User Id=sa;Password=[redacted];Pooling=true",
	],
	["aws_secret_access_key = wJalr/§/bPx", "aws_secret_access_key = [redacted]"],
	["//registry.example.org/:_authToken=§", "//registry.example.org/:_authToken=[redacted]"],
	["machine example.org login me password hunter2", "machine example.org login me password [redacted]"],
	['password: "hunter2', 'password: "[redacted]'],
];

const CARRIERS: [string, string][] = [
	["postgres://app:hunter2@db.example.org:5432/main", "postgres://[redacted]@db.example.org:5432/main"],
	["https://me:p@ss@example.org/x", "https://[redacted]@example.org/x"],
	["redis://:hunter2@cache", "redis://[redacted]@cache"],
	[`https://${ALNUM}@example.org/r.git`, "https://[redacted]@example.org/r.git"],
	["Authorization: Bearer §", "Authorization: Bearer [redacted]"],
	['-H "authorization: token §"', '-H "authorization: token [redacted]"'],
	['{"Authorization": "§"}', '{"Authorization": "[redacted]"}'],
	["Authorization: Basic dXNlcjpwYXNz", "Authorization: Basic [redacted]"],
	["sent Basic dXNlcjpwYXNz as", "sent Basic [redacted] as"],
	["it sends bearer §", "it sends bearer [redacted]"],
	["X-Api-Key: §", "X-Api-Key: [redacted]"],
	["Cookie: sid=abc; theme=dark", "Cookie: [redacted]"],
	["Set-Cookie: sid=abc123; Path=/; HttpOnly\nnext", "Set-Cookie: [redacted]\nnext"],
	["GET /x?a=1&token=abc&b=2", "GET /x?a=1&token=[redacted]&b=2"],
	["https://x.test/?api_key=abc#top", "https://x.test/?api_key=[redacted]#top"],
	[
		"https://b.test/o?X-Amz-Signature=abc&X-Amz-Date=1",
		"https://b.test/o?X-Amz-Signature=[redacted]&X-Amz-Date=1",
	],
	["curl -u me:hunter2 https://x.test", "curl -u me:[redacted] https://x.test"],
	[
		fake("AccountName=a;Account", `Key=${ALNUM}${ALNUM}==;X=1`),
		fake("AccountName=a;Account", "Key=[redacted];X=1"),
	],
	[
		fake("https://hooks.slack.com/serv", "ices/T01/B02/", ALNUM),
		"https://hooks.slack.com/services/[redacted]",
	],
	[`x\\n${TOKENS[0]?.[1]}\\ny`, "x\\n[redacted]\\ny"],
	[`q=%3A${TOKENS[4]?.[1]}`, "q=%3A[redacted]"],
];

const ORDINARY = [
	"password: required",
	"password: must be at least 8 characters long",
	"The password is required.",
	"the password is 12 characters long",
	"a secret to nobody",
	"token: string",
	"token: string | undefined;",
	"max_tokens=300",
	"maxTokens: 4096, tokenCount: 5",
	"input tokens: 1200, output tokens: 88",
	"token = next_token(stream)",
	"const token = await fetchToken(user1);",
	"const token = tokens[i]",
	"token = response.data.token",
	"password = getPassword()",
	"password=password, token=token",
	"login(user, password=user_password)",
	"this.password = options.password;",
	"apiKey: process.env.OPENAI_API_KEY",
	"api_key=os.environ['KEY1']",
	// biome-ignore lint/suspicious/noTemplateCurlyInString: a shell reference, as it stands in a config file
	"password: ${DB_PASSWORD}",
	"TOKEN=$GITHUB_TOKEN",
	"token: <your token>",
	"password: ********",
	'"password": "Enter your password"',
	'{ token: "keyword.control" }',
	'"type": "password"',
	'credentials: "same-origin"',
	"if (token === null) return; if (secret == other) {}",
	"PWD=/home/me/project2",
	"secret: /run/secrets/db1",
	"secretName: postgres-credentials",
	"kind: Secret",
	"tokenizer: cl100k_base",
	"send `Authorization: Bearer <apiKey>` and then <b>go</b>",
	"PI_SESSION_ID=3f2a9c81d7",
	'const fields = ["password", "email"]; t("password", "Password")',
	"const apiKey = apiKeyFromAuthStorage ?? fallback",
	"token: SomeRatherLongInterfaceName",
	// biome-ignore lint/suspicious/noTemplateCurlyInString: source text of a template
	"pwd = `~${pwd.slice(home.length)}`",
	"apiKey: \"!op read 'op://vault/item/credential1'\"",
	"the --password option, the --token flag and --secret-file",
	"pass --password to the script",
	"tests pass: 12, fail: 0; all pass: 100%",
	"bypass: true, compass: north1",
	"commit 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b",
	"session 550e8400-e29b-41d4-a716-446655440000",
	"sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
	"/home/me/src/password-reset/token.ts:42:7",
	"claude-sonnet-4-5-20250929, gpt-4o-2024-08-06, openrouter/qwen/qwen3-coder",
	"src/auth/token.test.ts and lib/secret_store.rs",
	"git@github.com:org/repo.git and ssh://git@github.com/org/repo",
	"http://localhost:3000/users/@me",
	"https://example.org/a:b?c=d&e=f@g",
	"Bearer authentication, basic functionality, a bearer token",
	"Authorization: Bearer <token>",
	"the Authorization header: required",
	"Basic auth is off; cookie: none",
	"?page=2&key=name&tokens=5&code=404",
	"npm_config_cache and npm_lifecycle_event",
	"sk-loading-spinner-container and task-risk-assessment-of-the-year",
	"hf_hub_download(repo_id)",
	"const key = event.key; map.set(key, value1)",
	"feat(token): rotate keys at 10:30",
	"import { redact } from './redact.ts'; // secret: see docs",
];

describe("keys of known shape", () => {
	it.each(TOKENS)("%s", (_name, token) => {
		expect(redact(`before ${token} after`)).toBe("before [redacted] after");
		expect(redact(`"${token}",`)).toBe('"[redacted]",');
		expect(redact(`KEY=${token}`)).toBe("KEY=[redacted]");
	});

	it("name their public source", () => {
		for (const { name, source } of TOKEN_FORMATS) expect(`${name}: ${source}`).toMatch(/^.+: .+/);
		expect(new Set(TOKEN_FORMATS.map(({ name }) => name)).size).toBe(TOKEN_FORMATS.length);
	});
});

describe("private keys", () => {
	it.each([
		["whole", `a\n${BEGIN}\n${PEM_BODY}\n${END}\nb`, "a\n[redacted]\nb"],
		["in a JSON string", `"${BEGIN}\\n${PEM_BODY.replaceAll("\n", "\\n")}\\n${END}\\n"`, '"[redacted]\\n"'],
		[
			"encrypted",
			`${BEGIN}\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,00\n\n${PEM_BODY}\n${END}`,
			"[redacted]",
		],
		["cut off at its end", `a ${BEGIN}\n${PEM_BODY}`, "a [redacted]"],
		[
			"cut off, with prose after it",
			`${BEGIN}\n${HEX}\n${ALNUM}… then I wrote it.`,
			"[redacted]… then I wrote it.",
		],
		["cut off at its beginning", `then: ${PEM_BODY}\n${END}\nand on`, "then: [redacted]\nand on"],
		["twice", `${BEGIN}\n${PEM_BODY}\n${END} x ${BEGIN}\n${PEM_BODY}\n${END}`, "[redacted] x [redacted]"],
	])("%s", (_name, text, expected) => {
		expect(redact(text)).toBe(expected);
	});
});

describe("values after the name of a secret", () => {
	it.each(ASSIGNMENTS)("%s", (text, expected) => {
		expect(redact(fill(text))).toBe(expected);
	});
});

describe("credentials in URLs, headers and commands", () => {
	it.each(CARRIERS)("%s", (text, expected) => {
		expect(redact(fill(text))).toBe(expected);
	});
});

describe("base64 of a user and a password", () => {
	const login = Buffer.from("ci-robot:correct-horse-battery").toString("base64");

	// An answer that is stopped while it is written ends anywhere.
	it("is hidden wherever it is cut off", () => {
		for (
			let length = Buffer.from("ci-robot:").toString("base64").length + 1;
			length <= login.length;
			length++
		) {
			const piece = login.slice(0, length);
			for (const text of [`"auth": "${piece}`, `_auth=${piece}`, `Authorization: Basic ${piece}`])
				expect(redact(text)).not.toContain(piece);
		}
	});

	it.each([
		"auth: understanding",
		"basic understanding of it",
		"auth = authentication",
		"Basic authentication is off",
	])("is not what is a word: %s", (text) => expect(redact(text)).toBe(text));
});

describe("ordinary text stays", () => {
	it.each(ORDINARY)("%s", (text) => {
		expect(redact(text)).toBe(text);
	});
});

describe("whatever comes in", () => {
	const fragment = fc.oneof(
		{ weight: 3, arbitrary: fc.constantFrom(...TOKENS.map(([, token]) => token)) },
		{ weight: 3, arbitrary: fc.constantFrom(...ASSIGNMENTS.map(([text]) => fill(text))) },
		{ weight: 3, arbitrary: fc.constantFrom(...CARRIERS.map(([text]) => fill(text))) },
		{ weight: 2, arbitrary: fc.constantFrom(...ORDINARY) },
		{ weight: 1, arbitrary: fc.constantFrom(BEGIN, END, PEM_BODY, "[redacted]") },
		{
			weight: 3,
			arbitrary: fc.constantFrom(" ", "\n", '"', "'", "=", ":", "@", "/", "\\n", "://", "&", ";"),
		},
		{ weight: 2, arbitrary: fc.constantFrom("password", "token", "Bearer ", "--secret ", "is ", "value") },
		{ weight: 1, arbitrary: hostileText },
	);
	const text = fc.array(fragment, { maxLength: 8 }).map((parts) => parts.join(""));

	it("redacting again changes nothing", () => {
		fc.assert(
			fc.property(text, (input) => {
				const once = redact(input);
				expect(redact(once)).toBe(once);
			}),
			{ numRuns: 2000 },
		);
	});

	it("no key of known shape survives among other words", () => {
		fc.assert(
			fc.property(text, fc.constantFrom(...TOKENS), text, (before, [, token], after) => {
				fc.pre(!(before + after).includes(token)); // Glued to another word, it may be no key.
				expect(redact(`${before} ${token} ${after}`)).not.toContain(token);
			}),
			{ numRuns: 1000 },
		);
	});

	it.each(["password=", 'token: "', "Bearer ", "postgres://a:", "cookie: a="])(
		"a long value is judged within the deadline: %s",
		(name) => {
			expect(redact(`${name}${much("a")}!`)).not.toBe("");
		},
	);

	it.each([
		["a beginning of a key block", BEGIN],
		["an end of a key block", END],
		["base64", "QUJD"],
		["token prefixes", "eyJ-"],
		["dotted token prefixes", "SG.aaaaaaaaaaaaaaaa"],
		["Slack prefixes", "xoxb-"],
		["schemes", "a://"],
		["users", "a://b:c"],
		["names", "password"],
		["names and signs", 'password = "'],
		["blanks after a name", "password                    "],
		["backslashes", 'token="\\'],
		["options", "--password "],
		["elements", "<password>"],
		["parameters", "?token"],
		["headers", "Authorization: "],
		["cookies", "cookie: a=b;"],
		["hyphens", "-"],
	])("much of it is done within the deadline, so time grows no faster than the text: %s", (_name, unit) => {
		expect(redact(much(unit))).not.toBe("");
	});
});
