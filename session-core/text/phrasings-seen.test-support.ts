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
`;
