import type { Rule } from "./scan.ts";

/**
 * Tokens with a known format. The formats come from the rules of gitleaks, the detectors of trufflehog and the services' own documentation.
 * Minimum lengths are shorter than in these sources, because a truncated text may still contain most of a token.
 */

const HEX = "[A-Fa-f0-9]";
const WORD = "[A-Za-z0-9]";
const URLSAFE = "[A-Za-z0-9_-]";
const BASE64 = "[A-Za-z0-9+/]";
const DOTTED = "[A-Za-z0-9_.=-]";

/** Token prefixes, as a space-separated list, and a pattern for the rest of the token. */
const BEGINNINGS: readonly (readonly [beginnings: string, rest: string])[] = [
	// Tokens of Anthropic, OpenRouter, OpenAI, Langfuse
	["sk-ant- sk-or- sk-proj- sk-svcacct- sk-admin- sk-None- sk-service- sk-lf- pk-lf-", `${URLSAFE}{16,}`],
	// OpenAI, DeepSeek and others
	["sk-", `(?=${WORD}{0,40}\\d)${WORD}{20,}`],
	// Tokens of Google, Supabase, Tavily, Vercel Blob, Docker Hub, Vault, GitHub (fine-grained)
	[
		"ya29. GOCSPX- 1//0 sbp_ sb_secret_ tvly- vercel_blob_rw_ dckr_pat_ dckr_oat_ hvs. hvb. hvr. github_pat_",
		`${URLSAFE}{16,}`,
	],
	["AIza", `${URLSAFE}{30,}`],
	// Tokens of Replicate, NVIDIA, Postman, Heroku, Scalingo, Cloudflare
	["r8_ nvapi- PMAK- HRKU- tk-us- cfk_ cfut_ cfat_", `${URLSAFE}{30,}`],
	// Tokens of xAI, Groq, Perplexity, Fireworks, Hugging Face, Cerebras, npm, PostHog, Linear, Apify, Clojars, MaxMind, crates.io
	[
		"xai- gsk_ pplx- fw_ hf_ api_org_ csk- npm_ phx_ phs_ lin_api_ lin_oauth_ apify_api_ mmk_",
		`${WORD}{20,}`,
	],
	["CLOJARS_ AKCp cmVmd", `${WORD}{50,}`],
	["cio", `(?=${WORD}{0,30}\\d)${WORD}{32}(?!${WORD})`],
	["pcsk_", `${WORD}{5,6}_${WORD}{30,}`],
	["lsv2_pt_ lsv2_sk_", `${HEX}{20,}`],
	["fc-", `(?=${HEX}{0,40}\\d)${HEX}{32}`],
	["sk_", `(?=${HEX}{0,40}\\d)${HEX}{40,}`],
	// GitHub, GitLab
	["ghp_ gho_ ghu_ ghs_ ghr_", `${URLSAFE}{16,}(?:\\.${URLSAFE}{8,}){0,2}`],
	[
		"glpat- gloas- gldt- glrt- glrtr- glcbt- glptt- glft- glimt- glagent- glsoat- glffct- GR1348941",
		`${DOTTED}{16,}`,
	],
	// Tokens of Bitbucket, Atlassian, PyPI, RubyGems, NuGet, Sentry, Sourcegraph, SonarQube, Buildkite, Pulumi, CircleCI, JetBrains
	["ATBB ATCTT3 ATATT3", "[A-Za-z0-9_=.+/-]{20,}"],
	["pypi-", `${URLSAFE}{40,}`],
	["rubygems_ squ_ sqp_ sqa_ shippo_live_ shippo_test_", `${HEX}{40,}`],
	["oy2", "[a-z0-9]{43}"],
	["sntrys_ sntryu_ perm: fo1_ fm1_ fm2_ fm1a_ fm1r_ glsa_ glc_", "[A-Za-z0-9_.+/=-]{20,}"],
	["sgp_", `(?:${WORD}{5,16}_)?${HEX}{40}`],
	["bkua_ pul- pnu_", "[A-Za-z0-9]{36,}"],
	["CCIPAT_", `${WORD}{22}_${HEX}{40}`],
	// Tokens of AWS, Alibaba, DigitalOcean, Cloudflare origin, Databricks, Doppler, Dynatrace, OpenShift, PlanetScale, Tailscale
	["AKIA ASIA ABIA ACCA A3T", `[A-Z0-9]{16,17}(?!${WORD})`],
	["ABSK bedrock-api-key-", `${BASE64}{28,}={0,2}`],
	["LTAI", `${WORD}{17,21}(?!${WORD})`],
	["dop_v1_ doo_v1_ dor_v1_", `${HEX}{30,}`],
	["v1.0-", `${HEX}{24}-${HEX}{40,}`],
	["dapi", `${HEX}{32}`],
	["dp.pt. dp.st. dp.sa. dp.ct. dp.scim. dp.audit.", `(?:[a-z0-9_-]{1,40}\\.)?${WORD}{30,}`],
	["dt0c01. dt0s01. dt0s16.", `${WORD}{24}\\.${WORD}{40,}`],
	["sha256~", `${URLSAFE}{40,}`],
	[
		"pscale_tkn_ pscale_pw_ pscale_oauth_ AQVN y0_ t1.9eu tfp_ fio-u- duffel_test_ duffel_live_",
		`${DOTTED}{30,}`,
	],
	["tskey-", `[a-z]{2,10}-${URLSAFE}{12,}`],
	["NRAK- NRII- NRIQ- NRBR- NRJS-", `${URLSAFE}{18,}`],
	["pat. sat.", `${URLSAFE}{22}\\.${WORD}{24}\\.${WORD}{20}`],
	// Tokens of Stripe, Square, Facebook, Instagram, Shopify, EasyPost, Flutterwave, Razorpay, Adyen
	["sk_live_ sk_test_ sk_prod_ rk_live_ rk_test_ rk_prod_ whsec_", "[A-Za-z0-9+/=]{10,}"],
	["EAAA sq0atp- sq0csp-", `${URLSAFE}{22,}`],
	["EAAC EAAM EAAB EAAG EAAD IGQV IGAA", `${URLSAFE}{60,}`],
	["shpat_ shpca_ shppa_ shpss_ key-", `${HEX}{32}`],
	["EZAK EZTK", `${WORD}{54}`],
	["FLWSECK_TEST- FLWSECK-", "[A-Za-z0-9-]{12,}"],
	["rzp_live_ rzp_test_", `${WORD}{14}`],
	["AQE", `${BASE64}{60,}={0,2}`],
	// Tokens of SendGrid, Brevo, Resend, Twilio, Slack, Notion, Figma, Airtable, Contentful, HubSpot, Adafruit, Adobe, Salesforce
	["SG.", `${URLSAFE}{16,64}\\.${URLSAFE}{16,}`],
	["xkeysib- xsmtpsib-", `${HEX}{40,}-?${WORD}*`],
	["re_", `${WORD}{6,10}_${WORD}{20,}`],
	["SK", `${HEX}{32}`],
	[
		"xoxa xoxb xoxc xoxd xoxe xoxo xoxp xoxr xoxs xapp",
		`(?:\\.xox[bp])?-(?=${URLSAFE}{0,40}\\d)${URLSAFE}{10,}`,
	],
	["ntn_ secret_", `${WORD}{40,}`],
	["figd_ figo_ figr_ figp_ figu_", `${DOTTED}{30,}`],
	["pat", `${WORD}{14}\\.${HEX}{64}`],
	["CFPAT-", `${URLSAFE}{40,}`],
	["pat-na1- pat-eu1- pat-na2- pat-ap1-", "[A-Za-z0-9-]{36}"],
	["aio_ p8e-", `${WORD}{28,}`],
	["00D", `${WORD}{12}![A-Za-z0-9_.]{60,}`],
	// 1Password, age
	["A3-", "[A-Z0-9]{6}-[A-Z0-9-]{20,36}"],
	["ops_eyJ", "[A-Za-z0-9+/=_-]{40,}"],
	["AGE-SECRET-KEY-1", "[A-Z0-9]{40,}"],
	// JSON Web Token in base64
	["ZXlK", `${BASE64}{40,}={0,2}`],
	// crypt(3) and its descendants
	["$1$ $5$ $6$ $y$ $gy$ $7$ $2a$ $2b$ $2y$ $apr1$ $argon2id$ $argon2i$ $scrypt$", "[A-Za-z0-9./$=,+]{20,}"],
];

