/** Phrasings that the redaction was written with. Format: phrasings.test-support.ts. */
export const SEEN = String.raw`
// Environment and assignments
SECRET_KEY_BASE=⟦keyboard·cat⟧
SECRET_KEY_BASE=⟦9f86d081·884c7d659a2feaa0c55ad015a3bf4f1b⟧
OPENAI_KEY=⟦my·openai·value⟧
STRIPE_KEY=⟦abcdef·ghijkl⟧
SESSION_KEY=⟦keyboard·cat⟧
HMAC_KEY=⟦deadbeef·cafe⟧
DB_PW=⟦tiger·lily⟧
DB_PW='⟦tiger lily · rose⟧'
export DB_PASS=⟦sw0rd·fish⟧
export MYSQL_ROOT_PASSWORD="⟦my dog · is brown⟧"
set API_SECRET=⟦hello·world⟧
$env:ADMIN_PASSWORD = "⟦letme·in⟧"
ENV JWT_SIGNING_KEY ⟦k3J9xQ2m·Z7pL5wR8⟧
docker run -e POSTGRES_PASSWORD=⟦tiger·lily⟧ postgres
DB_PASSWORD=⟦p@ss,w;rd·(1)⟧
GITHUB_TOKEN=⟦abc123·def456⟧
ENCRYPTION_KEY: ⟦wiggle·wobble9⟧
RAILS_MASTER_KEY=⟦2f1b7c·9e0d4a8b6c⟧
PASSWORD=⟦hunter·2⟧
ADMIN_PIN=⟦48·21⟧
SALT=⟦Zx81·kkQp⟧
FLASK_SECRET=⟦dev·secret-of-mine⟧
TWILIO_AUTH=⟦6f5e4d3c·2b1a0f9e⟧
password := "⟦swordfish·9⟧"
let password = "⟦tiger·lily⟧";
const PASSWORD = '⟦correct horse · battery staple⟧';
if (password == "⟦hunter·2⟧") return true;
cfg.password = '⟦hunter·2x9⟧'
{ "password": "⟦sword·fish⟧" }
{"passwd":"⟦x y · z⟧"}
{'secret': '⟦sword·fish⟧'}
{"passwords": ["⟦hunter·2x9⟧", "⟦tiger·lily7⟧"]}
"DB_PASSWORD", "⟦hunter·2x9⟧"
{"name": "API_TOKEN", "value": "⟦abcd·1234efgh⟧"}
- name: SMTP_PASS⏎  value: ⟦hunter·2⟧
password: |⏎  ⟦hunter·2x9⟧
spring.datasource.password=⟦tiger·lily⟧
db.password = ⟦hunter·2x9⟧
user=root;password=⟦tiger·lily⟧;host=db
Server=x;Uid=sa;Pwd=⟦tig·er12⟧;
<add key="ApiSecret" value="⟦wob·ble⟧"/>
<property name="password" value="⟦tiger·lily⟧"/>
<input type="password" name="password" value="⟦tiger·lily⟧">
<secretKey>⟦tiger·lily⟧</secretKey>
<td>Password</td><td>⟦hunter·2x9⟧</td>
keyStorePassword="⟦change·it⟧"
new User({ name: "bob", pass: "⟦hunter·2⟧" })
secret_key_base: ⟦abcdefghij·klmnop⟧
apiKey: "⟦abcd1234·efgh5678⟧"
authToken='⟦abcd1234·efgh5678⟧'
client.login("⟦abcd1234·EFGH.5678ijkl⟧")
requests.get(url, auth=("bob", "⟦hunter·2x9⟧"))
HTTPBasicAuth('bob', '⟦hunter·2x9⟧')
CREATE USER bob WITH PASSWORD '⟦tiger·lily⟧';
ALTER USER bob IDENTIFIED BY '⟦tiger·lily⟧';
SET PASSWORD FOR 'bob'@'%' = '⟦tiger·lily⟧';
CREATE ROLE app LOGIN PASSWORD '⟦hunter·2⟧';
password_hash: $2b$12$⟦abcdefghijklmnopqrstuv·wxyzABCDEFGHIJKLMNOPQRSTUVWXYZ01⟧
root:$6$⟦saltsalt$abcdefghijklmnop·qrstuvwxyzABCDEFGHIJ⟧:19000:0:99999:7:::
define('AUTH_KEY', '⟦put your · unique 9 phrase⟧');
define('DB_PASSWORD', '⟦tiger·lily⟧');
password="⟦it's · 9 o'clock⟧"

// Short labels
pass: ⟦hunter·2⟧
pw: ⟦hunter·2⟧
pwd: ⟦tiger·lily⟧
PW=⟦hunter·2⟧
user: bob, pass: ⟦Sup3·r!⟧
bob / pw ⟦hunter·2x9⟧
u: bob p: ⟦Sup3·r!Man⟧
PIN: ⟦48·21⟧
OTP: ⟦845·112⟧
the 2FA code is ⟦845·112⟧
API key: ⟦abcd1234·efgh5678⟧
Passcode: ⟦4821·77⟧

// Prose
password ⟦hunter·2x9⟧
the password is ⟦hunter·2x9⟧
The root password is now ⟦hunter·2x9⟧.
My password is ⟦hunter·2⟧
password \`⟦hunter·2x9⟧\`
password "⟦hunter·2x9⟧"
password '⟦hunter·2x9⟧'
password (⟦hunter·2x9⟧)
password [⟦hunter·2x9⟧]
with password ⟦Tr0ub4dor·&3⟧ it works
use the password ⟦hunter·2x9⟧ for staging
log in as bob, password ⟦hunter·2x9⟧
the staging password for bob is ⟦hunter·2x9⟧
the password for the wiki, as Ann told me, is ⟦Tr0ub4dor·&3⟧
use ⟦hunter·2x9⟧ as the password
⟦Tr0ub4dor·&3⟧ is the admin password
password changed from ⟦hunter·2⟧ to ⟦hunter·3⟧
I changed the password from ⟦hunter·2x9⟧ to ⟦tiger7·lily8⟧.
The password was changed from "⟦alpha·bet1⟧" to "⟦beta·gamma2⟧".
rotate the DB password: ⟦hunter·2x9⟧ → ⟦hunter·3x9⟧
reset the password to ⟦hunter·2x9⟧ please
passwords are ⟦hunter·2x9⟧ and ⟦tiger7·lily8⟧
log in with admin/⟦Sup3·r!⟧
login: admin/⟦Sup3·r!⟧
credentials: bob / ⟦hunter·2x9⟧
Use admin:⟦Sup3·r!⟧ to sign in
the creds are root:⟦t00r·t00r⟧
user bob with pw ⟦hunter·2x9⟧
my passphrase is "⟦correct horse · battery staple⟧"
The secret is ⟦k3J9x·Q2mZ7pL5w⟧
the token is ⟦k3J9x·Q2mZ7pL5wR8vT1n⟧
here's my api key ⟦k3J9x·Q2mZ7pL5wR8vT1n⟧
the key is ⟦k3J9x·Q2mZ7pL5wR8vT1n⟧, use it
Password - ⟦hunter·2x9⟧
Password → ⟦hunter·2x9⟧
password=> ⟦hunter·2x9⟧
**Password:** ⟦hunter·2x9⟧
**Password**: ⟦hunter·2x9⟧
- Password: ⟦hunter·2x9⟧
| password | ⟦hunter·2x9⟧ |
| DB_PASSWORD | ⟦tiger·lily⟧ |
| user | password |⏎|---|---|⏎| bob | ⟦tiger·lily⟧ |⏎| ann | ⟦hunter·2⟧ |
seed phrase: ⟦abandon ability able about above absent · absorb abstract absurd abuse access accident⟧
recovery code: ⟦abcd-1234·-efgh-5678⟧
Wifi password: ⟦Guest·House77⟧

// Prompts and CSV
AWS Access Key ID [None]: ⟦AK·IAQ3ZR7TYK5WPLX2MN⟧
AWS Secret Access Key [None]: ⟦wJalrXUtnFEMI/K7MDENG·/bPxRfiCYzzzzzzzKEY⟧
AWS Secret Access Key [****************abcd]: ⟦wJalrXUtnFEMI/K7MDENG·/bPxRfiCYzzzzzzzKEY⟧
Access key ID,Secret access key⏎⟦AK·IAQ3ZR7TYK5WPLX2MN⟧,⟦wJalrXUtnFEMI/K7MDENG·/bPxRfiCYzzzzzzzKEY⟧
User name,Password,Access key ID,Secret access key,Console login link⏎bob,⟦tiger·lily⟧,,⟦wJalrXUtnFEMI/K7MDENG·/bPxRfiCYzzzzzzzKEY⟧,https://x.test
name;password⏎bob;⟦tiger·lily⟧⏎ann;⟦hunter·2⟧
"url","username","password"⏎"https://x.test","bob","⟦tiger, · lily⟧"
Password for 'https://bob@x.test': ⟦hunter·2x9⟧
[sudo] password for bob: ⟦hunter·2x9⟧
Enter passphrase for key '/home/me/.ssh/id_ed25519': ⟦hunter·2x9⟧
Password (again): ⟦hunter·2x9⟧
New password: ⟦tiger·lily⟧
aws configure set aws_secret_access_key ⟦wJalrXUtnFEMI/K7MDENG·/bPxRfiCYzzzzzzzKEY⟧

// Commands
sshpass -p ⟦tiger·lily⟧ ssh bob@x.test
sshpass -p'⟦tiger · lily⟧' ssh bob@x.test
sshpass -p⟦hunter·2⟧ ssh bob@x.test
mysql -u root -p⟦tiger·lily⟧ db
mysqldump -uroot -p'⟦tiger·lily⟧' db
mysqladmin -u root password ⟦hunter·2x9⟧
docker login -u bob -p ⟦tiger·lily⟧ registry.x.test
podman login --username bob --password ⟦tiger·lily⟧
helm registry login x.test -u bob -p ⟦tiger·lily⟧
redis-cli -h cache -a ⟦tiger·lily⟧ ping
redis-cli --pass ⟦tiger·lily⟧
curl -u bob:⟦tiger·lily⟧ https://x.test
curl -ubob:⟦tiger·lily⟧ https://x.test
curl --user 'bob:⟦tiger lily·⟧' https://x.test
http -a bob:⟦tiger·lily⟧ x.test
wget --user=bob --password=⟦tiger·lily⟧ https://x.test
kubectl create secret generic x --from-literal=key=⟦tiger·lily⟧
kubectl create secret generic x --from-literal=user=bob --from-literal=pw=⟦tiger·lily⟧
mongosh -u bob -p ⟦tiger·lily⟧ --host x
ldapsearch -D cn=admin -w ⟦tiger·lily⟧ -b dc=x
smbclient //srv/x -U bob%⟦tiger·lily⟧
sqlcmd -S srv -U sa -P ⟦tiger·lily⟧
zip -P ⟦tiger·lily⟧ a.zip a
7z x -p⟦tiger·lily⟧ a.7z
openssl enc -aes-256-cbc -k ⟦tiger·lily⟧
openssl rsa -passin pass:⟦tiger·lily⟧ -in k.pem
ssh-keygen -t ed25519 -N "⟦tiger lily·⟧" -f k
keytool -storepass ⟦change·it⟧ -list
gpg --batch --passphrase ⟦tiger·lily⟧ -d x
echo ⟦tiger·lily⟧ | sudo -S apt update
echo "⟦tiger·lily⟧" | docker login -u bob --password-stdin
echo "bob:⟦tiger·lily⟧" | chpasswd
htpasswd -b .htpasswd bob ⟦tiger·lily⟧
az login -u bob -p ⟦tiger·lily⟧
sqlplus scott/⟦tiger·lily⟧@orcl
vault kv put secret/x password=⟦tiger·lily⟧
gh secret set DEPLOY --body "⟦tiger·lily⟧"
fly secrets set FOO=⟦tiger·lily⟧
terraform apply -var="db_password=⟦tiger·lily⟧"
ansible all -e ansible_become_pass=⟦tiger·lily⟧
net user bob ⟦P@ss·w0rd⟧ /add
npm config set //registry.x.test/:_authToken ⟦abcd1234·efgh5678⟧
tailscale up --authkey ⟦tskey·-auth-kabcDEF123-abcdefGHIJKL456⟧
PGPASSWORD=⟦tiger·lily⟧ psql -h x

// URLs
postgres://app:⟦pa/ss#w·ord⟧@db.x.test/main
postgresql://app:⟦hunter·2⟧@db.x.test/main
mysql://root:⟦p@ss/w·ord⟧@db:3306/x
https://bob:⟦hunter·2⟧@x.test/r.git
https://⟦k3J9xQ2mZ7pL5wR8·vT1nB6yH4cD0gF3s⟧@x.test/r.git
amqp://guest:⟦tiger·lily⟧@mq:5672/
mongodb+srv://bob:⟦tiger·lily⟧@c0.x.test/db
https://x.test/cb?code=1&access_token=⟦abc·def⟧
https://x.test/?apikey=⟦abc·def⟧&q=1
otpauth://totp/x:bob?secret=⟦JBSWY3DP·EHPK3PXP⟧&issuer=x
jdbc:mysql://db/x?user=bob&password=⟦tiger·lily⟧
jdbc:oracle:thin:scott/⟦tiger·lily⟧@db:1521:x
sftp://bob:⟦tiger·lily⟧@x.test

// Headers
Authorization: Bearer ⟦abcd1234·efgh⟧
Authorization: Basic ⟦Ym9iOnRp·Z2VybGlseQ==⟧
X-Api-Key: ⟦abc·def⟧
X-Auth-Token: ⟦abcd·1234⟧
curl -H "PRIVATE-TOKEN: ⟦abcd1234·efgh⟧" x.test
Cookie: session=⟦abc·def⟧
Proxy-Authorization: Basic ⟦Ym9iOnRp·Z2VybGlseQ==⟧
headers: { "x-api-key": "⟦abc·def⟧" }

// Structured files
{"auths":{"x.test":{"auth":"⟦Ym9iOnRp·Z2VybGlseQ==⟧"}}}
client-key-data: ⟦LS0tLS1CRUdJTiBSU0EgUFJJVkFURSBLRVktLS0tLQpN·SUlF⟧
key: ⟦LS0tLS1CRUdJTiBSU0EgUFJJVkFURSBLRVktLS0tLQpN·SUlF⟧
PrivateKey = ⟦yAnz5TF+lXXJte14tji3zlMNq+hd2rYU·IgJBgB3fBmk=⟧
PresharedKey = ⟦FpCyhws9cxwWoV4xELtfJvjJN+zQVRPI·SllRWgeopVE=⟧
Private-Lines: 1⏎⟦AAAAgQC7e1Nt2QmZ7pL5wR8vT1nB6yH4cD0gF3sA·9eU2iO7⟧⏎Private-MAC: ⟦0123456789abcdef0123·456789abcdef01234567⟧
kind: Secret⏎data:⏎  user: ⟦Ym9i·Ym9i⟧⏎  pw: ⟦dGlnZXJs·aWx5⟧
machine x.test login bob password ⟦tiger·lily⟧
machine x.test⏎  login bob⏎  password ⟦tiger·lily⟧
db.x.test:5432:main:bob:⟦tiger·lily⟧
_auth=⟦Ym9iOnRp·Z2VybGlseQ==⟧
{"kty":"RSA","n":"abc","d":"⟦X4cTteJY_gn4FYPsXB8rdXix5vwsg1FLN5E3·EaG6RJoVH⟧"}
[redis]⏎requirepass ⟦tiger·lily⟧
AccountName=x;AccountKey=⟦k3J9xQ2mZ7pL5wR8vT1nB6yH4c·D0gF3sA9eU2iO7==⟧
SharedAccessKey=⟦k3J9xQ2mZ7pL5wR8vT1nB6yH4c·D0gF3sA9eU2iO7=⟧
https://x.blob.test/c?sv=2022&sig=⟦abc%2Bdef·%3D⟧

// Tokens by their shape
⟦tskey-auth·-kabcDEF123-abcdefGHIJKL456⟧
⟦gh·p_k3J9xQ2mZ7pL5wR8vT1nB6yH4cD0gF3sA9eU⟧
⟦glp·at-k3J9xQ2mZ7pL5wR8vT1n⟧
⟦dckr·_pat_k3J9xQ2mZ7pL5wR8vT1nB6yH4cD⟧
⟦sk·-ant-api03-k3J9xQ2mZ7pL5wR8vT1nB6yH4cD⟧
⟦pcsk·_abcde_k3J9xQ2mZ7pL5wR8vT1nB6yH4cD0gF3sA9eU2iO7k3J9xQ2mZ7pL5wR8vT1n⟧
⟦sha256~k3J9xQ2mZ7pL5wR8vT1nB6yH·4cD0gF3sA9eU2iO7⟧
⟦phx·_k3J9xQ2mZ7pL5wR8vT1nB6yH4cD0gF3sA9eU2iO7kk⟧
⟦ATB·Bk3J9xQ2mZ7pL5wR8vT1nB6yH4cD0gF3s⟧
⟦HRKU·-AAk3J9xQ2mZ7pL5wR8vT1nB6yH4cD0gF3sA9eU2iO7k3J9xQ2mZ7pL5wR8vT1⟧
⟦pul·-9f86d081884c7d659a2feaa0c55ad015a3bf4f1b⟧
⟦dt0c·01.K3J9XQ2MZ7PL5WR8VT1NB6YH.K3J9XQ2MZ7PL5WR8VT1NB6YHK3J9XQ2MZ7PL5WR8VT1NB6YHK3J9XQ2MZ7PL5WR8⟧

// Other languages
contraseña: ⟦tiger·lily⟧
la contraseña es ⟦hunter·2x9⟧
mot de passe : ⟦tiger·lily⟧
le mot de passe est ⟦hunter·2x9⟧
mdp: ⟦hunter·2⟧
Kennwort: ⟦tiger·lily⟧
das Passwort lautet ⟦hunter·2x9⟧
senha: ⟦tiger·lily⟧
a senha é ⟦hunter·2x9⟧
wachtwoord: ⟦tiger·lily⟧
hasło: ⟦tiger·lily⟧
密码：⟦tiger·lily⟧
密码: ⟦hunter·2x9⟧
密码是⟦hunter·2x9⟧
数据库密码为 ⟦hunter·2x9⟧，请勿外传
口令＝⟦hunter·2x9⟧
パスワード：⟦hunter·2x9⟧
パスワードは⟦hunter·2x9⟧です
비밀번호: ⟦hunter·2x9⟧
비밀번호는 ⟦hunter·2x9⟧ 입니다
пароль: ⟦hunter·2x9⟧
пароль — ⟦hunter·2x9⟧
пароль от базы ⟦hunter·2x9⟧
parola: ⟦hunter·2x9⟧
şifre: ⟦hunter·2x9⟧
lösenord: ⟦tiger·lily⟧
mật khẩu: ⟦hunter·2x9⟧
סיסמה: ⟦hunter·2x9⟧
كلمة المرور: ⟦hunter·2x9⟧
κωδικός: ⟦hunter·2x9⟧
password：⟦tiger·lily⟧
password＝⟦tiger·lily⟧
API密钥：⟦abcd1234·efgh5678⟧
токен: ⟦abcd1234·efgh5678⟧
令牌：⟦abcd1234·efgh5678⟧
clave secreta: ⟦abcd1234·efgh5678⟧
Schlüssel: ⟦abcd1234·efgh5678ijkl⟧

// Where programs and people put them
SMTP_PASSWORD=⟦Wint·er2024⟧
DJANGO_SECRET_KEY='⟦django-insecure-x8#k2@·l⟧'
REDIS_PASS="⟦re!dis-9⟧"
export AWS_SESSION_TOKEN=⟦FwoGZXIvYXdzEJr//////////wEaDKx·abc⟧
TF_VAR_db_password=⟦swordfish⟧
PASSWORD = ⟦swordfish⟧
WP_ADMIN_PASS: ⟦swordfish⟧
APP_KEY=base64:⟦k3J9xQ2mZ7pL5wR8vT1nB6yH4cD0gF3s=⟧
LDAP_BIND_PW=⟦swordfish⟧
GRAFANA_ADMIN_PWD: "⟦sword fish⟧"
VAULT_TOKEN=⟦s.abc·defghi⟧
ACCESS_KEY=⟦minio·admin⟧
SECRET=⟦sword·fish⟧
GPG_PASSPHRASE=⟦open·sesame⟧
KEYSTORE_PASSWORD=⟦change·it⟧
CRON_SECRET=⟦tick·tock⟧
WEBHOOK_SECRET=⟦tick·tock9⟧
NEXTAUTH_SECRET=⟦tick·tock⟧
SENTRY_AUTH_TOKEN=⟦abc·def⟧
COOKIE_SECRET: ⟦tick·tock⟧
set password=⟦sword·fish⟧
password='⟦it is what it is 9⟧'
db_pass: ⟦sword·fish⟧
dbPassword: "⟦sword·fish⟧",
"db_password": "⟦sword·fish⟧",
'apiSecret': '⟦sword·fish⟧',
passwd=⟦sword·fish⟧
:password => "⟦sword·fish⟧"
password: !!str ⟦sword·fish9⟧
password = r'⟦sword\fish⟧'
"password" : ⟦123·456⟧
String password = "⟦sword·fish⟧";
private static final String DB_PASS = "⟦sword·fish⟧";
var secret = []byte("⟦sword·fish⟧")
process.env.DB_PASSWORD = "⟦sword·fish⟧"
os.environ["DB_PASSWORD"] = "⟦sword·fish⟧"
os.Setenv("DB_PASSWORD", "⟦sword·fish⟧")
config.set("password", "⟦sword·fish9⟧")
.withPassword("⟦sword·fish⟧")
conn = psycopg2.connect(host="x", user="bob", password="⟦sword·fish⟧")
mysql.connector.connect(passwd='⟦sword·fish⟧')
new MongoClient("mongodb://bob:⟦sword·fish⟧@h:27017")
createUser({user:"bob",pwd:"⟦sword·fish⟧",roles:[]})
await page.fill('#password', '⟦sword·fish9⟧')
cy.get('[name=password]').type('⟦sword·fish9⟧')
assert login("bob", "⟦sword·fish9⟧")
user = User(username='bob', password='⟦sword·fish⟧')
the new pw is ⟦hunter·2⟧
pw=⟦hunter·2⟧
my pw: ⟦Spr1ng·24⟧
pass is ⟦hunter·2x9⟧
pass ⟦hunter·2x9⟧
username bob password ⟦hunter·2⟧
username: bob, password: ⟦hunter·2⟧
user=bob pass=⟦sword·fish⟧
user: bob / pass: ⟦sword·fish1⟧
login bob with ⟦Tr0ub4dor·&3⟧
sign in with bob@x.test and ⟦Tr0ub4dor·&3⟧
creds: bob:⟦Tr0ub4dor·&3⟧
test account: bob@x.test:⟦Tr0ub4dor·&3⟧
the password's ⟦hunter·2x9⟧
password (staging): ⟦sword·fish⟧
password for staging: ⟦sword·fish⟧
password for staging is ⟦hunter·2⟧
my password used to be ⟦hunter·2⟧, now it is ⟦hunter·3⟧
the password should be ⟦hunter·2x9⟧
try ⟦hunter·2x9⟧ as password
try password ⟦sword·fish⟧1
the secret key is ⟦abcDEF·123456⟧
API secret ⟦abcDEF·123456ghi⟧
our Stripe key: ⟦abcDEF·123456ghi⟧
here is the token: ⟦abcDEF·123456ghi⟧
token=⟦abcDEF·123456ghi⟧
use this key ⟦abcDEF·123456ghiJKL78⟧
Bearer token: ⟦abcDEF·123456ghi⟧
the wifi key is ⟦hunter·2x9⟧
unlock code ⟦48·21⟧
my PIN is ⟦48·21⟧
pin code: ⟦48·21⟧
verification code: ⟦845·112⟧
Your one-time password is ⟦845·112⟧
Password hint none. Password: ⟦sword·fish⟧
"The admin password ("⟦hunter·2x9⟧") works"
<Password>⟦sword·fish⟧</Password>
<entry key="password">⟦sword·fish⟧</entry>
<connectionString="Server=x;Password=⟦sword·fish⟧" />
mysql -h h -u root --password=⟦sword·fish⟧ db
mysql -u root -p'⟦sword fish·⟧' db
psql "host=x user=bob password=⟦sword·fish⟧"
psql postgres://bob:⟦sword·fish⟧@x/db
pg_dump --dbname=postgresql://bob:⟦sword·fish⟧@x/db
docker login --password ⟦sword·fish⟧ -u bob
docker run -e MYSQL_ROOT_PASSWORD=⟦sword·fish⟧ -d mysql
docker-compose: MYSQL_PASSWORD: ⟦sword·fish⟧
curl -H 'Authorization: Bearer ⟦abcDEF·123456ghi⟧' x
curl -H "X-API-Key: ⟦sword·fish⟧" x
curl -H "apikey: ⟦abcDEF·123456ghi⟧" x
curl -d '{"password":"⟦sword·fish⟧"}' x
curl -d "username=bob&password=⟦sword·fish⟧" x
curl -F password=⟦sword·fish⟧ x
curl "https://x/?token=⟦sword·fish⟧"
curl --oauth2-bearer ⟦abcDEF·123456ghi⟧ x
wget --http-password=⟦sword·fish⟧ x
git clone https://bob:⟦sword·fish⟧@x.test/r.git
git remote set-url origin https://oauth2:⟦abcDEF·123456⟧@x.test/r
svn co --username bob --password ⟦sword·fish⟧ x
ssh-keygen -P ⟦sword·fish⟧ -f k
sudo -S <<< ⟦sword·fish⟧
echo '⟦sword·fish⟧' | sudo -S ls
echo bob:⟦sword·fish⟧ | sudo chpasswd
printf '⟦sword·fish⟧' | docker login --password-stdin
kubectl create secret docker-registry r --docker-password=⟦sword·fish⟧
kubectl create secret generic x --from-literal password=⟦sword·fish⟧
helm upgrade x --set auth.password=⟦sword·fish⟧
helm install x --set postgresql.postgresqlPassword=⟦sword·fish⟧
heroku config:set SECRET_KEY=⟦sword·fish⟧
gcloud sql users set-password bob --password=⟦sword·fish⟧
aws rds modify-db-instance --master-user-password ⟦sword·fish⟧
az sql server create --admin-password ⟦sword·fish⟧
ansible-playbook -e "db_pass=⟦sword·fish⟧"
vault login ⟦s.abcDEF·123456⟧
openssl pkcs12 -export -passout pass:⟦sword·fish⟧
gpg --passphrase '⟦sword fish·⟧' -c x
rclone config create x pass ⟦sword·fish9⟧
7z a -p"⟦sword fish·⟧" x.7z
ffmpeg -i rtsp://admin:⟦Sup3r·!⟧@10.0.0.5/stream
net use \\srv\x /user:bob ⟦P@ss·w0rd⟧
runas /user:bob ⟦P@ss·w0rd⟧
ConvertTo-SecureString "⟦P@ss·w0rd⟧" -AsPlainText
$cred = New-Object PSCredential("bob", "⟦P@ss·w0rd⟧")
redis://default:⟦sword·fish⟧@h:6379
requirepass ⟦sword·fish⟧
rediss://:⟦p@ss/w·ord⟧@h:6379/0
https://user:⟦pa#ss·w0rd⟧@x.test/p
ftp://bob:⟦a/b/c·9⟧@x.test
Password for bob: ⟦sword·fish⟧
Enter password: ⟦sword·fish⟧
Enter your API key: ⟦abcDEF·123456ghi⟧
? Password: ⟦sword·fish⟧
Passphrase: ⟦correct-horse-battery·-staple⟧
Retype new password: ⟦sword·fish⟧
| admin | ⟦Sup3r·!⟧ | password |
| Name | Value |⏎|---|---|⏎| api_key | ⟦abcDEF·123456ghi⟧ |
username,password⏎bob,⟦sword·fish⟧
email;passwort⏎bob@x.test;⟦sword·fish⟧
id	secret⏎1	⟦sword·fish⟧
Access key,Secret⏎abc,⟦abcDEF·123456ghi⟧
- user: bob⏎  password: ⟦sword·fish⟧
password:⏎  - ⟦sword·fish9⟧
[default]⏎aws_access_key_id = ⟦AK·IAQ3ZR7TYK5WPLX2MN⟧⏎aws_secret_access_key = ⟦abcdefghijklmnopqrst·uvwxyzABCDEFGHIJKLMN⟧
//npm.x.test/:_password="⟦c3dvcmR·maXNo⟧"
[client]⏎password=⟦sword·fish⟧
stringData:⏎  password: ⟦sword·fish⟧
machine h login bob password ⟦sword·fish⟧
{"username":"bob","token":"⟦abcDEF·123456ghi⟧"}
{"key":"⟦abcDEF123456ghiJKL·789mnoPQR⟧"}
"private_key": "-----BEGIN PRIVATE KEY-----\n⟦MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSj·AgEAAoIBAQC7⟧\n-----END PRIVATE KEY-----\n"
el nuevo password es ⟦hunter·2x9⟧
cambié la contraseña de ⟦hunter·2⟧ a ⟦hunter·3⟧
la clave es ⟦hunter·2x9⟧
das Passwort ist ⟦hunter·2⟧
Passwort geändert von ⟦hunter·2x9⟧ auf ⟦tiger7·x8⟧
le mdp est ⟦hunter·2x9⟧
mot de passe changé de ⟦hunter·2x⟧9 en ⟦tiger7·x8⟧
la password è ⟦hunter·2x9⟧
minha senha é ⟦hunter·2⟧
hasło to ⟦hunter·2x9⟧
пароль: ⟦тигр·овый⟧
пароль сменили с ⟦hunter·2x9⟧ на ⟦tiger7·x8⟧
логин admin пароль ⟦hunter·2⟧
密码改成 ⟦hunter·2x9⟧
把密码从⟦hunter·2x9⟧改为⟦tiger7·x8⟧
账号 admin 密码 ⟦hunter·2x9⟧
密碼：⟦hunter·2x9⟧
パスワードを⟦hunter·2x9⟧に変更
비밀번호를 ⟦hunter·2x9⟧로 변경
mật khẩu là ⟦hunter·2x9⟧
รหัสผ่าน: ⟦hunter·2x9⟧
parola ⟦hunter·2x9⟧
salasana on ⟦hunter·2x9⟧
jelszó: ⟦hunter·2x9⟧
heslo: ⟦hunter·2x9⟧
wachtwoord is ⟦hunter·2⟧
şifre ⟦hunter·2x9⟧
कूटशब्द पासवर्ड: ⟦hunter·2x9⟧
  12: DB_PASS=⟦sword·fish⟧
    12→DB_PASSWORD=⟦sword·fish⟧
.env:3:DB_PASS=⟦sword·fish⟧
+DB_PASS=⟦sword·fish⟧
-  password: ⟦sword·fish⟧
{\"password\":\"⟦sword·fish⟧\"}
{\\\"password\\\":\\\"⟦sword·fish⟧\\\"}
"Env": ["DB_PASSWORD=⟦sword·fish⟧", "A=b"]
  501  mysql -uroot -p⟦sword·fish⟧
+ mysql -uroot -p⟦sword·fish⟧ db
Connecting with password=⟦sword·fish⟧ to db
auth failed for user bob (password: ⟦sword·fish1⟧)
INSERT INTO users (name, password) VALUES ('bob', '⟦sword·fish⟧');
UPDATE users SET password='⟦sword·fish⟧' WHERE id=1
UPDATE users SET password = md5('⟦sword·fish9⟧')
GRANT ALL ON *.* TO 'bob'@'%' IDENTIFIED BY '⟦sword·fish⟧'
CREATE LOGIN bob WITH PASSWORD = '⟦sword·fish⟧'
\set pw '⟦sword·fish⟧'
environment:⏎  - POSTGRES_PASSWORD=⟦sword·fish⟧
env:⏎  - name: API_TOKEN⏎    value: "⟦sword·fish⟧"
password = "⟦sword·fish⟧" # change me
resource "x" { password = "⟦sword·fish⟧" }
variable "db_password" { default = "⟦sword·fish⟧" }
output: admin_password = ⟦sword·fish9⟧
Generated password: ⟦aB3$kd·93!x⟧
Temporary password: ⟦aB3kd93x·⟧
Your new API key is ⟦abcDEF123456ghiJK·⟧
Initial root password: ⟦kq8*dk(2·Z⟧
A temporary password is generated for root@localhost: ⟦kq8*dk(2Z·⟧
Please use the following password: ⟦AbcdEfgh·⟧1
admin password ⟦kd93·XX7⟧
GitLab initial password ⟦kd93XX7zzz·⟧
The secret (⟦kd93XX7zzz·⟧) was rotated
I leaked my key ⟦kd93XX7zzzQQ12·⟧
token ⟦kd93XX7zzzQQ12mm·⟧ expired
revoke token ⟦kd93XX7zzzQQ12mm·⟧
the old token was ⟦kd93XX7zzzQQ12mm·⟧
"apiKey": "⟦kd93XX7zzzQQ12mm·⟧"
api-key=⟦kd93XX7zz·⟧
APIKEY ⟦kd93XX7zzzQQ12mm·⟧
apikey: ⟦sword·fish99⟧
authToken: "⟦kd93XX7zzz·⟧"
refresh_token=⟦1//0abc·defgh⟧
"refresh_token": "⟦kd93XX7zzzQQ12mm·⟧"
"access_token":"⟦kd93XX7zzzQQ12mm·⟧"
"client_secret":"⟦sword·fish⟧"
client_secret=⟦sword·fish⟧&grant_type=x
"private_key":"⟦kd93XX7zzzQQ12mm·⟧"
PRIVATE_KEY=0x⟦4c0883a69102937d6231471b5dbb6204fe512961708279feb1be6ae5538da033·⟧
private key: ⟦4c0883a69102937d6231471b5dbb6204fe512961708279feb1be6ae5538da033·⟧
MNEMONIC="⟦abandon ability able about above absent absorb abstract absurd abuse access accident·⟧"
app.use(session({ secret: '⟦keyboard cat·⟧' }))
jwt.sign(payload, '⟦shhhhh12·⟧')
jwt.sign(payload, "secret", ...) with JWT_SECRET=⟦shhhhh·⟧
const JWT_SECRET = '⟦shhhhh·⟧'
signing key: "⟦kd93XX7zz·⟧"
encryption_key: ⟦kd93XX7zzzQQ12mm·⟧
aesKey = "⟦kd93XX7zzzQQ12mm·⟧"
iv/key: key=⟦kd93XX7zzzQQ12mmLL45·⟧
X-Auth-Key: ⟦kd93XX7zz·⟧
X-Vault-Token: ⟦s.kd93XX7zz·⟧
x-amz-security-token: ⟦kd93XX7zzzQQ12mm·⟧
Authorization: ⟦kd93XX7zzz·⟧
Authorization: Token ⟦kd93XX7zzz·⟧
"Authorization": "Basic ⟦Ym9iOnRpZ2VybGlseQ==·⟧"
'Authorization': 'Bearer ' + '⟦kd93XX7zzzQQ12mm·⟧'
headers = {"Authorization": f"Bearer ⟦kd93XX7zzzQQ12mm·⟧"}
Set-Cookie: connect.sid=⟦s%3Akd93XX7zz·⟧; Path=/
PHPSESSID=⟦kd93xx7zzzqq12mm·⟧
sessionid=⟦kd93xx7zzzqq12mm·⟧
csrftoken=⟦kd93xx7zzzqq12mm·⟧
wg: PrivateKey = ⟦yAnz5TF+lXXJte14tji3zlMNq+hd2rYUIgJBgB3fBmk=·⟧
psk="⟦sword fish·⟧"
wpa-psk ⟦sword·fish9⟧
nmcli dev wifi connect x password ⟦sword·fish⟧
wpa_passphrase x ⟦sword·fish⟧
enable secret 5 $1$⟦mERr$hx5rVt7rPNoS4wqbXKX7m0·⟧
username bob privilege 15 secret ⟦sword·fish9⟧
requirepass "⟦sword·fish⟧"
redis-cli -a '⟦sword·fish⟧'
mongo "mongodb://bob:⟦p%40ss·⟧@h/db"
amqps://bob:⟦sword·fish⟧@h/v
ldap://cn=admin:⟦sword·fish⟧@h
smtp://bob%40x.test:⟦sword·fish⟧@h:587
https://bob:⟦sword·fish⟧@x.test:8443/path?x=1
git+https://⟦kd93XX7zzzQQ12mmkd93·⟧@github.com/x/y
https://x-access-token:⟦kd93XX7zzzQQ12mm·⟧@github.com/x
Data Source=x;User ID=bob;Password=⟦sword·fish⟧
Endpoint=sb://x/;SharedAccessKeyName=R;SharedAccessKey=⟦kd93XX7zzzQQ12mmkd93XX7zzzQQ12mm=·⟧
DefaultEndpointsProtocol=https;AccountName=x;AccountKey=⟦kd93XX7zzzQQ12mmkd93XX7zzzQQ12mm==·⟧
spring.mail.password: ⟦sword·fish⟧
hibernate.connection.password ⟦sword·fish9⟧
<add name="x" connectionString="Server=x;Pwd=⟦sword·fish⟧;" />
<setting name="Password" serializeAs="String"><value>⟦sword·fish⟧</value></setting>
<string name="api_key">⟦kd93XX7zzz·⟧</string>
<key>Password</key><string>⟦sword·fish⟧</string>
security add-generic-password -a bob -s x -w ⟦sword·fish⟧
pass show x → ⟦sword·fish9⟧
op item create password=⟦sword·fish⟧
bw login bob@x.test ⟦Tr0ub4dor·&3⟧
ssh -o 'Password=⟦sword·fish⟧' h
expect "password:" { send "⟦sword·fish9⟧\r" }
spawn ssh; send "⟦Tr0ub4dor&3·⟧\r" after password prompt
read -s PW; PW=⟦sword·fish⟧
PASS=$(echo ⟦sword·fish9⟧)
export PGPASSWORD="⟦sword·fish⟧" && psql
MYSQL_PWD=⟦sword·fish⟧ mysql -u root
env DB_PW=⟦sword·fish⟧ ./run
Basic auth: admin:⟦Sup3r!·⟧
basic auth is bob / ⟦hunter2x9·⟧
user/pass: bob/⟦hunter2x9·⟧
U: bob / P: ⟦hunter2x9·⟧
demo login — demo / ⟦demo1234·⟧
default credentials admin/⟦admin123·⟧
root:⟦toor123·⟧
ftp user bob, pass ⟦hunter2x9·⟧
"user": "bob", "pass": "⟦sword·fish⟧"
passwords: ⟦hunter2x9·⟧, ⟦tiger7x8·⟧
my secret code is ⟦kd93XX·⟧
Please store this: the database password is now ⟦Zeppel1n·77⟧.
I think the pw was ⟦Orange·Juice42⟧
pwd is ⟦Orange·Juice42⟧ btw
Login details: user jane, pass ⟦Orange·Juice42⟧
Login details: jane / ⟦Orange·Juice42⟧
Credentials — user: jane, password: ⟦orange·juice⟧
ssh jane@10.0.0.5 (password ⟦Orange·Juice42⟧)
password → \`⟦orange·juice⟧\`
Password: "⟦orange juice · every day⟧"
password: \`⟦orange·juice⟧\`
password=\`⟦orange·juice⟧\`
root password = ⟦orange·juice42⟧
Root PW: ⟦Orange·Juice42⟧
the new secret is \`⟦orange·juice42⟧\`
secret: ⟦orange·juice⟧
shared secret "⟦orange·juice⟧"
PASSWORD ⟦orange·juice42⟧
we rotated ⟦Orange·Juice42⟧ to ⟦Apple·Juice43⟧ as password
password rotated: ⟦Orange·Juice42⟧ -> ⟦Apple·Juice43⟧
passphrase is ⟦orange-juice·-every-day⟧
WiFi: MyNet / ⟦Orange·Juice42⟧
wifi password ⟦Orange·Juice42⟧
Keycloak admin: admin / ⟦Orange·Juice42⟧
admin/⟦P@ss·w0rd1⟧
try admin:⟦admin·123⟧
username=admin&password=⟦orange·juice⟧
u/p = jane/⟦Orange·Juice42⟧
token: \`⟦orange99·juiceXYZ⟧\`
my GitHub token: ⟦gh·p_abcdefghijklmnopqrstuvwxyz0123456789⟧
OpenAI key sk-⟦abcdef·ghij0123456789ABCDEFGHIJ⟧
ANTHROPIC_API_KEY="⟦sk·-ant-api03-abcdefghij0123456789⟧"
MISTRAL_API_KEY=⟦orangejuice·42orange⟧
SLACK_WEBHOOK=https://hooks.slack.com/services/T000/B000/⟦abcdefghij·0123456789ABCD⟧
DATABASE_URL=postgres://jane:⟦orange/juice#42·⟧@db:5432/app
DATABASE_URL="mysql://root:⟦orange·juice⟧@127.0.0.1/app"
REDIS_URL=redis://:⟦orange·juice⟧@cache:6379/0
MONGO_URI=mongodb://jane:⟦orange·juice⟧@h1,h2/app?replicaSet=x
SENTRY_DSN=https://⟦abcdef0123456789abcdef0123456789·⟧@o1.ingest.sentry.io/1
JWT=⟦eyJhbGciOiJIUzI1NiJ9·.eyJzdWIiOiIxMjM0In0.abcdefghijklmnop⟧
cookie: session=⟦orange·juice42⟧; path=/
-H "Cookie: sid=⟦orange·juice42⟧"
--password='⟦orange·juice⟧'
--pass ⟦orange·juice⟧
--api-key ⟦orangejuice42·⟧
--token=⟦orangejuice42·⟧
--secret ⟦orange·juice⟧
--client-secret ⟦orange·juice⟧
--auth-token ⟦orangejuice42·⟧
--db-password ⟦orange·juice⟧
-e PASSWORD=⟦orange·juice⟧
-Dpassword=⟦orange·juice⟧
-Djavax.net.ssl.keyStorePassword=⟦orange·juice⟧
-P:password=⟦orange·juice⟧
mysql -uroot -p"⟦orange·juice⟧" -e 'select 1'
mysqldump --password="⟦orange·juice⟧" db
mariadb -u root -p⟦orange·juice⟧
sshpass -p "⟦orange juice·⟧" scp a b
SSHPASS=⟦orange·juice⟧ sshpass -e ssh h
echo "⟦orange·juice⟧" | sudo -S -k true
echo ⟦orange·juice⟧ | passwd --stdin jane
docker login ghcr.io -u jane -p ⟦orange·juice⟧
echo $CR_PAT=⟦orangejuice42·⟧
oc login -u jane -p ⟦orange·juice⟧ https://x
oc login --token=⟦sha256~abcdefghijklmnopqrstuvwxyz0123456789ABCDEFG·⟧
redis-cli -u redis://:⟦orange·juice⟧@h
redis-cli -p 6379 -a ⟦orange·juice⟧ get x
curl -su jane:⟦orange·juice⟧ https://x
curl --user jane:⟦orange·juice⟧ x
curl -X POST -d 'password=⟦orange·juice⟧' x
curl -H "Authorization: token ⟦orangejuice42·⟧" x
http POST x password=⟦orange·juice⟧
wget --password ⟦orange·juice⟧ x
kubectl create secret generic s --from-literal=token=⟦orange·juice⟧ --from-literal=user=jane
kubectl config set-credentials jane --token=⟦orangejuice42·⟧
helm install x --set 'adminPassword=⟦orange·juice⟧'
az storage blob list --account-key ⟦abcdefghij0123456789ABCDEFGHIJabcdefghij0123456789==·⟧
aws configure set aws_session_token ⟦abcdefghij0123456789ABCDEFGHIJ·⟧
export TOKEN=⟦orange·juice⟧
export API_KEY='⟦orange·juice⟧'
setx DB_PASSWORD "⟦orange·juice⟧"
$password = "⟦orange·juice⟧"
$PASSWORD=⟦orange·juice⟧
password: ⟦'orange·juice'⟧
passwordHash: "⟦5f4dcc3b5aa765d61d8327deb882cf99·⟧"
"accessToken": "⟦abcdefghij0123456789·⟧"
"secretAccessKey": "⟦abcdefghij0123456789ABCDEFGHIJabcdefghij·⟧"
secretKey: ⟦orange·juice⟧
"auth": "⟦amFuZTpvcmFuZ2VqdWljZQ==·⟧"
"identitytoken": "⟦abcdefghij0123456789·⟧"
client-certificate-data: abc⏎    client-key-data: ⟦LS0tLS1CRUdJTiBFQyBQUklWQVRFIEtFWS0tLS0t·⟧
users:⏎- name: jane⏎  user:⏎    token: ⟦abcdefghij0123456789·⟧
PublicKey = abc⏎PrivateKey = ⟦aGVsbG8gd29ybGQgaGVsbG8gd29ybGQgaGVsbG8gd28=·⟧
enc_key: ⟦0123456789abcdef0123456789abcdef·⟧
hmac key ⟦0123456789abcdefABCDEF0123456789·⟧
Signing secret: ⟦0123456789abcdef0123456789abcdef·⟧
session key: ⟦0123456789abcdefABCD·⟧
license key: ⟦ABCDE-12345-FGHIJ-67890·⟧
Product key ⟦ABCDE-12345-FGHIJ-67890·⟧
backup codes: ⟦abcd1234·⟧ ⟦efgh5678·⟧
your code is 1; OTP ⟦123456·⟧
security code: ⟦4711·⟧
PIN ⟦4711·⟧
Geheimnis ist ok, Passwort: ⟦orangensaft·⟧
Das Kennwort ist ⟦Orangen·Saft42⟧
Das Passwort wurde von ⟦Orangen·Saft42⟧ auf ⟦Apfel·Saft43⟧ geändert
Mot de passe : ⟦jus·dorange⟧
Le mot de passe admin est « ⟦jusdorange42·⟧ »
contraseña=⟦jugo·naranja⟧
Contraseña nueva: ⟦jugo·naranja42⟧
la contraseña de la base es ⟦Jugo·Naranja42⟧
senha do banco: ⟦suco·laranja42⟧
password di root: ⟦succo·arancia⟧
hasło: ⟦sok·pomarancz⟧
пароль: ⟦orange·juice42⟧
Пароль для базы: ⟦Orange·Juice42⟧
пароль такой: ⟦Orange·Juice42⟧
ПАРОЛЬ=⟦orange·juice⟧
密码：⟦orange·juice42⟧。
密码是 ⟦Orange·Juice42⟧
用户名 root 密码 ⟦Orange·Juice42⟧
初始密码为⟦Orange·Juice42⟧
管理员密码：「⟦orange·juice⟧」
账号/密码：root/⟦Orange·Juice42⟧
密码＝⟦orange·juice⟧
パスワード: ⟦orange·juice⟧
パスワードは「⟦orange·juice42⟧」です
비밀번호: ⟦orange·juice42⟧
비번은 ⟦orange·juice42⟧
كلمة المرور هي ⟦Orange·Juice42⟧
סיסמה: ⟦orange·juice42⟧
şifre: ⟦portakal·suyu⟧
mật khẩu: ⟦nuoc·cam42⟧
kata sandi: ⟦jus·jeruk42⟧
Username,Password⏎jane,⟦orange·juice⟧⏎bob,⟦apple·juice⟧
"User name","Password","Access key ID","Secret access key"⏎"jane","⟦orange·juice⟧","AKIAABCDEFGHIJKLMNOP","⟦abcdefghij0123456789ABCDEFGHIJabcdefghij·⟧"
| service | user | password |⏎| --- | --- | --- |⏎| db | jane | \`⟦orange·juice⟧\` |
| Password | **⟦orange·juice42⟧** |
user	pass⏎jane	⟦orange·juice⟧
Host: h⏎User: jane⏎Pass: ⟦orange·juice42⟧
HOST=h USER=jane PASS=⟦orange·juice⟧
password [hidden]: ⟦orange·juice⟧
Vault password: ⟦orange·juice⟧
BECOME password: ⟦orange·juice⟧
jane@h's password: ⟦orange·juice⟧
Enter PEM pass phrase: ⟦orange·juice⟧
Enter host password for user 'jane': ⟦orange·juice⟧
Password for user postgres: ⟦orange·juice⟧
AWS Access Key ID [****************MNOP]: ⟦AK·IAQ3ZR7TYK5WPLX2MN⟧⏎AWS Secret Access Key [****************ghij]: ⟦abcdefghij0123456789ABCDEFGHIJabcdefghij·⟧⏎Default region name [None]: us-east-1

// Written by a reader who had not seen the redaction
SECRET_KEY_BASE=⟦4f0ba190·d9a9551b·5d378044·300734f3·8fd43734·77a3ba68·b6b6a9ad·2c7e82c0·818136f5·a18182a9·ed65067d·d73d2de9·22ecf473·9dbba13a·8ea1d42e·541c3a90⟧
export OPENAI_KEY=⟦sk-Nce8z·NbYEj8mQ·9Ge9RYZ2·JNM2ZzwG·VkXlUhlD·9niyBfsT·TGY⟧
STRIPE_KEY=⟦sk_live_·YGGtZL2h·KCBHKTih·FCW8WVyE⟧
SESSION_KEY="⟦XV6bu1Ew·kO/ilDpY·+pOzKLlU·n2HAhrsq·LBhKBtxL·YN4=⟧"
HMAC_KEY='⟦9e035d7a·897bac5c·d3ce8450·70a42196·f56e6d82·ced3963a·dadb34e2·42c9ea95⟧'
DB_PW=⟦tulpe·nzwie·bel77⟧
DB_HOST=db.internal⏎DB_USER=shop⏎DB_PASS=⟦Gr4n·ite-·Otte·r!⟧⏎DB_NAME=shop_prod
APP_KEY=base64:⟦QbSaOoBY·ZMXgPLzB·R0DBQauW·upzmlTAM·86IdC33a·Znk=⟧
PGPASSWORD=⟦h0rs·ebat·terY⟧ psql -h 10.0.4.12 -U reporting -d warehouse -c "select 1"
MYSQL_PWD=⟦mKz·71-·bak·d⟧ mysqldump -u backup shop > shop.sql
RESTIC_PASSWORD=⟦walnut-·canoe-e·mber-91⟧ restic -r s3:s3.amazonaws.com/bkt snapshots
$ env | grep -i smtp⏎SMTP_HOST=mail.example.org⏎SMTP_PORT=587⏎SMTP_PASSWD=⟦q9!·Lpz·&rT·2⟧
COOKIE_SECRET = ⟦rQimEFBJ·SS3PzQue·goSg0JEj·oNGlM1rn⟧
JWT_SIGNING_KEY=⟦please-c·hange-me·-not-rea·lly-8812⟧
ENCRYPTION_KEY=⟦33dbad5a·2c158a7b·81a0db3b·6a2ae512⟧ node server.js
NEXTAUTH_SECRET="⟦ZcRjbZAj·3JZ5sKYW·7WYAhFFI·bU3MxUzZ·46foaLlP·vSA=⟧" # generated 2024-11-02
DJANGO_SECRET_KEY=⟦x#9v@k2!·m)q8_w^r·5t&z1%b7·*c(d4=f+·g6-h3j0k·l$nps⟧
VAULT_TOKEN=⟦hvs.bjYK·GjboQVyh·2me7nQnE·by2KJVw7·ZBPlWWJR·qznlw2sv·PtXMDYLn·phdD8SdX·4Gv9lDJ6·Z5CYa4iR·vyE6OiRI·HjYhC6K7⟧ vault kv get secret/app
TWILIO_AUTH_TOKEN=⟦882cc15a·403402cc·6a9f6b7e·e33a7c46⟧
export AWS_SECRET_ACCESS_KEY=⟦VyKWSPHV·VSZkg13K·qsHjcTsK·r82w8JO6·Ml2sXW/+⟧
export AWS_SESSION_TOKEN="⟦IQoJb3Jp·Z2luX2Vj·EsPcYNOQ·dlCYZ+dZ·Tk+KB43Z·ZNcyft8I·Tkj3qwD8·ZCXwsf7D·YAs0j8xr·PsMdmF+3·AjcYkzbq·wSm3zalX·G/a8+NjP·j0ddsDkC·Tqd3BjEm·C4on2/FO·aZWaoPag·EHKtBinW·BKbWk96x·VmbRSNJC·3MpQAJj3·0b7pLok0·fSqUbCfs·kS0C8nwG·5jKca3Dh·PQAxw1hH·yusksRih·k⟧"
DATADOG_API_KEY=⟦f418f146·b89d2256·89664c4e·6107a2f0⟧
CLOUDFLARE_API_TOKEN=⟦Cx8tqmj5·yL93SswJ·DhuQJaU8·bFnGEQcd·WJWyFgYk⟧
SENTRY_AUTH_TOKEN=⟦sntrys_w·b6klH-c6·mempde8W·JvPMtxt0·kZXkI6P0·a35KEoZ5·dcjPFa0T·I8kKW8QC·UJ4ZbK4J·HliDTmmP·tOu_n_B8·hrfZTc_J·alT9SC83·iad3rks8·11lVPhUM·yjh-KRT⟧
REDIS_AUTH=⟦lemu·r.42·.red·is⟧
KEYSTORE_PW=⟦Andr·0idR·elea·se⟧ KEY_ALIAS=upload ./gradlew bundleRelease
ADMIN_PASSPHRASE="⟦seven q·uiet fo·xes jum·p⟧"
MASTER_KEY=⟦94958962·35944ad6·3301702e·a0eddb8d⟧ bin/rails credentials:edit
# .env.production⏎MAILCHIMP_KEY=⟦66de55aa·d9b0b81a·7c982437·232112eb·-us14⟧
set -x LINEAR_API_KEY ⟦lin_api_·A3AOXC9U·1dRLFPIM·TAqyGI6C·u18hnYge·LVtgeACV⟧
sshpass -p '⟦R00·t&B·ran·ch⟧' ssh root@192.168.1.40 uptime
sshpass -p ⟦kol·ibr·i20·23⟧ scp build.tgz deploy@web1:/srv/
mysql -u root -p⟦Zep·hyr·!88⟧ -e "show databases"
mysql -uroot --password=⟦fen·che·l_4·4⟧ shop < dump.sql
docker login registry.example.com -u ci -p ⟦Qm7x·Tr0u·b4do·r⟧
echo "⟦ghp_4QWd·LofebkC6·HoFa8jYk·KFrMHtWw·hU27rFbv⟧" | docker login ghcr.io -u octo --password-stdin
echo ⟦mei·nKa·ter·3⟧ | sudo -S systemctl restart nginx
redis-cli -h cache.internal -a ⟦pl0·ver·Nes·t⟧ ping
curl -u jenkins:⟦11883099·b1b0d38b·b4211eb5·3d225175·cb⟧ https://ci.example.com/job/build/api/json
curl --user "admin:⟦elas·t1cC·hang·e⟧" -X POST http://localhost:9200/_search
curl -sS -H "Authorization: Bearer ⟦9176Rm3Q·roKfIYUY·VxVvjX9v·DBA0DX1C·H5F0FcG0⟧" https://api.example.com/v1/me
curl -H 'X-Api-Key: ⟦4fdcugu5·im9cfmt2·jexqettp·8e42uoxo⟧' https://api.example.com/items
curl -H "PRIVATE-TOKEN: ⟦glpat-5E·RoYvwbhq·EzyYdOve·wd⟧" "https://gitlab.example.com/api/v4/projects"
curl -d "username=anna&password=⟦Hi·mb·33·re⟧&grant_type=password" https://sso.example.com/token
curl -X POST https://example.com/login -d '{"user":"ben","password":"⟦w1nt·3r-S·onne⟧"}'
wget --user=mirror --password=⟦m1r·r0r·M4n⟧ https://dl.example.com/pkg.tar.gz
wget --http-user=joe --http-passwd=⟦joe·blo·w_9⟧ http://files.lan/x.iso
kubectl create secret generic db --from-literal=username=app --from-literal=password=⟦B7k·k!p·lum⟧
kubectl create secret generic stripe --from-literal=key=⟦rk_live_·JE6Q1gtm·gSWWTC0c·21dEaVf6·WX1pEp1o·mZobS8Bf⟧
kubectl create secret docker-registry regcred --docker-server=quay.io --docker-username=bot --docker-password=⟦qYx·-88·aaF·2m⟧
az login --service-principal -u 3f1c2b5e-7f1d-4a7e-9a55-0d4b7e0a2f11 -p ⟦lWI8Q~ey·KAtQpjqv·dFtrT506·9HhQqi2B·JJlTeBtH⟧ --tenant contoso.onmicrosoft.com
az vm create -n box1 -g rg --image Ubuntu2204 --admin-username azu --admin-password ⟦C0nt·oso#·Vm20·24⟧
openssl enc -aes-256-cbc -pbkdf2 -in a.tar -out a.enc -pass pass:⟦ott·erk·eks⟧
openssl pkcs12 -export -in c.pem -inkey k.pem -out b.p12 -passout pass:⟦ex·p0·rt·1t⟧
keytool -genkeypair -alias app -keystore app.jks -storepass ⟦chan·geit·-nop·e5⟧ -keyalg RSA
zip -P ⟦zip·per·l12⟧ -r secret.zip docs/
7z x backup.7z -p⟦M0n·soo·n_7·7⟧
unrar x -p⟦bao·bab·-20·19⟧ archive.rar
gpg --batch --passphrase "⟦the riv·er runs· uphill⟧" -d notes.gpg
echo "deploy:⟦Spa·rge·l20·25⟧" | chpasswd
htpasswd -bc /etc/nginx/.htpasswd anna ⟦kr4bb·enbro·etche·n⟧
net use Z: \\nas\share /user:CORP\mike ⟦Fjo·rd&·Sle·d9⟧
cmdkey /add:server01 /user:svc_app /pass:⟦Svc·#99·31x·x⟧
smbclient //nas/media -U kodi%⟦pop·c0r·n77⟧
mount -t cifs //nas/data /mnt -o username=backup,password=⟦b4·ck·Me·Up⟧,vers=3.0
ldapsearch -x -D "cn=admin,dc=example,dc=org" -w ⟦ld4·pAd·m1n⟧ -b dc=example,dc=org
mongosh "mongodb://localhost:27017" -u root -p ⟦mon·g00·se!⟧ --authenticationDatabase admin
mongodump --username=backup --password "⟦pale· Blu·e d0·t⟧" --db app
sqlcmd -S tcp:db.example.net -U sa -P ⟦Str0n·g!Pas·sw0rd⟧
npm config set //registry.npmjs.org/:_authToken ⟦npm_SCqH·VRMI8hL4·zjxE5DFv·Sf34QF4a·U3RGFFLs⟧
twine upload -u __token__ -p ⟦pypi-AgE·IcHlwaS5·vcmcoG1A·9TCMsE-F·tKTdy06B·og8ht4iI·FxFwdmpg·369VzvC6·i2A4K1sx·ltnSwtSv·ojWVK-Q1·Os6qRKhG·JSRX4-Gz·5poqzZmj·Ojf3UdeE·PnxowMfD·TmOV1oYj·equ6yigG·_R5d5QyB·qVsf8ePR·K9OLBDU⟧ dist/*
heroku config:set SECRET_TOKEN=⟦9061f8d0·c41ed7ab·13f63704·fadef88b·20a6e4e9·1d352f3a·8f342e00·cdbc01ea⟧ -a myapp
fly secrets set SMTP_PASS=⟦bl4u·wal-·post⟧
gh secret set DEPLOY_KEY --body "⟦dk_XjMWd·qST0ENgc·g4Fy4am8·AKEgejid·V⟧"
ansible-playbook site.yml -e "ansible_become_pass=⟦b3c·0me·R00·t⟧"
helm install pg bitnami/postgresql --set auth.postgresPassword=⟦hElm·-p0s·tgr3·s⟧
tailscale up --authkey=⟦tskey-au·th-kgiLG·nUeRgdCN·TRL-KPyP·bgPaHVK0·BZ5gbykG·JQYWJ29b·pIya⟧
rclone config create nas webdav url=https://dav.example.com user=me pass=⟦r-c·l0n·e-D·av⟧
xfreerdp /v:10.1.1.9 /u:Administrator /p:⟦Rdp·!Ka·ise·r4⟧ /cert:ignore
lftp -u ftpuser,⟦f7p·Tra·nsf·3r⟧ ftp.example.com
svn checkout https://svn.example.com/repo --username kim --password ⟦su·bv·3r·t⟧
nmcli dev wifi connect "CafeNetz" password "⟦espres·so-mac·chiato⟧"
wpa_passphrase HomeNet ⟦dreiK·leine·Fisch·e⟧
printf '⟦orchid h·ammer vi·vid lake⟧' | cryptsetup luksFormat /dev/sdb1 -
snmpwalk -v3 -u monitor -l authPriv -a SHA -A ⟦Snm·p4u·thK·ey⟧ 10.0.0.1
bw unlock ⟦B1twa·rden-·Mast3·r⟧ --raw
ssh-keygen -t ed25519 -N "⟦grani·te fe·rn 19⟧" -f ~/.ssh/id_deploy
jf c add --url=https://art.example.com --user=ci --access-token=⟦cmVmdGtu·OjAxEzfb·7ZwOmXSk·GT93Sahi·l3qYhehc·GQiw0FlU·jZYHmrpI·ykDELekp⟧
impacket-psexec corp.local/admin:⟦Win·t3r·202·4!⟧@10.0.0.5
vault login ⟦s.kud897·NGppspGx·oycVQ4NE·RK⟧
oc login --token=⟦sha256~d·_BX99Y1B·Jpb8z6s0·dyO5bTe3·djZurbU6·vw_gDAbl·r0⟧ --server=https://api.ocp.example.com:6443
set DB_PASSWORD=⟦Kas·tan·ie#·7⟧
setx API_TOKEN "⟦O4Thn8nm·GbPNiGVA·6Dmmj2r0·ApWsveAo·iNgj⟧"
$env:GITHUB_TOKEN = "⟦github_p·at_E7Wzn·5OfE8YBv·tYo4Y0Si·Y_hMW9gm·HvgYTHSz·ax5LhWKU·m5rCaIOn·i0TPR7LK·PiNfSi5R·mzLPvKmJ·uld3U⟧"
$pw = ConvertTo-SecureString "⟦P@l·mtr·ee_·55⟧" -AsPlainText -Force
$cred = New-Object PSCredential('CORP\svc', (ConvertTo-SecureString '⟦Osts·ee!W·ind2⟧' -AsPlainText -Force))
net user backupadm ⟦Bku·p!2·024·x⟧ /add
psexec \\srv02 -u CORP\adm -p ⟦Adm·1n-·Haf·en⟧ cmd
the password is ⟦tang·o-si·erra·-9⟧, please test the login with it
Password is \`⟦Vx8·!ke·ttl·e⟧\`.
use pw: ⟦moo·nfi·sh1·2⟧ for the staging box
pass: ⟦clov·er_l·eaf3⟧
login with admin/⟦Su·p3·r!⟧ on the router page
creds for grafana are admin / ⟦gr·4f·4n·ix⟧
I changed the root password from hunter-two to «⟦hunt·er-t·hree·!⟧» yesterday
The DB password was changed from ⟦Old·Elm·_19·98⟧ to the one in the vault now
password has been rotated, new one: ⟦Qz-r·otat·3d-5⟧
here is my api key: ⟦sk-ant-a·pi03-EM_·gpiPwyzs·d5b0jMAy·0gpTDZgu·r62bQ4xB·jypcROVF·Zuo-dAt3·iAiDm9u_·31eIUC_d·3Gh1U2NI·d8idJWKY·fWtUNsdY·i-AA⟧ — add it to the config
You can sign in as test@example.com with password "⟦blue· Mon·key ·22⟧"
My wifi password (⟦Kaffe·eklat·sch99⟧) should go into the esp32 sketch
the token is [⟦CKVzZLrN·TbIHuU7R·4FfXah37·x7LtWx7t⟧]
Passphrase for the signing key: ⟦copper l·antern u·nder sno·w⟧
user: deploy, pw = ⟦sh·1p·It·!⟧
It asks for a password, I always type ⟦let·mei·n-4·2⟧ there
ok so the username is \`root\` and the password is \`⟦too·r#T·oor⟧\`, try again
don't tell anyone but the prod password's ⟦Neb·el!·Hor·n3⟧
credentials: mike:⟦b4n·4n4·spl·it⟧
the secret was set to "⟦d0gs·-and·-c4t·s⟧" in the old config
Please log in: user=demo password=⟦d3m·0Fr·!da·y⟧ (expires friday)
Try it again using passwd ⟦zuc·chi·ni.·88⟧
my pin is ⟦48·21·93⟧
The client secret you need is ⟦GOCSPX-4·VNkBA2-W·uQa3Poib·7mlDAirg·Boz⟧, client id is 8812-app
| host | user | password |⏎|---|---|---|⏎| db1 | app | ⟦Rha·b4r·ber·!⟧ |
| Service | Login | Password |⏎|:--|:--|:--|⏎| Jenkins | \`ci-bot\` | \`⟦jen·k1n·s-X·y⟧\` |
HOST      USER     PASSWORD⏎web01     deploy   ⟦fl4·min·go_·2⟧
name,username,password,url⏎NAS,admin,⟦syn·ol0·gyX·!⟧,https://nas.lan
> **Password:** ⟦Birk·enwa·ld#3⟧
<li>Password: <code>⟦hTm·l-c·0de⟧</code></li>
Initial admin password has been generated: ⟦y7Hn·-Qw2·p-Lk·9s⟧
Your temporary password is: ⟦Tmp·!39·xkQ⟧ You will be asked to change it at first login.
*************************************************************⏎Please use the following password to proceed to installation:⏎⏎⟦4fab07c8·3d1e3458·e3d09ca9·3df45659⟧⏎⏎This may also be found at: /var/jenkins_home/secrets/initialAdminPassword
Warning: Using a password on the command line. GENERATED ROOT PASSWORD: ⟦ONtZj84J·Kfa4DuiK·1H9ht73K⟧
A temporary password is generated for root@localhost: ⟦k!d8·Yq;s·%Wf2⟧
Das Passwort lautet ⟦Apfe·lkuc·hen!·7⟧, bitte nicht einchecken.
Kennwort: ⟦Dach·bode·n_12⟧
Mein Passwort ist „⟦Siebe·n Zwe·rge 3⟧“
Zugangsdaten: Benutzer admin, Passwort ⟦wolk·enbr·uch4⟧
Das Kennwort wurde von alt-123 auf ⟦Neu·!An·fan·g9⟧ geändert
Der API-Schlüssel ist ⟦azdk420e·wwv3f65e·r3kfl6ub·wc14l3tm·vascjdz8⟧ – trag ihn in die .env ein
La contraseña es ⟦gat·oNe·gro·55⟧
usuario: pepe⏎contraseña: ⟦tor·til·la#·9⟧
clave: ⟦MiCl·ave_·2024⟧
Le mot de passe est « ⟦from·age-·bleu·8⟧ »
mot de passe : ⟦Croi·ssan·t!12⟧
identifiant admin, mdp ⟦bag·uet·te7·5⟧
a senha é ⟦Sau·dad·e#3·3⟧
Senha: ⟦c4i·pir·inh·a⟧
La password è ⟦Spa·ghe·tti·_1⟧
parola d'ordine: ⟦apri·ti-s·esam·o7⟧
wachtwoord: ⟦stro·opwa·fel6⟧
Het wachtwoord is "⟦grac·hten· 202·0⟧"
hasło: ⟦pie·rog·i!7·7⟧
Hasło do bazy to ⟦zub·r.B·ial·y1⟧
lösenord: ⟦kan·elb·ull·e9⟧
adgangskode: ⟦smø·rre·brø·d4⟧
salasana on ⟦Saun·a_ki·uas2⟧
heslo: ⟦kne·dli·k&8⟧
jelszó: ⟦guly·ás-l·eves·5⟧
şifre: ⟦lok·um_·34T·R⟧
parola: ⟦sar·mal·e!2·1⟧
пароль: ⟦Matr·yosh·ka91⟧
Пароль от сервера — ⟦sne·gKo·t_1·7⟧
мой пароль ⟦ber·yoz·a-5·5⟧ не подходит
пароль: ⟦жёл·тый·Сло·н8⟧
密码：⟦Pan·da@·202·3⟧
数据库密码是 ⟦xio·ngm·ao_·66⟧，不要提交
用户名：root 密码：⟦tig·er-·Hu9·9⟧
口令＝⟦Lon·gji·ng#·1⟧
密碼：⟦Tai·pei·R0c·k⟧
パスワード：⟦saku·ra!M·ochi·3⟧
パスワードは「⟦neko·2dai·suki⟧」です
비밀번호: ⟦kimc·hi_J·j1ge⟧
비밀번호는 ⟦han·eul·-77·x⟧ 입니다
ＰＡＳＳＷＯＲＤ＝⟦ful·lw1·dth⟧
password＝⟦zen·Kak·u#4⟧
كلمة المرور: ⟦Jam·al_·229·0⟧
סיסמה: ⟦sha·lom·!18⟧
mật khẩu: ⟦phoB·o_ha·noi9⟧
รหัสผ่าน: ⟦som·tam·88!⟧
kata sandi: ⟦ren·dan·g-4·5⟧
κωδικός: ⟦fet·a_O·liv·e3⟧
पासवर्ड: ⟦mas·ala·Cha·i7⟧
$ aws configure⏎AWS Access Key ID [None]: AKIAIOSFODNN7QWERTY2⏎AWS Secret Access Key [None]: ⟦JsBDT8Zq·Hj1aKizy·jvGMLGGQ·ujEcztca·iFBrvJuR⟧⏎Default region name [None]: eu-central-1
[default]⏎region = eu-west-1⏎aws_secret_access_key = ⟦kNgim1fn·VUNzo1oL·6zU/PpZp·L1hVQJr0·OC3ndnWD⟧
User name,Password,Access key ID,Secret access key,Console login link⏎ci-bot,,AKIAGOKGIS8KP0PSAYDJ,⟦2ujq5T1v·AV5re8uh·hfOhE9TI·2GaSPUwW·MROQNQVy⟧,https://123456789012.signin.aws.amazon.com/console
{"AccessKey":{"UserName":"ci","Status":"Active","SecretAccessKey":"⟦WaoLrHNN·jDDCWrXJ·ma7M+FwH·CJ54HspU·WktWfYUj⟧"}}
AWS Secret Access Key [****************Q3fz]: ⟦WSWHrqYz·J3Efk5tg·X7LFA2YK·8Hb3zbjA·bB74LLGU⟧
aws configure set aws_secret_access_key ⟦uA6q8AYc·uPiy1Kmc·8hLFuIrI·doPVYIgL·f7CmMWsu⟧
aws_access_key_id = ⟦AKIAVY·8BTHI3·RUALN3·QE⟧
machine api.heroku.com⏎  login me@example.com⏎  password ⟦HRKU-c37·032f1-e2·3d-4a66-·a74a-19b·21a8b376·a⟧
machine ftp.example.org login anon password ⟦net·rc_·s3c·r⟧
db.example.com:5432:app:app_user:⟦pgp·4ss·!fi·le⟧
*:*:*:postgres:⟦ele·pha·nt_·77⟧
{⏎  "auths": {⏎    "ghcr.io": {⏎      "auth": "⟦b2N0bzpn·aHBfVXdI·bFdob0dH·ZnVKR1pX·Z0Y0am9Y·c3hPWm1G·M05WMmFC·aHU2⟧"⏎    }⏎  }⏎}
{"auths":{"https://index.docker.io/v1/":{"auth":"⟦YW5uYTpT·b25uZW5i·bHVtZTQ=⟧","email":"a@b.c"}}}
users:⏎- name: admin⏎  user:⏎    client-key-data: ⟦LS0tLS1C·RUdJTiBS·U0EgUFJJ·VkFURSBL·RVktLS0t·LQpHdm54·VWxiSjFY·KzNocHEw·b2F4MThy·eXUwWXVV·ZXhXclhm·SzU4TCsw·SGJ6eFJa·K3pCOWli·NnJ1S2RZ·SldJYU55·CmNkajdu·NUV1aCs0·Q2I0TVUz·RmxGQzdz·OUxlZUNW·QXpkdjds·aTBCRXRC·YVBKYXR3·VW9uUG45·M1VoWG1J·T2dLRDkK⟧
users:⏎- name: sa⏎  user:⏎    token: ⟦eyJhbGci·OiJIUzI1·NiIsInR5·cCI6IkpX·VCJ9.eyJ·pc3MiOiJ·rdWJlcm5·ldGVzL3N·lcnZpY2V·hY2NvdW5·0Iiwic3V·iIjoic3l·zdGVtOnN·lcnZpY2V·hY2NvdW5·0OmRlZmF·1bHQ6Y2k·ifQ.P8li·JcO5xrlp·GzIt29XJ·_Hh8kN-i·_iID1Rf8·nX8oCes⟧
tls_key_b64: ⟦LS0tLS1C·RUdJTiBQ·UklWQVRF·IEtFWS0t·LS0tClNp·S2EzTkxm·MFVZWGtU·VUVRaXl0·TXhCK3ZD·YWhPc0h2·VE5xUlN6·ZGdsdmdH·QjRGYXNj·U0I1MkxH·RlZQdmxN·U1cKQ29D·NWVObWF0·NEJOOE5K·MzhwQlpt·Q0thS1JM·VDB1MVZR·cTk0cllL·TXZRWnV5·aU5DeHo3·cE5uYkhX·MG0xZFI5·VQpYMnNO·Sm8rUE1T·ZEtuaS8v·dm9QR1ZK·UUp3S3Ni·cndiMQo=⟧
-----BEGIN OPENSSH PRIVATE KEY-----⏎⟦Ol2JqEIR·i/Nh0d2G·uZdnRgRj·OuLPa2WF·Qdur+EZV·tlFtFy0L·SgUO2elX·LN4vsy6A·⏎HIPy/0K·V6jzTD6B·qryUdXlt·ZpmB8ZBj·WZBtdlRH·1l05VZsj·xqB0dyBP·otQ5E0VU·N⏎JoXLU8·odM8SeWN·BQcK30XQ·zyUNKH3E·dj73m3jp·YX2uZyPQ·Zs3RCJNC·uUkAmV1L·kS⏎UTCCV·PcgWUjKB·7A09Z11p·aPsmMOwT·t4gqV8qf·NY99YOPj·WkQLANWG·SspwtoSp·gjb⏎qRvm·YF8KlFt2·ue5rByI/·xdF4DKMU·Pu1tLchW·VCcYc7dj·grqusrkC·FZ3hgS4Y·vrm1⟧⏎-----END OPENSSH PRIVATE KEY-----
-----BEGIN EC PRIVATE KEY-----⏎⟦N/f9sWP7·ibgwPy1v·StxnhCHt·qT1PcuFu·l0HvPjC7·oujd92bh·i6e/tDXF·5exUKgfD·⏎4Z/P9sT·S80Mjm7V·8Il0mCkl·PkoegQ4/·BMuvaCpX·4XFcz8J2·IHb/ZfEG·f9ErVcF7·5⏎/W+sKg·01UlmMrr·MT6ivBaN·PIuD7zie·QWDw==⟧⏎-----END EC PRIVATE KEY-----
-----BEGIN PGP PRIVATE KEY BLOCK-----⏎⏎⟦mWO4sdTH·Xq8bHdol·9C7I+Vyi·DLxrb+SZ·n6IRJ/Ly·JxJutBJ4·i6yB2liY·UYFt7Azd·⏎4bP9Gya·1zQLO2yk·YxDtoClX·swUDDzTR·GJHGwdT7·4X4RAOtT·r17w7j9G·v+z4+Y7j·E⏎74N1T3·HpS1BCPh·mICYlikc·UJXcplQq·JTzn5Avu·sUxn1Xm3·GKWy0eJt·HDTlTn+P·Ce⏎TAxZf·aKZSVWT3·sLUZTDm6·QULjeI1+·BBVNX8mW·OPe3dqi9·nik14AHk·+f44wDBC·iHX⏎kkiQ·5kjb90Df·T90p41hV·lQWQ45YO·ogXj01l2·V1xrpc+f·arD2jgbr·rxQPPdco·pFQH⏎rdl·6diIPNsp·RHFi7zXz·4PRJxXvc·=⟧⏎=Ab3D⏎-----END PGP PRIVATE KEY BLOCK-----
"private_key": "-----BEGIN PRIVATE KEY-----\n⟦9mnOA4fP·ZCUEUfRZ·L0YykQQP·YJGqthNf·8kcBW2wh·S64StNEE·9uCrEqno·5A+cKMfX·\nokR+rF·jVC4Unan·gTLIlY23·KRaT6Vog·Jmm+fUHz·exSxq/LQ·SQSNZyij·cQAVVMwc·Uh\nCAgh·S5GLPqPt·gzo6FYKq·N/Xr0qWK·iOsV+fXE·10QL1mCZ·cuv3fAVN·tKPuKAGC·GpIt\nq/·oFn98X⟧\n-----END PRIVATE KEY-----\n",
PuTTY-User-Key-File-3: ssh-ed25519⏎Encryption: none⏎Comment: eddsa-key⏎Public-Lines: 2⏎AAAAC3NzaC1lZDI1NTE5AAAAIHk0bq⏎abcDEF123⏎Private-Lines: 1⏎⟦jDHOZKYD·hfQh7XeI·X2LEQbmv·Zb8eskse·YLo+u2h5·hZkrIC+J⟧⏎Private-MAC: 66b3a7e7f166bc1d234ea4d37f52bca550492ef91e8368cd049bc76d8d97d34a
[Peer]⏎PublicKey = br4zNgv2X5lBUmslHGZtYKYYymue3kyzpJJEnMFVaR4=⏎PresharedKey = ⟦gEKAyl+H·z2aay2pf·jPqTXGTd·NLO1kF9F·ftDl7f1H·IGE=⟧⏎AllowedIPs = 0.0.0.0/0
network={⏎  ssid="HomeNet"⏎  psk="⟦drei K·leine ·Fische⟧"⏎}
network={⏎	ssid="lab"⏎	psk=⟦2516fc05·7814ca0f·b0e4054b·37b6f789·94df8b0f·666ef9b1·f776785e·0be2834f⟧⏎}
[wifi-security]⏎key-mgmt=wpa-psk⏎psk=⟦nm-w·ifi-·Gehe·im⟧
[pypi]⏎username = __token__⏎password = ⟦pypi-AgE·NdGVzdC5·weXBpLm9·yZwvZp5r·0Cgvhp6h·Cd9xvnKl·CltSWJd4·fMcw6UvU·q_BY9dkM·Xw-EYQ55·iSJFFEcp·DaS-G-Er·GxhQT6rD·kxIpKOtr·8FZ1CHQH·w0AjVDzr·5yRSyTxi·2wX__twV·MnHJBKU3·lGxDTzDg·Q⟧
[client]⏎user=root⏎password="⟦my.·cnf·#Pa·ss⟧"
<server>⏎  <id>nexus</id>⏎  <username>deploy</username>⏎  <password>⟦m4v·enD·epl·0y⟧</password>⏎</server>
<add key="ClearTextPassword" value="⟦nug·et-·P4c·k⟧" />
<property name="hibernate.connection.password">⟦h1·be·rn·8⟧</property>
<Resource name="jdbc/app" username="app" password="⟦t0m·c4t·_Re·s⟧" driverClassName="org.postgresql.Driver"/>
spring.datasource.password=⟦Spr·1ng·t1m·e⟧
storePassword=⟦andr·01d-·st0r·e⟧⏎keyAlias=upload
[database]⏎host = "localhost"⏎password = "⟦t0m·l!P·ass⟧"
postgres:⏎  environment:⏎    - POSTGRES_USER=app⏎    - POSTGRES_PASSWORD=⟦c0m·pos·e-D·b⟧
environment:⏎  MINIO_ROOT_PASSWORD: ⟦min1·0-Ko·rall·e⟧
ENV API_SECRET=⟦jaLUFgoR·iPyTNgkp·rt4Bq4lY·SIQJ5AM2·RzAuZtXW⟧
ARG NPM_TOKEN=⟦npm_q4O3·nZ1j0F6d·eikexLrx·qx779Irs·8D0lHcUj⟧
ENV MYSQL_ROOT_PASSWORD ⟦d0c·ker·f1l·e⟧
apiVersion: v1⏎kind: Secret⏎metadata:⏎  name: db⏎type: Opaque⏎data:⏎  password: ⟦TGF2Z·W5kZW·whOTk·=⟧
apiVersion: v1⏎kind: Secret⏎metadata:⏎  name: app⏎data:⏎  db-url: ⟦cG9zdGdy·ZXM6Ly9h·cHA6VWw3·cmFAZGIv·YXBw⟧
kind: Secret⏎stringData:⏎  smtp-pass: "⟦k8s·-St·r1n·g⟧"
variable "db_password" {⏎  default = "⟦t3r·raf·0rm·!⟧"⏎}
resource "aws_db_instance" "x" {⏎  username = "root"⏎  password = "⟦Rds·-Pl·4in⟧"⏎}
db_password = "⟦tfv·4rs·_Ze·d⟧" # terraform.tfvars
ansible_ssh_pass: ⟦4n·si·bl·3⟧
web1 ansible_host=10.0.0.9 ansible_user=ops ansible_password=⟦inv·3nt·ory·!⟧
env:⏎  SONAR_TOKEN: ⟦sqp_6571·c8b6d2d6·567923a9·335aeef9·915402e5·80e2⟧
2024-11-03T10:11:12Z ##[debug]Setting env: API_TOKEN=⟦eMNLdR6k·VwofdYO8·sdU2eLYJ·WVC3rnZ9·YF7Mp1QA⟧
+ docker login -u ci --password ⟦tr·4c·eO·n!⟧⏎Login Succeeded
requirepass ⟦redi·sC0n·f-77⟧
masterauth ⟦rep·lic·4Ke·y⟧
rocommunity ⟦sn·mp·C0·mm⟧ 10.0.0.0/24
enable secret 0 ⟦Cis·c0L·ab!⟧
username admin privilege 15 password 0 ⟦sw1·tch·Por·t⟧
rootpw --plaintext ⟦kic·kst·4rt⟧
d-i passwd/root-password password ⟦pres·33d-·Root⟧
chpasswd:⏎  list: |⏎    root:⟦cl0·udI·nit⟧
auth-user-pass inline⏎<auth-user-pass>⏎vpnuser⏎⟦0pen·Vpn-·p4ss⟧⏎</auth-user-pass>
[remote "origin"]⏎	url = https://bot:⟦ghp_fSN0·PFOkmwHD·A4GGgjip·lQgu6Opq·XMDwLtAP⟧@github.com/acme/site.git
jdbc:mysql://db:3306/shop?user=shop&password=⟦jdb·cMy·5ql⟧&useSSL=false
jdbc:oracle:thin:scott/⟦t1g·erL·1ly⟧@//ora1:1521/XE
Server=tcp:sql.example.net,1433;Database=crm;User ID=crm;Password=⟦Od·8c·!S·tr⟧;Encrypt=True;
Driver={ODBC Driver 18 for SQL Server};Server=db;UID=sa;PWD={⟦br4·ces·;In⟧};
Data Source=ora;User Id=hr;Password="⟦semi·;col·on 1⟧";
DefaultEndpointsProtocol=https;AccountName=stacme;AccountKey=⟦2O+WNRta·yZ+/mk9i·Lxqmdgex·5rKzLAfp·+2GQlctH·9ca5LGsa·cdCinkFI·N42zPzmk·jDjkq5lI·U95apu4k·LAJttA==⟧;EndpointSuffix=core.windows.net
Endpoint=sb://acme.servicebus.windows.net/;SharedAccessKeyName=Root;SharedAccessKey=⟦UFES70Gt·iJg7HgIP·mQJLhaFW·lJ9onhHC·s8Sjdu1w·MVQ=⟧
DATABASE_URL=postgres://app:⟦p/·w#·rd·7⟧@db.internal:5432/app
postgresql://postgres:⟦Sup4·base·/Pw!⟧@aws-0-eu.pooler.supabase.com:6543/postgres
mongodb+srv://root:⟦m0n·g0A·tl4·s⟧@cluster0.ab1cd.mongodb.net/test?retryWrites=true
redis://:⟦r3·d1·sU·rl⟧@cache:6379/0
rediss://default:⟦d9a48a9f·d2c0ce60·544fd89b·8bf0be48⟧@eu1-fit-cod-3312.upstash.io:33120
amqp://guest2:⟦r4b·b1t·Hol·e⟧@rabbit:5672/vhost
git clone https://oauth2:⟦glpat-Av·bZyJqep8·PBVQi2aY·Pe⟧@gitlab.com/acme/app.git
ftp://web:⟦ft·p#·h4·sh⟧@ftp.example.com/htdocs
smtp://mailer%40example.com:⟦sm7·p%2·1Pw⟧@smtp.example.com:587
https://admin:⟦p@s·s@w·0rd⟧@grafana.example.com/d/abc
export http_proxy=http://jdoe:⟦Pr·0x·y!·9⟧@proxy.corp:8080
GET /v1/forecast?lat=52.5&appid=⟦f4fe8cd3·f1b4d45e·ae554da7·493de214⟧ HTTP/1.1
https://maps.googleapis.com/maps/api/js?key=⟦AIzaOm92·h4Z4CCkk·jJa6kAfX·bdlNbhSy·6izx8Pa⟧&libraries=places
https://api.example.com/data?api_key=⟦hpuo4zbo·ubpub2pz·igujdjhy·mtfb⟧&format=json
https://example.com/reset?token=⟦_VSHYbKG·-1m--8iz·wVn_mcm4·XkIUeQed·0oMu6o6T·sks⟧
https://acme.blob.core.windows.net/c/f.zip?sv=2022-11-02&sr=b&se=2025-01-01&sp=r&sig=⟦ykr9qZzt·7n%2FAyO·p1u6e7kT·jthXoEb6·9IZnCqW2·7IuGU%3D⟧
https://bkt.s3.amazonaws.com/k?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Date=20240101T000000Z&X-Amz-Signature=⟦723a934c·ef2cf3e4·adece313·6454e519·471dee03·3d28f1e1·277098bc·826b0ff5⟧
https://hooks.slack.com/services/⟦T0PBM00R·29W/B09C·Y2PGA3D/·mV7fCwFY·8Szjax3w·GxUKVNr9⟧
https://discord.com/api/webhooks/1133557799112233445/⟦gssNbCHo·KRqr2jMk·7v-CX7fz·qDybHk4W·Bk4i60aF·Yte_D1yW·hfEt3f8G·xb3XRVv7·z6bO⟧
https://acme.webhook.office.com/workflows?x=1&access_token=⟦wlvJ5MWs·sIV1unh9·7EU37AfA·Uz4oOrCT·Fjzdvl3V·iv19Bh5Y⟧
sentry dsn https://⟦9e3ad952·ef021e98·23453d06·ba5a6202·:30dc7df·87cecaf8·e240403e·21a73043·7⟧@o447951.ingest.sentry.io/5429219
otpauth://totp/GitHub:octo?secret=⟦J3SK7HL4·WSMJ66X7·VRLCAMA6·FKKBJLBP⟧&issuer=GitHub
Authorization: Basic ⟦YWxhZGRp·bjpPcGVu·c2VzYW1l·MQ==⟧
authorization: token ⟦ghp_ff1j·jZEixNOF·hkRY1HPb·9SgJBofZ·SsF24Tcp⟧
Authorization: ApiKey ⟦WWwgi2CC·abcm4n0s·qLz+O5m4·f7cRg1CV·kRSBj+Pm⟧
Proxy-Authorization: Basic ⟦amRvZT·pwcjB4·eVBhc3·M=⟧
Cookie: theme=dark; sessionid=⟦yxkj460r·wnhd1r6j·a4fzv6kq·jwiunti5⟧; lang=de
Set-Cookie: connect.sid=⟦s%3AQGnu·TYRR0Lgy·VcEKGTFV·YXo9IIhz·qeZ8.rPO·IUWPJQ4O·O-VbADYN·cZC8GfqS·cO3dWsj5·U9SbvgRo⟧; Path=/; HttpOnly
x-auth-token: ⟦55924a29·23e5470c·67d344a5·cf876268·619c71bc⟧
Ocp-Apim-Subscription-Key: ⟦52ae367c·c002a6ea·952d3b80·4f06bcde⟧
X-Shopify-Access-Token: ⟦shpat_52·4ca56ce4·45da326d·9541d8a7·557f86⟧
headers: { 'DD-API-KEY': '⟦40204654·6738b58d·8f247deb·f1b095d5⟧' }
it printed ⟦ghs_VPLy·0KDAB60J·PqPMF2zy·o6c5R0zm·vX362aYe⟧ and then exited
remote: token ⟦gho_D8uC·ctfhdull·HRNil1km·qngRexS1·BpFPA6GD⟧ has expired
try this: ⟦github_p·at_ZfysS·8JWfrlaU·ZGpmylyu·Y_Mw7DPZ·Jr0ZJLOE·jCK0g6Ma·tOPCyOLm·V63H8HeP·8VwpCLHB·E8LmClAL·5lrBW⟧
runner registration ⟦glrt-kTm·6JgJeO1P·bfdo7Sue·b⟧
slack bot: ⟦xoxb-179·77979995·3-294883·6599134-·BhcYR2nP·4WHX8V5f·oFGjQXpN⟧
⟦xapp-1-A·0JVTW1ZM·GB-55519·21846986·-0a9f8b1·9b8a7402·5e7fe2c3·6eb4e6ee·a2fe4450·471632ec·cf2909a8·5ebbd3d5·a⟧ is the slack app-level one
stripe.api_key = "⟦sk_test_·Bc2aCEyZ·Mqa0tIzv·tCbXOCfZ·8J9yK5Lw·FWU0bOtt·tqkwVS5w·NeKMP42x·CCyZRefw·VWCAQfRL·b8JyxCHw·8wPNWzDg·Xynhs0Lx·Enf⟧"
endpoint secret ⟦whsec_4V·KbhOrgWl·58Kb9ZKJ·9mYeYQ0Q·1eGKie⟧
login(token="⟦hf_UbybM·lzisiigB·TcxQGvdD·UkdmLqyO·hVnNq⟧")
OpenAI(api_key="⟦sk-proj-·QpCUHeCv·OQG10ICS·QQjGVxRX·fbp8ljbk·JBb0Vkq-·xY17bYeD·8gLvG6Hl·5Y4TFei1·dFPnkiHQ·sAT3Blbk·FJhdrCJb·X9a5-f5H·s7VH1EMl·OLwE-eKS·znqdpELl·Zbr_gMB2·vIoFsfWV·lkxEphku·KL5QyHpJ·3Clw⟧")
my anthropic one starts like this ⟦sk-ant-a·pi03-N8F·KdfHldtU·yqlMah91·uOQLztnU·5ZiDraEc·0jmvHwHw·KcgHFyPm·xIAs87Pi·oryocFi_·-v1I_p3V·NKwaVYOm·jkw1opmh·c-AA⟧
SG = "⟦SG.sW8hj·m_x-jCjC·emk2HwHm·A.CEpfjD·lYN6itvv·EihF0hts·qzhV6NQ9·MbnUm3pj·7xQTc⟧"
Twilio: ACb7fd6e2620e0832ef54ee15bfe046f13 / ⟦875bc631·e0bf9f45·bbc4ea91·67714406⟧
client.login('⟦MTE9UAIm·ChBDTYt4·X7d0sn0y·.0UdlKF.·iKURnhaS·o396H1yY·_lNfUf20·iyAK6-LR·RnW-9Q⟧')
bot = telebot.TeleBot("⟦27477547·32:AAWLD·dHdQIlEV·bVEL-1M5·V0Ds72xd·awGw43⟧")
got jwt ⟦eyJhbGci·OiJIUzI1·NiIsInR5·cCI6IkpX·VCJ9.eyJ·zdWIiOiI·xMjM0NTY·3ODkwIiw·ibmFtZSI·6IkpvIiw·iaWF0Ijo·xNzE2MjM·5MDIyfQ.·PiYjpowd·J2zT1yxN·bNGAPC9c·nXB-qiHq·9kqQqAPf·_rM⟧
glc: ⟦glc_JQRs·N4zau74V·7DoEg2g0·LTGHWEgt·WqrwOS/R·nSfUKUZL·1nyQvkyV·qNQAP8Na·4x9/WEbZ·CaRpVDkw·hgcocaMU·ifNZ1n6J·YHU5vTd+·mZbXdP//·RA2rY9Z5·2/jr⟧
dop: ⟦dop_v1_d·d3dc8dde·b7df01d2·359ed477·d4d9ffb7·e00db685·824cdc0b·5bf8baf2·ec858d0⟧
Output: ⟦ya29.1yW·O0C-1bDb·WTiO-0J0·5vtOlfoc·uUrrU_yy·cMDyApi2·CzAx5EfO·M8V9F6gg·psEeA5yL·MFhO0oTQ·PYXMm5CR·UsnsP44g·AF2p7L7s·0hB4_JfO·eKRfdY4i·AvFX2jED·mD7LZnCK·lqi4lGfN·FzgfSFXm·NNmTo2xS·hs17_⟧
refresh_token=⟦1//07vce·J6yEYa-u·Zq0Jxfv8·Z3BxwVJu·LOkWdwMd·llrMLoQa·XPndRacg·YTlBiSuF·qW4Ce_9j·YEDGZrYS·jJylLzP0·9GAVTS0-·T3GL⟧
key = "⟦AIzapxko·kFow-cM_·k7XKNW0J·49s6TUIb·WNI-TWg⟧"  // google
terraform login stored ⟦nnpvZKne·IKYun2.a·tlasv1.G·IlvUxfWP·CP4jffHg·WnqbnkVQ·Ad7clN1g·EuqKlJpB·xqNuCJ0q·f4bNrEa7·eA7R5NQe·tT⟧
⟦NRAK-MTI·TODPIYS5·QWYFGMJ6·PPH8J1HI⟧ (new relic)
notion: ⟦ntn_ld4u·bneMb6T8·1adZmRUp·NXAoiJVu·9rrk2EhV·jcswoROm·Kj⟧
export GROQ=⟦gsk_4yvj·S785JMP8·LSOn3dEN·noIvbH57·S5Zg4NOM·qbErb0LN·yiAWVrAV⟧
age secret ⟦AGE-SECR·ET-KEY-1·JXCFTP3Q·868R8YEU·G8J976Q6·UNC9QRDJ·MHZUNRAQ·AQGP47EU·69LVDQ4J·WH⟧
PMAK: ⟦PMAK-74b·609fa6b9·44e8da91·67924-be·d55ef17e·2a59b3aa·195fccba·55ec4576⟧
SLACK=⟦xoxp-293·86486847·-7795817·2448-398·79267637·6-6aac86·7ec1c251·32a30f0d·e1e4563f·45⟧
docker PAT ⟦dckr_pat·_hpr_kkz·tmJLQ6Sr·eITOR5xN·K6wQ⟧
mailgun ⟦key-ba5e·7418264e·58a97e87·d5f6ad59·163f⟧
square: ⟦EAAAsoKo·wThxVM25·oFEG56WL·36yyK-Ya·50eorsNC·wacCcpbi·gyCi7gIT·5-9eCtMM⟧
figma ⟦figd_pi-·Z2NVNqVh·BOFn5jk3·CjrB2-sZ·JivEPOng·PeDU5⟧
CREATE USER 'app'@'%' IDENTIFIED BY '⟦sql·My!·Use·r⟧';
ALTER USER postgres PASSWORD '⟦p0s·tgr·3sA·lt⟧';
ALTER USER postgres WITH ENCRYPTED PASSWORD '⟦enc·R0l·e_2⟧';
CREATE LOGIN web WITH PASSWORD = N'⟦Mss·ql#·Log·1n⟧';
GRANT ALL ON shop.* TO 'shop'@'localhost' IDENTIFIED BY "⟦gr·4n·tA·ll⟧";
SET PASSWORD FOR 'root'@'localhost' = PASSWORD('⟦r00·tSe·tPw⟧');
INSERT INTO users (name, password) VALUES ('ann', '⟦ins·3rt·Pl4·in⟧');
UPDATE accounts SET passwd='⟦upd·4te·Set⟧' WHERE id=3;
db.createUser({user:"app", pwd:"⟦mon·goP·wd!·1⟧", roles:["readWrite"]})
ACL SETUSER alice on >⟦ac·lR·3d·is⟧ ~* +@all
define('DB_PASSWORD', '⟦wpC·0nf·ig!⟧');
define( 'AUTH_KEY',         '⟦k}8^Z;1#·xQ|mT~u5· @eR+V:n·B[w0.Gy&·D/hL-sJ?·c*oP!fX⟧' );
$cfg['Servers'][$i]['password'] = '⟦ph·pM·yA·dm⟧';
$db = new PDO('mysql:host=localhost;dbname=x', 'root', '⟦pd0·Geh·eim⟧');
mysqli_connect('localhost', 'shop', '⟦mys·qli·Kn0·rr⟧', 'shopdb');
conn = psycopg2.connect(host="db", user="app", password="⟦ps·yc·0p·g⟧")
app.config['SECRET_KEY'] = '⟦fl4s·k-de·v-ke·y⟧'
SECRET_KEY = 'django-insecure-⟦a7$k!05s·2p8lljvr·ur7nxd06·d4deg3gx·1bn(q_z⟧'
session.auth = ("svc-bot", "⟦req·sTu·ple·7⟧")
requests.get(url, auth=('bob', '⟦bob·sBu·rg3·r⟧'))
const API_KEY = '⟦Iq67K9QX·UYZV3L7E·nBrD5WsR·yccrtDxd⟧';
const jwtSecret = process.env.JWT_SECRET || "⟦fallb·4ck-s·3cret⟧";
jwt.sign({ id: user.id }, '⟦jwt·S1g·nMe⟧', { expiresIn: '1h' })
const dbPassword string = "⟦g0·Co·ns·t⟧"
cfg.Password = "⟦goF·iel·dPw·8⟧"
private static final String ADMIN_PW = "⟦j4v·aFi·nal⟧";
DriverManager.getConnection(url, "scott", "⟦ti·gr·1s·-E⟧");
new NetworkCredential("user", "⟦csh·4rp·Net⟧")
let secret: &str = "⟦rus·tyN·4il⟧";
#define WIFI_PASS "⟦ard·u1n·oW1·fi⟧"
WiFi.begin("HomeNet", "⟦esp·32-·Hec·ke⟧");
await page.fill('#password', '⟦pl4·ywr·igh·t!⟧');
cy.get("input[name=password]").type("⟦cyp·r3s·sHi·ll⟧")
await page.getByLabel("Password").fill("⟦byL·ab3·l-P·w⟧")
"accessToken": "⟦suTInNMh·b-3sDiBM·HgbDqgYw·jPTAS_fB·LwLh5PGi·fk1Lq8g5·W8bzEA⟧"
{'client_secret': '⟦VNu8Q~Gp·bWfmuZPf·lzckfrFJ·bs2Ea7YC·87rbn9Hw⟧', 'scope': 'openid'}
{"type":"login","data":{"user":"kim","pass":"⟦js·0n·Pa·ss⟧"}}
"{\"password\":\"⟦esc·ap3·dJs·on⟧\"}"
const passwords = ["⟦ar·r4·yO·ne⟧"]
-const PASSWORD = "⟦d1f·fRe·mov·ed⟧";⏎+const PASSWORD = process.env.PASSWORD;
apiKey: "⟦AIzagfja·N-RVy7_k·gqlWaoWS·o5pFqH5z·7frmq-d⟧", authDomain: "acme.firebaseapp.com"
Password: '⟦it#·has·#ha·sh⟧' # TODO rotate
s3 = boto3.client("s3", aws_access_key_id=AK, aws_secret_access_key="⟦cOOaZik6·evKrVutr·hUzObve9·xOMsUyqS·RE7Z3f2T⟧")
nodemailer.createTransport({ auth: { user: "x@gmail.com", pass: "⟦abcd e·fgh ij·kl mno·p⟧" } })
password: |⏎  ⟦bloc·k-Sc·alar·7⟧
password: >-⏎  ⟦f0ld·ed-S·c4la·r⟧⏎user: app
LUKS passphrase: ⟦Velvet ·Anchor ·88 Moss⟧
Enter passphrase for key '/home/me/.ssh/id_rsa': ⟦ope·nS3·sam·e!⟧
[sudo] password for anna: ⟦ann·asu·do#·1⟧
Password for user postgres: ⟦psq·lPr·0mp·t⟧⏎psql (16.2)
Username: bob⏎Password: ⟦typ·3dE·cho⟧⏎Login incorrect
Your backup codes: ⟦4821 993·7  1120 ·5563  88·41 7702⟧
2FA setup key: ⟦JBSW Y·3DP EH·PK 3PX·P⟧
TOTP_SECRET=⟦KP6FU·KYP4A·O7HLN·3⟧
Your verification code is ⟦73·92·04⟧
seed phrase: ⟦lunar vi·able orb·it candy· mango s·table ri·dge empt·y cactus· noble f·ury pilo·t⟧
$ pass show email/work⏎⟦wRk-·m4il·-P4s·s⟧⏎login: anna
$ op read op://Private/db/password⏎⟦1Pas·sw-0·rd-x⟧
$ kubectl get secret db -o jsonpath="{.data.password}" | base64 -d⏎⟦dec·0de·dK8·s⟧
$ gcloud auth print-access-token⏎⟦ya29.c.c·wdlW6tWz·FwhJDpyU·JVFbkgf1·nr64MIJ3·07qEfDnH·cYjnHgwY·n_r9oCCU·Jp7lEcHR·sCZGEUCE·gFaJGAit·2DfQmb1b·oaUrTXUK·cQmC7pgJ·OFE6b3ta·Mvv7At8I·4-aCmNx2·uVtmpguN·x6sIWFKg·Ns⟧
$ gh auth token⏎⟦gho_4UX8·3gdTzjHw·krjZZqT3·VViiX3MZ·cZGmS0Bc⟧
$ openssl rand -hex 32   # will be our session secret⏎⟦1b4c59fc·b4d5261d·c231c563·3123078e·4187524a·2475fe7c·b3eb12ab·ab5198e5⟧
Failed to connect: FATAL: password authentication failed (dsn="host=db user=app password=⟦ds·nL·34·k⟧ dbname=app")
root:⟦$6$Xnepp·JC92cifw·XIY$qKul·Q3eqP4MF·qZ1vF9ma·BlduXhNl·IR6GyqDL·Swzl1O9P·4q9xa3Lw·JQJb5R4O·LE2FzkO1·fZK59wAx·fpCxVm9c·4z⟧:19600:0:99999:7:::
admin:⟦$apr1$Cl·2HoFBT$e·4fgAkWAF·Doh8ti1J·v0XOi⟧
{"level":"info","msg":"login","req":{"body":{"email":"a@b.c","password":"⟦l0·gg·ed·Pw⟧"}}}
DEBUG: params={"username"=>"bob", "password"=>"⟦r4i·lsP·ara·ms⟧"}
Windows license key: ⟦UJ8YU-2L·818-4EOL·9-XPL7L-·D5B0K⟧
ssh anna@10.0.0.3  (pw ⟦haf·en_·kr4·n⟧)
anna: whats the wifi pw?⏎ben: ⟦Gues·tHou·se#5⟧
Q: db password? A: ⟦qa-·Ans·w3r⟧
username=admin&passwd=⟦f0r·mEn·cod⟧&submit=Login
password = ⟦ini·C0m·men·t⟧   ; old one
passwd='⟦single ·Quoted ·words 5⟧'
--token ⟦P0PpuNkV·ywkcMvHI·Hi1PW6PT·daevbSZ3·ELtz4Szh⟧
--api-key=⟦4gzFhKMB·apYnbmkm·UFop5Vb3·3r2w1x5w⟧
net::ERR at https://api.telegram.org/bot⟦29521149·78:AA7pq·IqhU7xc1·OJYDoYBI·N4Ar18IP·QZH3v1⟧/getUpdates
`;
