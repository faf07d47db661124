import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { PLANTED } from "./planted-secrets.test-support.ts";
import { REDACTED, redact } from "./redact.ts";

test("all secrets in commands, files, code, headers and outputs are redacted, except for five, and nothing else is", () => {
	const wrong = PLANTED.flatMap(({ text, shown }) =>
		redact(text) === shown ? [] : [`${redact(text)} for ${shown}`],
	);
	expect(wrong.length, wrong.join("\n")).toBeLessThanOrEqual(5);
});

test("nothing is taken from the code and the documents of this repository, but one word in 20,000", () => {
	const root = join(import.meta.dirname, "../..");
	const paths = ["docs", "session-core", "session-recap", "session-title", "session-resume", "bin"]
		.flatMap((folder) =>
			readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((path) =>
				join(root, folder, path),
			),
		)
		.filter(
			(path) =>
				/\.(?:ts|js|mjs|md|html|css)$/.test(path) && !/test|text.secrets/.test(path.slice(root.length)),
		);
	let words = 0;
	const taken: string[] = [];
	for (const path of paths) {
		const text = readFileSync(path, "utf8");
		words += text.match(/\S+/g)?.length ?? 0;
		const pieces = redact(text).split(REDACTED);
		if (pieces.length > text.split(REDACTED).length)
			taken.push(...pieces.slice(0, -1).map((piece) => piece.slice(-60)));
	}
	expect(words).toBeGreaterThan(100_000);
	expect(taken.length, taken.join("\n")).toBeLessThanOrEqual(words / 20_000);
});

/** Text that mentions secrets or looks like one, but contains none. `⏎` is a line break. */
const ORDINARY = `
the password field is required
token count: 1024
const keyboardLayout = 'qwerty'
set the session title to "Fix login flow"
src/config/secrets.ts
import { getPassword } from './password'
const password = process.env.DB_PASSWORD;
Please add a "forgot password" link below the form.
max_tokens: 4096
Das Passwort muss mindestens acht Zeichen lang sein.
La contraseña es obligatoria para todos los usuarios.
Usage: input_tokens=18234 output_tokens=912
function validatePassword(password: string): boolean {
if (!token) throw new Error('missing token');
-----BEGIN PUBLIC KEY-----
"integrity": "sha512-v2kDEe57lecTulaDIuNTPy3Ry4gLGJ6Z1O3vE1krgXZNrsQ+LFTGHVxVjcXPs17LhbZVGedAJv8XZ1tvj5FvSg=="
primary key (id), foreign key (user_id) references users(id)
The API key is stored in the vault, not in this repo.
ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl anna@laptop
PublicKey = xTIBA5rboUvnH4htodjb6e697QjLERt1NAB4mZqp8Dg=
password_hash VARCHAR(255) NOT NULL
export PATH=$HOME/.local/bin:$PATH
mkdir -p build/output && cp -u src/main.c build/
docker run -p 8080:80 -u 1000:1000 nginx:1.25
ssh -p 2222 deploy@web1.example.com
<input type="password" name="password" autocomplete="current-password">
パスワードを忘れた場合はこちら
пароль не может быть пустым
请输入密码
Key: value pairs are separated by a colon.
https://github.com/acme/site/blob/main/docs/authentication.md#tokens
curl -s https://example.com/health -H "Accept: application/json"
db_password = var.db_password
keyboard shortcuts: ctrl+k opens the command palette
git diff --stat: auth/token_store.py | 14 ++++++++------
Author: Anna Beispiel <anna@example.com>
password: string;
The tokenizer splits on whitespace; each token is lower-cased.
POSTGRES_PASSWORD_FILE=/run/secrets/postgres_password
Compare pass/fail counts: pass: 112, fail: 3
session_id column was renamed to conversation_id
curl -H "Authorization: Bearer $TOKEN" https://api.example.com/v1/me
postgres://localhost:5432/app_test
pass the token to the next handler
password-protected zip
Enter your password to continue
token-based auth is used in v2.1
the pass rate was 93.5%
All tests pass in step-2 of ci
pass --verbose to jest
the password is stored in .env.local
The password is correct.
token is expired
set password policy to strict-mode
use getPassword() from utils.ts
the api key is read from OPENAI_API_KEY
PASS  src/a.test.ts⏎PASS  src/b.test.ts
the secret is in vault/prod/db
connect('localhost', 5432)
auth.login('anna')
the token is UTF-8 encoded
password?: string | undefined
key is primary-key-1 of the map
git log --grep password⏎abc1234 fix x
$ grep -rn password src⏎src/a.ts:12: password
$ ls secrets⏎db.json
open('file-1.txt', 'r')
the tokens are in base64
passed 12/14, see run-22
rename password to userPassword2
the password hash uses argon2id
password: required
password: must be at least 8 characters long
a secret to nobody
token: string | undefined;
maxTokens: 4096, tokenCount: 5
input tokens: 1200, output tokens: 88
token = next_token(stream)
const token = await fetchToken(user1);
const token = tokens[i]
token = response.data.token
password = getPassword()
password=password, token=token
login(user, password=user_password)
this.password = options.password;
apiKey: process.env.OPENAI_API_KEY
api_key=os.environ['KEY1']
TOKEN=$GITHUB_TOKEN
token: <your token>
password: ********
"password": "Enter your password"
{ token: "keyword.control" }
"type": "password"
credentials: "same-origin"
if (token === null) return; if (secret == other) {}
PWD=/home/me/project2
secret: /run/secrets/db1
secretName: postgres-credentials
kind: Secret
tokenizer: cl100k_base
PI_SESSION_ID=3f2a9c81d7
const fields = ["password", "email"]; t("password", "Password")
const apiKey = apiKeyFromAuthStorage ?? fallback
token: SomeRatherLongInterfaceName
apiKey: "!op read 'op://vault/item/credential1'"
the --password option, the --token flag and --secret-file
pass --password to the script
bypass: true, compass: north1
commit 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b
session 550e8400-e29b-41d4-a716-446655440000
sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
/home/me/src/password-reset/token.ts:42:7
claude-sonnet-4-5-20250929, gpt-4o-2024-08-06, openrouter/qwen/qwen3-coder
src/auth/token.test.ts and lib/secret_store.rs
git@github.com:org/repo.git and ssh://git@github.com/org/repo
http://localhost:3000/users/@me
https://example.org/a:b?c=d&e=f@g
Bearer authentication, basic functionality, a bearer token
Authorization: Bearer <token>
the Authorization header: required
Basic auth is off; cookie: none
?page=2&key=name&tokens=5&code=404
npm_config_cache and npm_lifecycle_event
sk-loading-spinner-container and task-risk-assessment-of-the-year
hf_hub_download(repo_id)
const key = event.key; map.set(key, value1)
feat(token): rotate keys at 10:30
import { redact } from './redact.ts'; // secret: see docs
`;

test.each(ORDINARY.split("\n").filter((line) => line !== ""))("stays: %s", (line) => {
	const text = line.replaceAll("⏎", "\n");
	expect(redact(text)).toBe(text);
});