/** Prefixes that no word contains. Each represents its whole group. */
const DISTINCTIVE: ReadonlySet<string> = new Set(["sk-ant-", "ghp_", "glpat-", "xapp", "sk_live_"]);

/**
 * Matches the characters directly after a token. They are redacted with the token, because otherwise they could look like the beginning of
 * another token.
 */
const GLUED = `${URLSAFE}*`;

/** Matches a line break, also as an escape sequence, with the number that `cat -n` and similar tools put before the next line. */
const LINE_BREAK = "(?:\\r?\\n|\\\\r?\\\\n|\\\\n)[ \\t|>]{0,12}(?:\\d{1,6}[ \\t|:]{1,4})?";

/** Rules for tokens whose anchor is not at their beginning. */
const OTHERS: readonly Rule[] = [
	// The Base64 encoding of "-----BEGIN", unless a certificate or public key follows. It may be broken into lines.
	{
		anchors: ["LS0tLS1CRUdJTi"],
		form: new RegExp(
			`LS0tLS1CRUdJTi(?!BDRVJU|BQVUJM)${BASE64}{16,}(?:${LINE_BREAK}${BASE64}{32,})*(?:${LINE_BREAK}${BASE64}{2,}={0,2}(?=[\\s"'\\\\]|$))?={0,2}`,
		),
	},
	// Azure AD
	{
		anchors: "0Q~ 1Q~ 2Q~ 3Q~ 4Q~ 5Q~ 6Q~ 7Q~ 8Q~ 9Q~".split(" "),
		lead: /[A-Za-z0-9_~.]/,
		form: new RegExp(`[A-Za-z0-9_~.]{3,40}Q~[A-Za-z0-9_~.-]{25,}${GLUED}`),
	},
	{
		anchors: [".atlasv1."],
		lead: /[A-Za-z0-9]/,
		form: new RegExp(`${WORD}{14}\\.atlasv1\\.[A-Za-z0-9_=-]{40,}`),
	},
	// Mailchimp
	{ anchors: ["-us"], lead: /[A-Fa-f0-9]/, form: new RegExp(`${HEX}{32}-us\\d{1,2}${GLUED}`) },
	// Telegram
	{ anchors: [":AA"], lead: /[a-z0-9]/, form: new RegExp(`(?:bot)?\\d{6,12}:A${URLSAFE}{32,36}${GLUED}`) },
	// Discord
	{
		anchors: "MT MD Mj Mz NT ND Nj Nz OT OD Mk Nk Ok".split(" "),
		form: new RegExp(`[MNO]${URLSAFE}{23,27}\\.${URLSAFE}{6}\\.${URLSAFE}{27,45}${GLUED}`),
	},
	// Matches a JSON Web Token (RFC 7519). Each run of token characters is checked only once.
	{
		anchors: ["eyJ"],
		form: new RegExp(
			`(?<!${URLSAFE}(?<!\\\\[nrt]))eyJ${URLSAFE}{8,}\\.(?:${URLSAFE}{8,}(?:\\.${URLSAFE}*)*)?`,
		),
	},
	// Matches webhook URLs of Slack, Discord and Teams.
	{
		anchors: ["hooks.slack.com/"],
		form: /hooks\.slack\.com\/(?:services|workflows|triggers)\/([A-Za-z0-9+/]{20,})/,
	},
	{ anchors: ["/api/webhooks/"], form: /\/api\/webhooks\/\d{1,20}\/([\w-]{20,})/ },
	{ anchors: ["/IncomingWebhook/"], form: /\/IncomingWebhook\/([A-Fa-f0-9]{20,}(?:\/[A-Fa-f0-9-]{36})?)/ },
	// Signature of a request to AWS
	{ anchors: ["Signature="], form: /Signature=([A-Fa-f0-9]{32,})/ },
	// Account and token of Twilio
	{
		anchors: ["AC"],
		form: /AC[0-9a-f]{32}["'`]?\s{0,3}(?:[/:,|]|and)?\s{0,3}["'`]?([0-9a-f]{32})(?![0-9a-f])/,
	},
];

export const TOKEN_RULES: readonly Rule[] = [
	...BEGINNINGS.map(([beginnings, rest]) => {
		const anchors = beginnings.split(" ");
		const literals = anchors.map((anchor) => anchor.replace(/[.+$|]/g, "\\$&"));
		const isGlued = anchors.some((anchor) => DISTINCTIVE.has(anchor));
		return { anchors, form: new RegExp(`(?:${literals.join("|")})${rest}${GLUED}`), isGlued };
	}),
	...OTHERS,
].map((rule) => ({ exact: true, ...rule }));
