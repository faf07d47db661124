import type { Rule } from "./rules.ts";

/**
 * The token formats come from the rules of gitleaks, the detectors of trufflehog and the services'
 * documentation. Minimum lengths are shorter than in these sources, because truncated text may still
 * contain most of a token.
 */

/**
 * Each line contains the prefixes of a token format, a pattern for the rest of a token, the names of the
 * services that issue the tokens, an example, and a similar string that is not a token. A `·` splits the
 * example, so that secret scanners do not report this file as a leak.
 */
const FORMATS = String.raw`
sk-ant- sk-or- sk-proj- sk-svcacct- sk-admin- sk-None- sk-service- sk-lf- pk-lf- [\w-]{16,} # Anthropic, OpenRouter, OpenAI, Langfuse # sk·-ant-api03-k3J9xQ2mZ7pL5wR8vT1nB6yH4cD0gF3sA9eU2iO7-k3J9xQ2mZ7pL5wR8vT1nB6yH4cD0gF3sA9eU2iO7AA # sk-ant-api03
sk- (?=[A-Za-z\d]{0,40}\d)[A-Za-z\d]{20,} # OpenAI, DeepSeek # sk·-k3J9xQ2mZ7pL5wR8vT1nB6yH4cD0gF3sA9eU2iO7 # sk-loading-spinner-container
ya29. GOCSPX- 1//0 sbp_ sb_secret_ tvly- vercel_blob_rw_ [\w-]{16,} # Google, Supabase, Tavily, Vercel # ya·29.a0Afk3J9xQ2mZ7pL5wR8vT1nB6yH4cD0gF3sA9eU2iO7 # ya29.example
dckr_pat_ dckr_oat_ hvs. hvb. hvr. github_pat_ NRAK- NRII- NRIQ- NRBR- NRJS- [\w-]{16,} # Docker Hub, Vault, GitHub, New Relic # gi·thub_pat_11ABCDE_k3J9xQ2mZ7pL5wR8vT1nB6yH4cD0gF3sA9eU2iO7k3J9xQ2mZ7pL5wR8vT1nB6yH4cD0gF3sA9eU2iO7 # dckr_pat_example
ghp_ gho_ ghu_ ghs_ ghr_ (?![a-z]+_)[\w-]{16,}(?:\.[\w-]{8,}){0,2} # GitHub # gh·p_k3J9xQ2mZ7pL5wR8vT1nB6yH4cD0gF3sA9eU2iO7 # ghp_example
glpat- gloas- gldt- glrt- glrtr- glcbt- glptt- glft- glimt- glagent- glsoat- glffct- GR1348941 [\w.=-]{16,} # GitLab # gl·pat-k3J9xQ2mZ7pL5wR8vT1n # glpat-example
AIza r8_ nvapi- PMAK- HRKU- tk-us- cfk_ cfut_ cfat_ [\w-]{30,} # Google, Replicate, NVIDIA, Postman, Heroku, Scalingo, Cloudflare # AI·zaSyDk3J9xQ2mZ7pL5wR8vT1nB6yH4cD0gF3s # AIzaexample
xai- gsk_ vcp_ nfp_ jina_ rdme_ secret-live- secret-test- pplx- fw_ hf_ api_org_ csk- npm_ phx_ phs_ [A-Za-z\d]{20,} # xAI, Groq, Vercel, Netlify, Jina, ReadMe, Stytch, Perplexity, Fireworks, Hugging Face, Cerebras, npm, PostHog # gs·k_k3J9xQ2mZ7pL5wR8vT1nB6yH4cD0gF3sA9eU2iO7 # xai-grok-code-fast-model
lin_api_ lin_oauth_ apify_api_ mmk_ bkua_ pul- pnu_ aio_ p8e- [A-Za-z\d]{20,} # Linear, Apify, MaxMind, Buildkite, Pulumi, crates.io, Adafruit, Adobe # li·n_api_k3J9xQ2mZ7pL5wR8vT1nB6yH4cD0gF3sA9eU2iO7 # lin_api_example
ntn_ secret_ [A-Za-z\d]{40,} # Notion # nt·n_k3J9xQ2mZ7pL5wR8vT1nB6yH4cD0gF3sA9eU2iO7x1y2z3 # ntn_example
napi_ rpa_ AKID (?=[A-Za-z\d]{0,40}\d)[A-Za-z\d]{28,} # Neon, RunPod, Tencent # na·pi_9fkd2lmqpt7vrzxw41bncyhs7gjy0wcef1auri3otzeq8rt2vxz5kdlm4n # napi_create_function_with_2_args
key- (?=[a-z]{0,31}\d)[a-z\d]{32} # Mailgun # ke·y-3ax6xnjp29jd6fds4gc373sgvjxteol0 # key-example
npg_ (?=[A-Za-z]{0,11}\d)[A-Za-z\d]{12,} # Neon # np·g_abcDEF123ghi # npg_example
sl. [\w-]{36,} # Dropbox # sl·.BabcdEF123ghiJKL456mnoPQR789stuVWX012yzABcdEF # sl.example
SSWS \x20[\w-]{36,} # Okta # SS·WS 00abcDEF123ghiJKL456mnoPQR789stuVWX012yzAB # SSWS example
s. (?=[A-Za-z]{0,23}\d)(?=[a-z\d]{0,23}[A-Z])[A-Za-z\d]{24}(?![\w.(]) # Vault # s.·abcDEF123ghiJKL456mnoPQR # s.example
AQ. bb_live_ bb_test_ hskey-auth- hskey-api- (?=[\w-]{0,40}\d)[\w-]{20,} # Google, Browserbase, Headscale # AQ·.Ab8RN6JRbDf0MTqiMdH6Q1jLWogSif-4HT6ANLDSWzchzZqB_g # AQ.example
wandb_v1_ [\w-]{40,} # Weights & Biases # wan·db_v1_E7z65cs8PnYoE4OoqnlUlABzZbZ_fJS2hyxPvtioe666B37gxopqxFPQFkSiyk7n4mxLtf # wandb_v1_example
syt_ [\w=+/-]{2,200}_[A-Za-z\d]{16,24}_[A-Za-z\d]{4,8} # Matrix # sy·t_YW5uYQ_hzQbkdJrWbVxLmPqTzYa_2kWq3T # syt_config
pcsk_ re_ [A-Za-z\d]{5,10}_[A-Za-z\d]{20,} # Pinecone, Resend # pc·sk_7kg56H_DBXYEl2XCWBkEABD0jxzu7Ik # pcsk_example
lsv2_pt_ lsv2_sk_ [\da-fA-F]{20,} # LangSmith # ls·v2_pt_9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08 # lsv2_pt_example
dop_v1_ doo_v1_ dor_v1_ dapi shpat_ shpca_ shppa_ shpss_ prtapi_ crsr_ e2b_ dtn_ key- SK [\da-fA-F]{30,} # DigitalOcean, Databricks, Shopify, Cursor, E2B, Daytona, Twilio # cr·sr_9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08 # dop_v1_example
rubygems_ squ_ sqp_ sqa_ shippo_live_ shippo_test_ xkeysib- xsmtpsib- [\da-fA-F]{40,}-?[A-Za-z\d]* # RubyGems, SonarQube, Shippo, Brevo # ru·bygems_baC8a3068CB3f7aaaBBa53AdbdfaDcbAA7Bc2bd4- # rubygems_version_of_the_host
ATBB ATCTT3 ATATT3 sntrys_ sntryu_ perm: fo1_ fm1_ fm2_ fm1a_ fm1r_ glsa_ glc_ ops_eyJ [\w.+/=-]{20,} # Atlassian, Sentry, JetBrains, Fly, Grafana, 1Password # AT·BBva6CDBXYEl30bX90cQxEZdzu # ATBBexample
base64: [A-Za-z\d+/]{43}= # Laravel # ba·se64:lwX95GbNWX3XsucdMe0XwtOKECta3h/B+p9NbH2jd0E= # base64:example
pypi- CFPAT- sha256~ [\w-]{40,} # PyPI, Contentful, OpenShift # py·pi-AgEIcHlwaS5vcmck3J9xQ2mZ7pL5wR8vT1nB6yH4cD0gF3sA9eU2iO7k3J9xQ2mZ7pL5wR8vT1nB6yH4cD0gF3sA9eU2iO7 # pypi-example
CLOJARS_ AKCp cmVmd EZAK EZTK [A-Za-z\d]{50,} # Clojars, JFrog, EasyPost # CL·OJARS_va56CDBXYEl2XCWBkEABD0jxzu7IkV7VH2B4Kc0Y2B4D9A1EVz # CLOJARS_example
cio (?=[A-Za-z\d]{0,30}\d)[A-Za-z\d]{32}(?![A-Za-z\d]) # crates.io # ci·ova56CDBXYEl2XCWBkEABD0jxzu7IkV7V # ciopfs
fc- (?=[\da-fA-F]{0,40}\d)[\da-fA-F]{32} # Firecrawl # fc·-baC8a3068CB3f7aaaBBa53AdbdfaDcbA # fc-list
sk_ (?=[\da-fA-F]{0,40}\d)[\da-fA-F]{40,} # ElevenLabs # sk·_baC8a3068CB3f7aaaBBa53AdbdfaDcbAA7Bc2bd4 # sk_example
K10 [\da-f]{20,}::\w{1,40}:[\w.]{8,} # K3s # K1·09f86d081884c7d659a2feaa0c55ad015::server:9f86d081884c7d65 # K10::server
v1.0- [\da-fA-F]{24}-[\da-fA-F]{40,} # Cloudflare # v1·.0-baC8a3068CB3f7aaaBBa53Ad-E3faDcbAA7Bc2bd4C9C4aDBDc1C66cF7d06FC9EE # v1.0-example
sgp_ (?:[A-Za-z\d]{5,16}_)?[\da-fA-F]{40} # Sourcegraph # sg·p_tWOEIcKNUS_aAbA7Bc7BBa53AdbdfaDcbAA7Bc2bd4C9C4aDBDc # sgp_example
CCIPAT_ [A-Za-z\d]{22}_[\da-fA-F]{40} # CircleCI # CC·IPAT_va56CDBXYEl2XCWBkEABD0_E3faDcbAA7Bc2bd4C9C4aDBDc1C66cF7d06FC9EE # CCIPAT_example
BBDC- (?=[\w+/-]{0,40}\d)[\w+/-]{32,} # Bitbucket # BB·DC-NDk0MzY2OTc4MTQ3OtRkAbJ9xQ2mZ7pL5wR8 # BBDC-example
rnd_ (?=[A-Za-z]{0,27}\d)[A-Za-z\d]{28,} # Render # rn·d_k3J9xQ2mZ7pL5wR8vT1nB6yH4cD0gF # rnd_example
1/ \d{16}:[\da-f]{32} # Asana # 1/·1200123456789012:9f86d081884c7d659a2feaa0c55ad015 # 1/2
oy2 [a-z\d]{43} # NuGet # oy·217a6cdbx4ex3z4bc99ccq76v783z7d1xv7v74c0a6v4 # oy2example
dt0c01. dt0s01. dt0s16. [A-Za-z\d]{24}\.[A-Za-z\d]{40,} # Dynatrace # dt·0c01.va56CDBXYEl2XCWBkEABD0jx.hu7IkV7VH2B4Kc0Y2B4D9A1EVz25v049B15e2523 # dt0c01.example
pat. sat. [\w-]{22}\.[A-Za-z\d]{24}\.[A-Za-z\d]{20} # Harness # pa·t.va6CDBXYEl30bX90cQxEZd.hu7IkV7VH2B4Kc0Y2B4D9A1E.6bC2k49B15e25230z8LB # pat.example
EAAA sq0atp- sq0csp- [\w-]{22,} # Square # EA·AAva6CDBXYEl30bX90cQxEZdzu # EAAAexample
EAAC EAAM EAAB EAAG EAAD IGQV IGAA [\w-]{60,} # Facebook, Instagram # EA·ACva6CDBXYEl30bX90cQxEZdzu7ea01QccbvY0gAVA3uVz9v87676UF918LB3W # EAACexample
AQE [a-z][A-Za-z\d+/]{60,}={0,2} # Adyen # AQ·Ey/t/Vc0/++B+++1/++9x++73/++6+l+/k84/6C+eZDz/271+//2/BV/7/47cb # AQEexample
00D [A-Za-z\d]{12}![\w.]{60,} # Salesforce # 00·Dva56CDBXYEl2!qbc10cQxEZdzu7ea01QccbvY0gAVA3uVz9v87676UF918LB3WZ1is1XwZGry # 00Dexample
A3- [A-Z\d]{6}-[A-Z\d-]{20,36} # 1Password # A3·-17A6CD-88A-765--Z-CWB9-EABD- # A3-example
ZXlK [A-Za-z\d+/]{40,}={0,2} # JSON Web Token in base64 # ZX·lK/t/Vc0/++B+++1/++9x++73/++6+l+/k84/6C+eZ= # ZXlKexample
AKIA ASIA ABIA ACCA A3T [A-Z\d]{16,17}(?![A-Za-z\d]) # AWS # AK·IAQ3ZR7TYK5WPLX2MN # AKIAEXAMPLE
IQoJb3JpZ2lu FwoGZXIvYXdz [A-Za-z\d+/]{10,}={0,2} # AWS # IQoJ·b3JpZ2luX2VjEHAaCXVzLWVhc3QtMSJHMEUC # IQoJb3JpZ2luX
ABSK bedrock-api-key- [A-Za-z\d+/]{28,}={0,2} # AWS # AB·SK/t/Vc0/++B+++1/++9x++73/++6+ # ABSKexample
LTAI [A-Za-z\d]{17,21}(?![A-Za-z\d]) # Alibaba # LT·AI7kg56HoUM1gyF8dex3NxU # LTAIexample
dp.pt. dp.st. dp.sa. dp.ct. dp.scim. dp.audit. (?:[a-z\d_-]{1,40}\.)?[A-Za-z\d]{30,} # Doppler # dp·.pt.-4__pm.eM1dA8El2XCWBkEABD0jxzu7IkV7VH # dp.pt.example
pscale_tkn_ pscale_pw_ pscale_oauth_ AQVN y0_ t1.9eu tfp_ fio-u- duffel_test_ duffel_live_ [\w.=-]{30,} # PlanetScale, Yandex, Typeform, Frame.io, Duffel # ps·cale_tkn_va6CDBXYEl30bX90cQxEZdzu7ea01Q # pscale_tkn_example
figd_ figo_ figr_ figp_ figu_ [\w.=-]{30,} # Figma # fi·gd_va6CDBXYEl30bX90cQxEZdzu7ea01Q # figd_example
tskey- [a-z]{2,10}-[\w-]{12,} # Tailscale # ts·key-vkg-DeM6XYEl30bX90cQxEZdzu7e # tskey-auth
sk_live_ sk_test_ sk_prod_ rk_live_ rk_test_ rk_prod_ whsec_ rzp_live_ rzp_test_ FLWSECK_TEST- FLWSECK- [A-Za-z\d+/=-]{10,} # Stripe, Razorpay, Flutterwave # sk·_live_k3J9xQ2mZ7pL5wR8vT1nB6yH4cD0gF3sA9eU2iO7 # sk_live_example
SG. [\w-]{16,64}\.[\w-]{16,} # SendGrid # SG·.k3J9xQ2mZ7pL5wR8vT1nB6.k3J9xQ2mZ7pL5wR8vT1nB6yH4cD0gF3sA9eU2iO7 # SG.example
xoxa xoxb xoxc xoxd xoxe xoxo xoxp xoxr xoxs xapp (?:\.xox[bp])?-(?=[\w-]{0,40}\d)[\w-]{10,} # Slack # xo·xb-781236542736-2364535789652-k3J9xQ2mZ7pL5wR8vT1nB6yH # xoxaexample
pat [A-Za-z\d]{14}\.[\da-fA-F]{64} # Airtable # pa·t7a56CDBXYEl2XC.aBBa53AdbdfaDcbAA7Bc2bd4C9C4aDBDc1C66cF7d06FC9EEBA3e6B9BCceB4AB8 # patterns
pat-na1- pat-eu1- pat-na2- pat-ap1- [A-Za-z\d-]{36} # HubSpot # pa·t-na1--tA-C0A188187a-cd66----kEa3--64Z-3-2 # pat-na1-example
AGE-SECRET-KEY-1 AGE-SECRET-KEY-PQ-1 [A-Z\d]{40,} # age # AGE·-SECRET-KEY-PQ-1MMQ95QMTPWQ2VMJP26W4JJGTF2PPTYQ08CLAGXNWQS75U4FVXTJNQX7H4Q # AGE-SECRET-KEY-1example
$1$ $5$ $6$ $y$ $gy$ $7$ $2a$ $2b$ $2y$ $apr1$ $argon2id$ $argon2i$ $scrypt$ [\w./$=,+-]{20,} # crypt(3) # $1·$va6CDBXYEl30bX90cQxEZdzu # $1$2
`;

