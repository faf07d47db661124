import type { Rule } from "./scan.ts";

/**
 * Tokens with a known format. The formats come from the rules of gitleaks, the detectors of trufflehog and the services' own documentation.
 * Minimum lengths are shorter than in these sources, because a truncated text may still contain most of a token.
 */

/** Each line contains the beginnings of tokens, a pattern for the rest, and the services whose tokens have this format. */
const FORMATS = String.raw`
sk-ant- sk-or- sk-proj- sk-svcacct- sk-admin- sk-None- sk-service- sk-lf- pk-lf- [\w-]{16,} # Anthropic, OpenRouter, OpenAI, Langfuse
sk- (?=[A-Za-z\d]{0,40}\d)[A-Za-z\d]{20,} # OpenAI, DeepSeek
ya29. GOCSPX- 1//0 sbp_ sb_secret_ tvly- vercel_blob_rw_ [\w-]{16,} # Google, Supabase, Tavily, Vercel
dckr_pat_ dckr_oat_ hvs. hvb. hvr. github_pat_ NRAK- NRII- NRIQ- NRBR- NRJS- [\w-]{16,} # Docker Hub, Vault, GitHub, New Relic
ghp_ gho_ ghu_ ghs_ ghr_ [\w-]{16,}(?:\.[\w-]{8,}){0,2} # GitHub
glpat- gloas- gldt- glrt- glrtr- glcbt- glptt- glft- glimt- glagent- glsoat- glffct- GR1348941 [\w.=-]{16,} # GitLab
AIza r8_ nvapi- PMAK- HRKU- tk-us- cfk_ cfut_ cfat_ [\w-]{30,} # Google, Replicate, NVIDIA, Postman, Heroku, Scalingo, Cloudflare
xai- gsk_ pplx- fw_ hf_ api_org_ csk- npm_ phx_ phs_ [A-Za-z\d]{20,} # xAI, Groq, Perplexity, Fireworks, Hugging Face, Cerebras, npm, PostHog
lin_api_ lin_oauth_ apify_api_ mmk_ bkua_ pul- pnu_ aio_ p8e- [A-Za-z\d]{20,} # Linear, Apify, MaxMind, Buildkite, Pulumi, crates.io, Adafruit, Adobe
ntn_ secret_ [A-Za-z\d]{40,} # Notion
napi_ rpa_ AKID (?=[A-Za-z\d]{0,40}\d)[A-Za-z\d]{28,} # Neon, RunPod, Tencent
AQ. bb_live_ bb_test_ hskey-auth- hskey-api- (?=[\w-]{0,40}\d)[\w-]{20,} # Google, Browserbase, Headscale
wandb_v1_ [\w-]{40,} # Weights & Biases
syt_ [\w=+/-]{2,200}_[A-Za-z\d]{16,24}_[A-Za-z\d]{4,8} # Matrix
CLOJARS_ AKCp cmVmd EZAK EZTK [A-Za-z\d]{50,} # Clojars, JFrog, EasyPost
cio (?=[A-Za-z\d]{0,30}\d)[A-Za-z\d]{32}(?![A-Za-z\d]) # crates.io
pcsk_ re_ [A-Za-z\d]{5,10}_[A-Za-z\d]{20,} # Pinecone, Resend
lsv2_pt_ lsv2_sk_ [\da-fA-F]{20,} # LangSmith
fc- (?=[\da-fA-F]{0,40}\d)[\da-fA-F]{32} # Firecrawl
dop_v1_ doo_v1_ dor_v1_ dapi shpat_ shpca_ shppa_ shpss_ prtapi_ crsr_ e2b_ dtn_ key- SK [\da-fA-F]{30,} # DigitalOcean, Databricks, Shopify, Cursor, E2B, Daytona, Twilio
sk_ (?=[\da-fA-F]{0,40}\d)[\da-fA-F]{40,} # ElevenLabs
rubygems_ squ_ sqp_ sqa_ shippo_live_ shippo_test_ xkeysib- xsmtpsib- [\da-fA-F]{40,}-?[A-Za-z\d]* # RubyGems, SonarQube, Shippo, Brevo
v1.0- [\da-fA-F]{24}-[\da-fA-F]{40,} # Cloudflare
sgp_ (?:[A-Za-z\d]{5,16}_)?[\da-fA-F]{40} # Sourcegraph
CCIPAT_ [A-Za-z\d]{22}_[\da-fA-F]{40} # CircleCI
ATBB ATCTT3 ATATT3 sntrys_ sntryu_ perm: fo1_ fm1_ fm2_ fm1a_ fm1r_ glsa_ glc_ ops_eyJ [\w.+/=-]{20,} # Atlassian, Sentry, JetBrains, Fly, Grafana, 1Password
pypi- CFPAT- sha256~ [\w-]{40,} # PyPI, Contentful, OpenShift
oy2 [a-z\d]{43} # NuGet
AKIA ASIA ABIA ACCA A3T [A-Z\d]{16,17}(?![A-Za-z\d]) # AWS
ABSK bedrock-api-key- [A-Za-z\d+/]{28,}={0,2} # AWS
LTAI [A-Za-z\d]{17,21}(?![A-Za-z\d]) # Alibaba
dp.pt. dp.st. dp.sa. dp.ct. dp.scim. dp.audit. (?:[a-z\d_-]{1,40}\.)?[A-Za-z\d]{30,} # Doppler
dt0c01. dt0s01. dt0s16. [A-Za-z\d]{24}\.[A-Za-z\d]{40,} # Dynatrace
pscale_tkn_ pscale_pw_ pscale_oauth_ AQVN y0_ t1.9eu tfp_ fio-u- duffel_test_ duffel_live_ [\w.=-]{30,} # PlanetScale, Yandex, Typeform, Frame.io, Duffel
figd_ figo_ figr_ figp_ figu_ [\w.=-]{30,} # Figma
tskey- [a-z]{2,10}-[\w-]{12,} # Tailscale
pat. sat. [\w-]{22}\.[A-Za-z\d]{24}\.[A-Za-z\d]{20} # Harness
sk_live_ sk_test_ sk_prod_ rk_live_ rk_test_ rk_prod_ whsec_ rzp_live_ rzp_test_ FLWSECK_TEST- FLWSECK- [A-Za-z\d+/=-]{10,} # Stripe, Razorpay, Flutterwave
EAAA sq0atp- sq0csp- [\w-]{22,} # Square
EAAC EAAM EAAB EAAG EAAD IGQV IGAA [\w-]{60,} # Facebook, Instagram
AQE [A-Za-z\d+/]{60,}={0,2} # Adyen
SG. [\w-]{16,64}\.[\w-]{16,} # SendGrid
xoxa xoxb xoxc xoxd xoxe xoxo xoxp xoxr xoxs xapp (?:\.xox[bp])?-(?=[\w-]{0,40}\d)[\w-]{10,} # Slack
pat [A-Za-z\d]{14}\.[\da-fA-F]{64} # Airtable
pat-na1- pat-eu1- pat-na2- pat-ap1- [A-Za-z\d-]{36} # HubSpot
00D [A-Za-z\d]{12}![\w.]{60,} # Salesforce
A3- [A-Z\d]{6}-[A-Z\d-]{20,36} # 1Password
AGE-SECRET-KEY-1 AGE-SECRET-KEY-PQ-1 [A-Z\d]{40,} # age
ZXlK [A-Za-z\d+/]{40,}={0,2} # JSON Web Token in base64
$1$ $5$ $6$ $y$ $gy$ $7$ $2a$ $2b$ $2y$ $apr1$ $argon2id$ $argon2i$ $scrypt$ [\w./$=,+-]{20,} # crypt(3)
`;

