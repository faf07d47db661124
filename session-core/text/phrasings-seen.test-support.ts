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
`;
