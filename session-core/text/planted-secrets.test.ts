import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { PLANTED } from "./planted-secrets.test-support.ts";
import { REDACTED, redact } from "./redact.ts";
import { SECRET_ARGUMENTS } from "./secrets/commands.ts";
import { FORM_RULES } from "./secrets/forms.ts";
import { LINKS } from "./secrets/links.ts";

import { NAME_ANCHORS } from "./secrets/names.ts";
import { literalsOf, type Rule } from "./secrets/rules.ts";
import { OTHERS } from "./secrets/token-formats.ts";

test("in all planted texts but three, exactly the secrets are redacted", () => {
	const wrong = PLANTED.flatMap(({ text, shown }) =>
		redact(text) === shown ? [] : [`${redact(text)} for ${shown}`],
	);
	expect(wrong.length, wrong.join("\n")).toBeLessThanOrEqual(3);
});

test("at most one word in 20,000 of this project's code and documents is redacted", () => {
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
const ORDINARY_LINES = `
HTTP_AUTHORIZATION=f'Bearer {access_token}', "Do you really want to change this user&#39;s password?", "password: {e:#?}"
docker buildx imagetools create $(jq -cr '.tags' <<< "$DOCKER_METADATA_OUTPUT_JSON"); [ "$password" != '""' ]; Secret=db-pass,type=env,target=DB_PASS
* [**Client Secret:**](https://www.authelia.example/oidc/#secret) and [I can't login](docs/faq.md#i-cant-log-in)
cpp_args: highs_cpp_suppressions + highs_args, _highs_to_scipy_status_message(highs_status)
{"text":"Two new tokens:"},{"type":"toolCall","id":"toolu_01Daw8cWbzVMo2AB3QPToUP1","totalTokens":12,"responseId":"resp_086cf3f250712bdc0169d3dde"}
$user = User::query()->where('slug', '=', $slug)->first(['id']);
'password-confirm' => ['required_with' => 'Password confirmation required'],
'password' => 'Heslo',⏎    'password_confirm' => 'Potvrzení hesla',⏎    'forgot' => 'Zapomenuté heslo',
"invalidEncryptionKey": "La clé de chiffrement doit comporter 22 caractères.",
'api_incorrect_token_secret' => '给已给出的API所提供的密钥不正确',
'error_user_exists_different_creds' => 'Un usuario con el correo :email ya existe pero con credenciales diferentes.',
deploy ALL=(ALL) NOPASSWD:ALL
<app-password title="Password" formControlName="password" (keyup)="onKeyUp($event)" [error]="errors?.password"></app-password>
You can pass \`type="checkbox"\` for a checkbox.
Pass \`'http://www.w3.org/2000/svg'\` for SVG.
let's pass two props: \`person\` (an object), and \`size\` (a number)
gcloud compute firewall-rules create fw --allow tcp:80,tcp:6443,icmp
apiVersion: v1⏎kind: Secret⏎data:⏎  cloud.conf: {{ cloud_config_secret.content }}
secret: {{ kube_encrypt_token | b64encode }}
password: !vault |⏎  $ANSIBLE_VAULT;1.1;AES256⏎  6166323264323635386466⏎
etcdctl --client-key=admin-key.pem
az ad app create --password CLIENT_SECRET
EMAIL_HOST_PASSWORD: Final[str] = os.getenv("EMAIL_HOST_PASSWORD", "")
Annotations map[string]string \`protobuf:"bytes,10,rep" protobuf_key:"bytes,1,opt,name=key"\`
RewriteRule .* - [E=HTTP_AUTHORIZATION:%{HTTP:Authorization}]
$memcachedServerKeys = ['host', 'port', 'weight'];
const pw=e=>fw(e,cw),Qw=1
2026-11-02T10:11:12.345Z INFO [app] secret: |⏎2026-11-02T10:11:12.345Z INFO [app] other: x
Content-Disposition: form-data; name="password_hint"⏎⏎my first car
Content-Disposition: form-data; name="password"⏎⏎input⏎--7d1
docker run --user 1000:1000 --user app:staff nginx; curl --cert client.pem:$PASS; AUTH PLAIN is a mechanism
  field_password: Heslo⏎  field_password_confirmation: Potvrzení⏎  field_version: Verze⏎  field_due: Uzavřít do⏎  field_time: Strávený čas
  label_api_access_key: API-Zugriffsschlüssel⏎  label_api_access_key_created_on: Der API-Zugriffsschlüssel wurde erstellt⏎  label_add: Ticket hinzufügen⏎  label_all: Alle anzeigen
  mail_subject_lost_password: "Ваш %{value} пароль"
  error_ldap_bind_credentials: "Compte/Contrasenya LDAP incorrecte"
  setting_lost_password: ¿Olvidaste la contraseña?
input[type="text"]:focus, input[type="password"]:focus, textarea { color: red }
"master.m3u8?SegmentLength={1}&ApiKey={2}",
You should pass 'targets' as an option; <param name="pw">Password.</param>
// Login⏎// Password Reset⏎// Email Confirmation
sed -i 's/^password: .*//' app.yml
token count: 1024
const password = process.env.DB_PASSWORD;
Das Passwort muss mindestens acht Zeichen lang sein.
Usage: input_tokens=18234 output_tokens=912
function validatePassword(password: string): boolean {
-----BEGIN PUBLIC KEY-----
"integrity": "sha512-v2kDEe57lecTulaDIuNTPy3Ry4gLGJ6Z1O3vE1krgXZNrsQ+LFTGHVxVjcXPs17LhbZVGedAJv8XZ1tvj5FvSg=="
primary key (id), foreign key (user_id) references users(id)
ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl anna@laptop
PublicKey = xTIBA5rboUvnH4htodjb6e697QjLERt1NAB4mZqp8Dg=
password_hash VARCHAR(255) NOT NULL
docker run -p 8080:80 -u 1000:1000 nginx:1.25
ssh -p 2222 deploy@web1.example.com
<input type="password" name="password" autocomplete="current-password">
パスワードを忘れた場合はこちら
请输入密码
db_password = var.db_password
git diff --stat: auth/token_store.py | 14 ++++++++------
password: string;
POSTGRES_PASSWORD_FILE=/run/secrets/postgres_password
Compare pass/fail counts: pass: 112, fail: 3
curl -H "Authorization: Bearer $TOKEN" https://api.example.com/v1/me
postgres://localhost:5432/app_test
Enter your password to continue
the pass rate was 93.5%
pass --verbose to jest
token is expired
set password policy to strict-mode
the api key is read from OPENAI_API_KEY
PASS  src/a.test.ts⏎PASS  src/b.test.ts
the secret is in vault/prod/db
the token is UTF-8 encoded
key is primary-key-1 of the map
$ grep -rn password src⏎src/a.ts:12: password
$ ls secrets⏎db.json
open('file-1.txt', 'r')
passed 12/14, see run-22
rename password to userPassword2
password: required
password: must be at least 8 characters long
a secret to nobody
const token = await fetchToken(user1);
const token = tokens[i]
token = response.data.token
password=password, token=token
login(user, password=user_password)
apiKey: process.env.OPENAI_API_KEY
api_key=os.environ['KEY1']
TOKEN=$GITHUB_TOKEN
token: <your token>
password: ********
"password": "Enter your password"
"type": "password"
credentials: "same-origin"
if (token === null) return; if (secret == other) {}
PWD=/home/me/project2
secret: /run/secrets/db1
tokenizer: cl100k_base
PI_SESSION_ID=3f2a9c81d7
const fields = ["password", "email"]; t("password", "Password")
const apiKey = apiKeyFromAuthStorage ?? fallback
apiKey: "!op read 'op://vault/item/credential1'"
the --password option, the --token flag and --secret-file
pass --password to the script
bypass: true, compass: north1
commit 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b
sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
claude-sonnet-4-5-20250929, gpt-4o-2024-08-06, openrouter/qwen/qwen3-coder
git@github.com:org/repo.git and ssh://git@github.com/org/repo
http://localhost:3000/users/@me
https://example.org/a:b?c=d&e=f@g
Bearer authentication, basic functionality, a bearer token
Authorization: Bearer <token>
Basic auth is off; cookie: none
?page=2&key=name&tokens=5&code=404
sk-loading-spinner-container and task-risk-assessment-of-the-year
const key = event.key; map.set(key, value1)
REDIS_KEY=session:active:2026
S3_KEY=uploads/2026/a1.png
ROUTING_KEY=orders.created.v2
pin: 1024
kubectl get secret db-creds-2024 -o yaml
connect('localhost', 'db_2')
"@azure/keyvault-secrets": "^4.8.0", "js-tokens": "^4.0.0"
dotnet build -p Release2
DB_PASSWORD=$(op read op://x/y) OTHER_PASSWORD=\`pass show db/prod\`
password = getpass.getpass("Password: ")
- name: DB_PASSWORD⏎  valueFrom:⏎    secretKeyRef:⏎      name: db-secret2⏎      key: password
token: \${{ secrets.GITHUB_TOKEN }}
curl -u "$USER:$PASS" https://x.test
const NumberKey = \`^\${NumberPattern}$\`;
i.key=t,i.cache=this,e.status=i
e3[e3.OpenBraceToken=1]="OpenBraceToken",e3[e3.CloseBraceToken=2]
apiKey = (0, utils_1.readEnv)('OPENAI_BASE_URL')
const staticCredentials = credentials?.();
const X_AWS_EC2_METADATA_TOKEN = "x-aws-ec2-metadata-token";
authorization: z.nullable(z.union([]))
[a](https://x.test/add?link_token=00000000-0000-0000-0000-000000000000)[View](https://x.test)
OPENAI_MIN_OUTPUT_TOKENS=16;function parse(a){}
create_user(password: @password, authentication_keys: [:login], secret: &api.Secret{Data: nil})
get(url, HTTP_AUTHORIZATION=auth, x=tok)
password: ENC[AES256_GCM,data:8Ll+TDCgzQ==,iv:aao0OSVdFwaB9EGZ0O]
user_pass = "{0}:{1}".format(id, password); password = "#{password}#{klass.pepper}"
introspection_token = oauth2_settings.RESOURCE_SERVER_AUTH_TOKEN
Token efficiency: "drains tokens at least 5x faster than before"
Secret "db-creds" created
link =~ /unlock_token=([^"]+)"/; const KMS_KEY: &'static str = x; f"token={TOKEN_URL}/a"
create(⏎    access_token=access_token_of_user⏎)
create(⏎    source_refresh_token=refresh_token_instance,⏎    access_token=access_token,⏎)
errors: { password: "must be at least 8 characters" }
echo "$TOKEN" > /run/secrets/token; Authorization: Bearer token
{ user: dbUser, password: dbPassword }; { password: userPassword⏎}; password: SecretStr⏎user: str
"Edit WebAuthn Credential": "تحرير بيانات WebAuthn", "Password": "Nywila", "new_password": "Neues Passwort"
old_password=Oldingi parol⏎new_password=Yangi parol
public function getNewRefreshToken(): ?RefreshTokenEntityInterface⏎{
Authorization::Token.new(pre_auth, owner); authorization: ActionController::HttpAuthentication::Basic.encode(x)
environment:⏎  - MYSQL_ROOT_PASSWORD=⏎  - MARIADB_AUTO_UPGRADE=1
secrets:⏎  - source: partner_secret⏎    target: /run/x
TOKEN=<redacted>⏎BASE_URL=<url>
{ IssuerPrivateKey: x509PrivateKeyRSA2048,⏎  Secret: nonce,⏎}
const initSecrets = initConfig
has_gemini_key: !!geminiKey, appToken: (fv('pushover.appToken') as string)
secret_key = HMAC-SHA256("WebAppData", bot_token); secret = BASE64_STANDARD.decode(api_secret).map_err(|e| x)
generateSecret('A256GCMKW'); credential={index === -1 ? undefined : all[index]}
| \`client_secret_jwt\` | \`HS256\` |⏎| Secret key | \`.env.local\` |
Pass / warn / fail: \`emerald-400\`. Pass it through to \`downloadFile()\`. Clear the file key from memory: \`clearBytes(fileKey)\`
if (pem.startsWith('-----BEGIN PRIVATE KEY-----')) {}
-----BEGIN PRIVATE KEY-----⏎...⏎-----END PRIVATE KEY-----
BindPW string \`json:"bindPW"\`; bindPW are empty this will default to an anonymous bind
redis_auth="?auth[]=\${REDIS_USER}&auth[]=\${REDIS_PASSWORD}"
zstyle ':completion:*:*:*:*:processes' command 'ps -u'
Set-Cookie: foo=deleted; expires=Thu, 01-Jan-1970 00:00:01
f"from 1Password: {sample}{extra}"; want := {"/oauth2/token", '{"error":"invalid_request"}'}
for _, secret := range project.Secrets {; all callers pass preStartHookType; raises JWT::Base64DecodeError
| Token | Role |⏎|---|---|⏎| \`text-cyan-400\` | Active tab |⏎| \`bg-gray-950\` | Background |
| Option | password | Default |⏎|---|---|---|⏎| a | string | utf8 |
name,password,type⏎a,required,string
The login and password reset page fails; the login and password fields are empty
sshpass -e ssh x; mysql -p -u root app; docker login registry.x.test; redis-cli -h cache ping; mongo --port 27017; useradd -m jo
https --auth "$USER:$PASS" x.test; ldapsearch -x -W -s "One"; ldappasswd -x -S; smbclient -L srv -N; zip -r a.zip b; 7z x a.7z; openssl x509 -in a.pem
ssh-keygen -t ed25519 -f id; snmpwalk -v 3 host; xfreerdp /v:srv; lftp ftp.x.test; htpasswd -c .htpasswd bob; vault login -method=oidc
wpa_passphrase <ssid>; net user; runas /user:jo cmd; ConvertTo-SecureString $text -AsPlainText; gh secret list; oc get pods
nmcli dev status; security list-keychains; bw login; mysqladmin status; ansible-vault view a.yml; rabbitmqctl list_users; qpdf --check a.pdf
az account show; aws s3 ls; mc ls local; rclone lsd drive; npm config list; git status; gcloud auth list; gem list; sudo apt update
-----BEGIN+PUBLIC+KEY-----; cookies: ["theme", "lang"]; https://x.test/?sig=<signature>; jdbc:oracle:thin:@db:1521:x
otpauth://totp/Acme:jo?issuer=Acme; WIFI:T:nopass;S:guest;;; createHmac("sha256", key); Private-Lines: 4; Private-MAC: none
{"kty":"RSA","n":"abc","e":"AQAB"}; ids begin with AKIA or ASIA; the seed phrase has twelve words; the recovery codes are in the safe
the verification code is sent by mail; <auth-user-pass> is an element; enable secret and enable password differ; snmp-server community <name> RO
d-i passwd/root-login boolean false; [::1]:587 is open; bindpw <password>⏎rpcauth=\${RPC_AUTH}⏎: PSK <key>
\${DB_PASSWORD:-$OTHER}; <password>\${pw}</password>; <entry key="password">\${pw}</entry>; <td>Password</td><td>required</td>
apiKey || "none"; Password { get; set; } = ""; token'].get('user'); set(:password, '')⏎password    required⏎Password.... none
the password is "required"; the password:⏎  string
密码是 required
LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCk1JSUQ; 3Q~ and JQQJ99 and .atlasv1. are parts of tokens; region data-us2; eyJ begins an object
https://hooks.slack.com/services/T000/B000/XXX https://discord.com/api/webhooks/123/token https://x.test/IncomingWebhook/abc Signature=<signature>
mailto:john.smith7@example.com, acct:joe%40example.com@example.org, max2024@foo.org, image: node:18-alpine@sha256:abc, x@tcp(db:3306)
a hash is stored as the password; bcrypt as the password hash; it is the access token; the (api key) field; 12 characters (password)
log in with Google / OAuth2; the login page / dashboard; the password was changed from weak to strong; btoa("user:" + password)
expect(password).toBe(1)⏎send (x); the AUTH command; based on >20 files; read PASSWORD <<< "$PW"; the token expires; a token budget of 4096
NAME     READY   SECRET⏎web-7d   1/1     web-tls-2⏎
REGISTRY_KEYS = [⏎  "issuer",⏎  "claims"]; { "password": 864000, "client_credentials": 864000 }; access-token = 1*VSCHAR; headers(HTTP_AUTHORIZATION="Bearer " + raw)
filter(access_token=boundary_at, user=x); filter(source_refresh_token=rt).exists(); {"refresh_token": refresh}; hash_client_secret="on"
:param secret_key: private RSA key in bytes
Authorization⏎=============; resource_owner_secret=_ros)); argon2id as password hash; login failed at app.js:1204
http.Header{"Authorization": {basicAuth("foo", "bar")}}; "Authorization": []string{x}; {"Authorization": s.authorizationHeader}; privateKey = it[2]
val credential: String?, fun f(password: String): x; identified by 'ID'; const AuthUserKey = "user"; grantTypeJWTBearer = "urn:x:y-9"; connection.setRequestProperty("Expect", "100-Continue")
aws ssm put-parameter --type String --name region --value eu-west-1; vault kv put kv/app user=bob url=x.test; vault kv get kv/app
helm install x y --set 'image.name=web,image.tag=v1'; openssl passwd -6 "$PW"; mkpasswd -m sha-512
echo "done" | gcloud storage cp - gs://x; signtool verify a.exe; doctl auth list; sops -d s.yaml; cqlsh -u bob; drush status; printf '%s\\n' "$x"; {"stringData": {}}; "keyName": "key1"
kubectl get cm db -o jsonpath='{.data.host}' | base64 -d⏎db.internal⏎$ openssl rand -hex 4⏎$ ls⏎app2.js is there
await login("bob", "admin"); basicAuth("foo", "bar"); login('jo@x.test', 'utf8'); connect('localhost', 'app', 'db')
emitter.connect("change", "on_change", "x"); bcrypt.hash(password, 10); crypt("text"); getConnection("main", "app", options)
["Authorization", "Content-Type"]; t("Authorization", "Enter the code"); CREATE USER x IDENTIFIED WITH plugin; IQoJb3JpZ2lu starts a token
type: "AGE" || "AWS_SECRET_KEY" || "CA_HEALTH_NUMBER"
Version=4.0.0.0, Culture=neutral, PublicKeyToken=b77a5c561934e089
mkpasswd generates a hash; openssl passwd makes one; set it with doppler secrets set for production; vault operator unseal asks⏎glab variable list; pulumi config set aws:region us-west-2; dotnet user-secrets list; vault write auth/x policies=default
$ grep -l password src⏎src/auth2.ts⏎$ ls secrets⏎db.json⏎$ cat secret.md⏎Introduction
it is identified by its id2; ParameterKey=Region,ParameterValue=eu-west-1; ftp_login($conn, $user, $pw); auth("bob", "jwt")
secrets:⏎  db:⏎    file: ./db.txt⏎  token: \${{ secrets.GITHUB_TOKEN }}; credentials: { type: oauth2, flow: code }; gh secret set NAME --env prod2
secret := make([]byte, 64); fmt.Printf("token:\\n%s\\n", accessToken); password=hash(user42); <password><![CDATA[]]></password>; gh config set editor vim2; dotnet user-secrets set asks for a key and a value
pulumi config set aws:region us-west-2; netlify env:set NODE_ENV production; poetry config virtualenvs.create false; composer config minimum-stability dev; bundle config mirror.https://rubygems.org https://x.y; cargo build; snyk test; username bob privilege 15; createUser bob
password: |⏎  The user's password, in plain text⏎{"path": "src/password/reset.ts", "content": "export const a = 1;"}
proxy_set_header X-Auth-Token $http_x_auth_token; proxy_set_header X-Api-Key ""; add_header X-Token-Type always; oathtool --version
{{ env "DB_PASSWORD" | default "" }}; {{ .Values.token | default .Values.global.token }}; ENV.fetch("DB_PASSWORD") { raise "not set" }; <%= password %>
diff <(echo first) <(echo second); cat <(echo "$PASSWORD"); resource "random_password" "db" { length = 16 }; secret_id = "db-password"
NAME          TYPE     DATA   AGE⏎db-password   Opaque   1      5d⏎api-token     Opaque   3      12d
\`\`password\`\` and \`\`token\`\`, or \`\` for none; K10::server
stats auth is off; # client code and the key   is here; vault.azure.net/secrets/db is read; const w = Wallet(key); docker run -u root -p 8080:80 web; ngrok http 80
seed phrase is the only way to restore the wallet and must be kept in a safe place by you; log in as admin with OAuth2; the secret (see below) and the key, "name"
github.com/aws/aws-sdk-go-v2/credentials v1.19.2 h1:qZry8VUyTK4VIo5aEdUcBjPZHL2v4FyQ3QEOaWcFLu4=
credentials="v1.19.2"⏎github.com/aws/aws-sdk-go-v2/feature/ec2/imds="v1.18.14"
      '@inquirer/password': 5.1.1(@types/node@20.19.43)
for name in ('ALLOWED_HOSTS', 'SECRET_KEY', 'REDIS'): pass; const fromLoginCredentials: (init?: Init) => x
"- [ ] /login and /logout commands\\n- [ ] Basic: \`pi -p \\"hello\\"\`\\n"; mkdir -p a/b; sftp --ask-password public/
"pass": "A página tem pelo menos um cabeçalho de nível 1"
allow localhost:8080; users=bob; login = jo@x.test; user: localhost:5432; mongodb://username:password@host1:27017,host2:27018/db; Fernet(key); hmac.new(key, b"text")
Key          Value⏎---          -----⏎created_at   2026-11-29T10:11:12Z⏎version      3; key content is text; bypass = false2; the key 9f86d081884c is new⏎the secret⏎and the token⏎end; the key⏎HandlerFactory2Provider⏎
existingSecret: postgres-creds-v2; authorization: role-based (RBAC2); auth.existingSecretPasswordKey is set
run \`pwgen 20 1\` first, and then execute:⏎⏎\`\`\`shell⏎createuser bob⏎\`\`\`⏎tokens:⏎  - '\\s[^\\s-]+ly-'⏎the key is set to \`$message['original']\`
API_SECRET: envField.string({ context: "server" }); envGetSecret: 'stable'; API_SECRET="<Votre clé privée>"; DB_API_KEY=VOTRE_CLE_API; errors.password += "Le mot de passe doit comporter 6 signes"
"dialog.enter_password":"Kérjük, adjon meg egy jelszót.","dialog.password":"Heslo","PW":"Palau","PY":"Paraguay"; "credentials": [{"type": "homeassistant"}]
this._unmaskedPassword=!1}}r.styles=s; document.cookie=\`session=\${e};path=/api/\`; username, password = credentials⏎und -Passwort bei der Anmeldung
Sec-WebSocket-Key: BD239eBT8pDIxStE6QO+Qw==
"label.auth":"auth","dashboard.label.ingress":"ingress"; {"auth": "wpa-psk", "psk": ""}; {"en-PW":"left-to-right","en-RW":"x"}
    js-tokens: "npm:^4.0.0"⏎    fs-minipass: "npm:^7.0.4"⏎div.jest-card-pass .jest-card-label
const data = { myKey: '<div>\\n</div>' };
curl -u elastic:$ELASTIC_PASSWORD http://localhost:9200/_cat/indices?v
curl -u "$TOKEN:" https://api.test/v1/users?page=2
curl -u : https://api.test/v1/users?page=2 -H 'Content-Type: application/json2'
has_api_key = !api_key.to_s.empty?
S3Client.new(access_key: s3_access_key, secret_access_key: s3_secret_access_key, session_token: s3_session_token)
set.UploadS3AwsSecretAccessKey = cur.UploadS3AwsSecretAccessKey
ctx.load_cert_chain(CERTFILE, password=getpass_unicode)
pw = pw[:-1]
my $key = $c->{distribution}{ID};
<JetLabel for="password" :value="$t('Password')" />
<input :placeholder="$t('users.password')" :required="form.passwordLogin && !isEditing" />
class RemoveEasyPassword : Migration
class ResetPassword : IRequest
security find-identity -v -p codesigning
kubectl label node x my-key=my-value
--kms-key=crypto-key1
'session_key' => 'locale'
your username and password can be found here: [account_manager.rb](https://x.test/account_manager.rb)
\`s3_access_key\`, \`s3_secret_access_key\` and
Mnemonic: Get Ascii value.
pass down to libxml2 XPath, pass zip64 within, pass to modnames2paths
gcloud secrets update my-secret --expire-time="2030-01-01T00:00:00Z"
for "--key" or "--key=<something>"
"profile_oauth_client_secret": "Geheimnis",⏎"reset_webhook_secret": "Webhook Secret zur\\u00fccksetzen",⏎"header_exchange_rates": "Wechselkurse f\\u00fcr alle",⏎"visit": "Webhook besuchen",⏎
"PW": "Palau",⏎  "BB": "Barbados"; "en_PK":"anglais (Pakistan)","en_PW":"anglais (Palaos)","en_PG":"anglais (Papouasie)","en_PN":"anglais (Iles)"
STATIC_CRON_TOKEN=PLEASE_REPLACE_WITH_32_CHAR_CODE
'password'     => ['confirmed', 'secure_password'],
.fa-user-secret:before{content:"\\f21b"}.fa-motorcycle:before{content:"\\f21c"}
"data:text/html,<script>alert(1)</script>"
matrix_bot_password=$49,⏎matrix_bot_url=$50,
Credentials: []model.WebAuthnCredential{*credential},
export WANDB_API_KEY=VOTRE_CLE_API_KEY
if (password.startsWith("text") || "text".equals(token)) return;
'X-CSRF-Token': $('meta[name="csrf-token"]').attr('content'); password = form.querySelector('[name="password"]'); token = scope.set("a8098c1a"); secret = getSecret("db-secret-2026")
"accessKey": "<<accessKey>>", "X-Api-Key": "<<key>>"; <li v-for="x in y" :key="\`item-\${index}\`" :label="t('configs.infra_tokens2')" @delete-access-token="openModal2" />
'current_password' => 'bail|required|current_password', 'userKey' => 'seasonal:my2020:user:'; Route::get('password', 'SettingsController@passwordUpdate'); 'Password' => Illuminate\\Support\\Facades\\Password::class
"authorization": "Tento požadavek nepoužívá žádnou autorizaci", "delete_access_token": "Opravdu chcete smazat token {tokenLabel}?"
signingKey   ed25519.PrivateKey⏎verifyingKey ed25519.PublicKey⏎log.Printf("  SIGNING_KEY=%s", keyB64); marshal the private key to ASN.1 form; ca: "urn:k8s:secret:tls:ca"
**GITHUB_TOKEN**: use \`$GITHUB_TOKEN\` if set; serviceKey := fmt.Sprintf("%s-split-%d-v2", name, i); "client_token=\${a.token};access_token=\${b.token};x"
export PRIVATE_KEY="$RUNNER_TEMP/privkey.pem"; secret: "%env(APP_SECRET)%"; document.cookie = "firstVisit=" + Date.now() + ";max-age="; $password = '**masked**'; CODECOV_TOKEN=:uuid
client.post(url, HTTP_X_API_KEY=api_key); dbKey = "globalMigrationVersion"; renameIndex('access_tokens', 'idx_368a4209a76ed395'); echo('CLIENT_SECRET="' . $client->getSecret() . '"')
<Field password={newPassword} onChange={x} />; clientSecret: z.string().describe('AUTH_*_CLIENT_SECRET2'); this.credentials=options.credentials||this.credentials
#S3_SECRET_KEY=your_secret_access_key⏎#S3_REGION=us-east-1⏎
"active-tokens": "AKTIIVISET TOKENIT",⏎"api-tokens": "API-tokenit",⏎"create": "Luo uusi tokeni",⏎"name": "Tokenin nimi",⏎"help": "Kopioi tokeni heti"
#: templates/login.html:4 cps/web.py:1371; "device_auth": "https://x.test/v1/auth", SECRET=???
run cf apps; htpasswd -bnC 10 file; echo "host:port" | base64; mongorestore --port 27017 dump; security list-keychains; a seed of the random numbers; Authorization: Basic credentials follow; pepper the text with words; base64:example
| DB_PASSWORD | \`string\` | a password |⏎And I fill in "Password" with "text"; page.type('input[name=password]', 'text'); it's "quoted"' as here
swaks --to bob; steamcmd +quit; consul put it; chpasswd: { expire: false }; s.isValidSession(2); sl.example; napi_create_function_with_2_args and rpa_num_kv_pages_per_block, bb_live_link_div, syt_config, e2b_templates, crsr_pointer
PASS: TestLogin42⏎pass: TestCase12⏎Pass: IntegrationTest3; token: Uint8Array; password: Int32; token: GPT4Tokenizer; passwordHash: Argon2id; password: *const u8
secret: HS256⏎private keys: Ed25519⏎Private key: PKCS8 vs PKCS1⏎password_confirmation: "is invalid"⏎secret: base32 encoded⏎password: 1Password⏎the credentials provider is AwsCredentialsV4
The secret is named db-credentials-v2; kubectl create secret "my-app-secret"; setPassword("newPassword"); map[string]string{"key": "value1"}; the password -> hash
`;

const ORDINARY: readonly string[] = ORDINARY_LINES.split("\n")
	.filter((line) => line !== "")
	.map((line) => line.replaceAll("⏎", "\n"));

test.each(ORDINARY)("stays: %s", (text) => expect(redact(text)).toBe(text));

const formOf = (rule: Rule): RegExp => (rule instanceof RegExp ? rule : rule.form);

/** Whether a sticky pattern matches at a position. */
function matches(pattern: RegExp, text: string, at: number): boolean {
	pattern.lastIndex = at;
	return pattern.test(text);
}

const isPlanted: Record<
	string,
	{ rows: readonly unknown[]; finds: (row: never, text: string, secrets: string[]) => boolean }
> = {
	"forms and tokens": {
		rows: [...FORM_RULES, ...OTHERS],
		finds: (rule: Rule, text, secrets) => {
			const found = [...(formOf(rule).exec(text) ?? [])].join();
			return secrets.some((secret) => found.includes(secret.slice(-5)));
		},
	},
	commands: {
		rows: SECRET_ARGUMENTS,
		finds: ([names, option]: (typeof SECRET_ARGUMENTS)[number], text, secrets) => {
			const form = new RegExp(
				`(?<!\\w)(?:${names.replaceAll(" ", "|")})\\S* (?:.* )?${option.replace("\\S+?\\ue000", " basic ").replace("(?<=^ )", "")}["']?(\\S+)`,
				"s",
			);
			const line = text.replace(/["']/g, "").replace(/\s+\\?\s*/g, " ");
			return secrets.some((secret) => form.exec(line)?.[0].includes(secret.slice(0, 4)));
		},
	},
	links: {
		rows: LINKS,
		finds: ([, form, front]: (typeof LINKS)[number], text, secrets) =>
			[...text].some((_, at) => {
				if (!matches(form, text, at)) return false;
				const value = text.slice(form.lastIndex).replace(/^["'`“([{]{1,3}/, "");
				if (!secrets.some((secret) => value.startsWith(secret))) return false;
				return !front || [...text.slice(0, at)].some((_one, start) => matches(front, text, start));
			}),
	},
};

test.each(Object.entries(isPlanted))(
	"there is a planted secret for each row of the table of %s",
	(_name, { rows, finds }) => {
		const missing = rows.filter(
			(row) => !PLANTED.some(({ text, secrets }) => finds(row as never, text, secrets)),
		);
		expect(missing).toEqual([]);
	},
);

const hasOrdinary: Record<
	string,
	{ rows: readonly unknown[]; finds: (row: never, text: string) => boolean }
> = {
	"forms and tokens": {
		rows: [...FORM_RULES, ...OTHERS],
		finds: (rule: Rule, text) =>
			literalsOf(formOf(rule)).some((literal) => text.toLowerCase().includes(literal.toLowerCase())),
	},
	commands: {
		rows: SECRET_ARGUMENTS,
		finds: ([names]: (typeof SECRET_ARGUMENTS)[number], text) =>
			names.split(" ").some((name) => ` ${text};`.includes(` ${name} `)),
	},
	links: {
		rows: LINKS,
		finds: ([, form]: (typeof LINKS)[number], text) =>
			[...text].some((_, at) => {
				const before = text.slice(Math.max(0, at - 12), at).toLowerCase();
				return NAME_ANCHORS.some((anchor) => before.includes(anchor)) && matches(form, text, at);
			}),
	},
};

test.each(Object.entries(hasOrdinary))(
	"there is an ordinary text for each row of the table of %s",
	(_name, { rows, finds }) =>
		expect(rows.filter((row) => !ORDINARY.some((text) => finds(row as never, text)))).toEqual([]),
);