/**
 * A line break may be written as an escape sequence, and `cat -n` prints a number at the beginning of
 * each line.
 */
const LINE_BREAK = "(?:\\r?\\n|\\\\r?\\\\n|\\\\n)[ \\t|>]{0,12}(?:\\d{1,6}[ \\t|:]{1,4})?";
const BASE64 = "[A-Za-z0-9+/]";

export const OTHERS: readonly Rule[] = [
	// In base64, an encoded `-----BEGIN` or `openssh-key-v1` marks a private key, unless the key is public.
	new RegExp(
		`(?:LS0tLS1CRUdJTi|b3BlbnNzaC1rZXktdj)(?!BDRVJU|BQVUJM)${BASE64}{16,}(?:${LINE_BREAK}${BASE64}{32,})*(?:${LINE_BREAK}${BASE64}{2,}={0,2}(?=[\\s"'\\\\]|$))?={0,2}`,
	),
	// Azure AD
	/[0123456789]Q~(?<=(?<![\w~.])(?<lead>[\w~.]{2,39})\dQ~)[\w~.-]{25,}/,
	// Azure
	/JQQJ99(?<=(?<![A-Za-z\d])(?<lead>[A-Za-z\d]{16,60})JQQJ99)[A-Za-z\d]{16,}/,
	// HCP Terraform
	/\.atlasv1\.(?<=(?<![A-Za-z\d])(?<lead>[A-Za-z\d]{14})\.atlasv1\.)[\w=-]{40,}/,
	// Telegram
	/:AA(?<=(?<![A-Za-z\d])(?<lead>(?:bot)?\d{6,12}):AA)[\w-]{31,}/,
	// Discord
	/(?:MT|MD|Mj|Mz|NT|ND|Nj|Nz|OT|OD|Mk|Nk|Ok)[\w-]{22,26}\.[\w-]{6}\.[\w-]{27,}/,
	// In a JSON Web Token (RFC 7519), each run of token characters is checked only once, for speed.
	/eyJ(?<=(?<![\w-](?<!\\[nrt]))eyJ)[\w-]{8,}\.(?:[\w-]{8,}(?:\.[\w-]*)*)?/,
	// Mailchimp
	/-us(?<=(?<![A-Za-z\d])(?<lead>[\dA-Fa-f]{32})-us)\d{1,2}[\w-]*/,
	// Twilio
	/AC[0-9a-f]{32}["'`]?\s{0,3}(?:[/:,|]|and)?\s{0,3}["'`]?([0-9a-f]{32})(?![0-9a-f])/,
	/\/IncomingWebhook\/([A-Fa-f0-9]{20,}(?:\/[A-Fa-f0-9-]{36})?)/,
	/hooks\.slack\.com\/(?:services|workflows|triggers)\/([A-Za-z0-9+/]{20,})/,
	/\/api\/webhooks\/\d{1,20}\/([\w-]{20,})/,
	// AWS request signatures
	/Signature=([A-Fa-f0-9]{32,})/,
];

/**
 * The characters directly after a token are redacted too, because they could look like the beginning of
 * another token.
 */
export const TOKEN_FORMATS = FORMATS.trim()
	.split("\n")
	.map((line) => {
		const [format = "", , token = "", ordinary = ""] = line.split(" # ");
		const [, beginnings = "", rest = ""] = /^(.+) (\S+)$/.exec(format) ?? [];
		const literals = beginnings.replace(/[.+$|]/g, "\\$&").replaceAll(" ", "|");
		return { form: new RegExp(`(?:${literals})${rest}[\\w-]*`), token: token.replace("·", ""), ordinary };
	});

export const TOKEN_RULES: readonly Rule[] = [...TOKEN_FORMATS.map(({ form }) => form), ...OTHERS];