/**
 * Matches a line break, either literal or as an escape sequence, with the number that `cat -n` and similar tools put before the next line.
 */
const LINE_BREAK = "(?:\\r?\\n|\\\\r?\\\\n|\\\\n)[ \\t|>]{0,12}(?:\\d{1,6}[ \\t|:]{1,4})?";
const BASE64 = "[A-Za-z0-9+/]";

/** Tokens whose format is more complex than a beginning and a rest. */
const OTHERS: readonly Rule[] = [
	// The Base64 encoding of "-----BEGIN", unless a certificate or public key follows. It may be broken into lines.
	new RegExp(
		`LS0tLS1CRUdJTi(?!BDRVJU|BQVUJM)${BASE64}{16,}(?:${LINE_BREAK}${BASE64}{32,})*(?:${LINE_BREAK}${BASE64}{2,}={0,2}(?=[\\s"'\\\\]|$))?={0,2}`,
	),
	// Azure AD
	/[0123456789]Q~(?<=(?<![\w~.])(?<lead>[\w~.]{2,39})\dQ~)[\w~.-]{25,}/,
	// Azure
	/JQQJ99(?<=(?<![A-Za-z\d])(?<lead>[A-Za-z\d]{16,60})JQQJ99)[A-Za-z\d]{16,}/,
	// HCP Terraform
	/\.atlasv1\.(?<=(?<![A-Za-z\d])(?<lead>[A-Za-z\d]{14})\.atlasv1\.)[\w=-]{40,}/,
	// Mailchimp
	/-us(?<=(?<![A-Za-z\d])(?<lead>[\dA-Fa-f]{32})-us)\d{1,2}[\w-]*/,
	// Telegram
	/:AA(?<=(?<![A-Za-z\d])(?<lead>(?:bot)?\d{6,12}):AA)[\w-]{31,}/,
	// Discord
	/(?:MT|MD|Mj|Mz|NT|ND|Nj|Nz|OT|OD|Mk|Nk|Ok)[\w-]{22,26}\.[\w-]{6}\.[\w-]{27,}/,
	// JSON Web Token (RFC 7519). Each run of token characters is checked only once.
	/eyJ(?<=(?<![\w-](?<!\\[nrt]))eyJ)[\w-]{8,}\.(?:[\w-]{8,}(?:\.[\w-]*)*)?/,
	// Webhook URLs of Slack, Discord and Teams
	/hooks\.slack\.com\/(?:services|workflows|triggers)\/([A-Za-z0-9+/]{20,})/,
	/\/api\/webhooks\/\d{1,20}\/([\w-]{20,})/,
	/\/IncomingWebhook\/([A-Fa-f0-9]{20,}(?:\/[A-Fa-f0-9-]{36})?)/,
	// The signature of an AWS request
	/Signature=([A-Fa-f0-9]{32,})/,
	// A Twilio account and its token
	/AC[0-9a-f]{32}["'`]?\s{0,3}(?:[/:,|]|and)?\s{0,3}["'`]?([0-9a-f]{32})(?![0-9a-f])/,
];

/**
 * The characters directly after a token are redacted with it, because otherwise they could look like the beginning of another token.
 */
export const TOKEN_RULES: readonly Rule[] = [
	...FORMATS.trim()
		.split("\n")
		.map((line) => {
			const [beginnings = "", rest = ""] = line.split(/ (?=\S+ #)| #/);
			const literals = beginnings.replace(/[.+$|]/g, "\\$&").replaceAll(" ", "|");
			return new RegExp(`(?:${literals})${rest}[\\w-]*`);
		}),
	...OTHERS,
];
