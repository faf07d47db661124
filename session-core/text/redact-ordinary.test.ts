import { expect, it } from "vitest";
import { redact } from "./redact.ts";

/** Text that speaks of secrets, or looks like one, and holds none. `⏎` stands for a line break. */
const ORDINARY = `
the password field is required
token count: 1024
git commit 1a2b3c4
const keyboardLayout = 'qwerty'
set the session title to "Fix login flow"
commit 9fceb02d0ae598e95dc970b74767f19372d61af8
id: 550e8400-e29b-41d4-a716-446655440000
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
sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855
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
password = getpass()
password reset flow
the password field is required
key: value
secret sharing scheme
password-protected zip
the secret-store module
Password must be at least 8 characters
Enter your password to continue
token-based auth is used in v2.1
const token = await getToken(user.id)
the pass rate was 93.5%
pass: 12, fail: 0
All tests pass in step-2 of ci
pass --verbose to jest
the password is stored in .env.local
the password is hashed with bcrypt
password is required.
The password is correct.
token is expired
set password policy to strict-mode
use getPassword() from utils.ts
the api key is read from OPENAI_API_KEY
PASS src/foo.test.ts
PASS  src/a.test.ts⏎PASS  src/b.test.ts
the secret is in vault/prod/db
login(user, pass)
connect('localhost', 5432)
auth.login('anna')
the token is UTF-8 encoded
password: String,
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
`;

const lines = ORDINARY.split("\n").filter((line) => line !== "");

it.each([...lines, "password: $" + "{{ secrets.DB_PASSWORD }}"])("%s", (line) => {
	const text = line.replaceAll("⏎", "\n");
	expect(redact(text)).toBe(text);
});
