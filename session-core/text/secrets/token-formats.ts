/** One kind of secret that is known by its shape alone. */
export interface TokenFormat {
	name: string;
	/** Where the shape is documented: the provider's own pages, or a rule of gitleaks or a detector of trufflehog. */
	source: string;
	/** Literals that every token of the format holds; case counts. */
	anchors: readonly string[];
	/** What may stand before the anchor: such characters, up to 40 of them. Without it a token begins with its anchor. */
	lead?: RegExp;
	/** The whole token. It must not hold a capturing group, and must fail or succeed in linear time. */
	shape: string;
}

const HEX = "[A-Fa-f0-9]";
const WORD = "[A-Za-z0-9]";
const URLSAFE = "[A-Za-z0-9_-]";
const BASE64 = "[A-Za-z0-9+/]";

/** A token that begins with one of the anchors, parted by blanks. */
function starting(name: string, source: string, anchors: string, rest: string): TokenFormat {
	const literals = anchors.split(" ");
	const escaped = literals.map((literal) => literal.replace(/[.+$|]/g, "\\$&"));
	return { name, source, anchors: literals, shape: `(?:${escaped.join("|")})${rest}` };
}

/**
 * Shapes are looser than a scanner's: minimum lengths are shorter, because text that is cut off still holds most of
 * a key, and a false alarm costs one word of a recap.
 */
const MODELS: readonly TokenFormat[] = [
	starting("Anthropic", "gitleaks anthropic-api-key", "sk-ant-", `${URLSAFE}{16,}`),
	starting("OpenRouter", "gitleaks openrouter-api-key", "sk-or-", `${URLSAFE}{16,}`),
	starting(
		"OpenAI",
		"gitleaks openai-api-key",
		"sk-proj- sk-svcacct- sk-admin- sk-None- sk-service-",
		`${URLSAFE}{16,}`,
	),
	starting(
		"OpenAI, legacy and look-alikes",
		"gitleaks openai-api-key",
		"sk-",
		`(?=${WORD}{0,40}\\d)${WORD}{20,}`,
	),
	starting("Google API", "gitleaks gcp-api-key", "AIza", `${URLSAFE}{30,}`),
	starting(
		"Google OAuth",
		"developers.google.com/identity/protocols/oauth2",
		"ya29. GOCSPX- 1//0",
		`${URLSAFE}{20,}`,
	),
	starting("Groq", "gitleaks groq-api-key", "gsk_", `${WORD}{20,}`),
	starting("xAI", "docs.x.ai, API keys", "xai-", `[A-Za-z0-9_]{20,}`),
	starting("Perplexity", "gitleaks perplexity-api-key", "pplx-", `${WORD}{20,}`),
	starting("Hugging Face", "gitleaks huggingface-access-token", "hf_ api_org_", `${WORD}{30,}`),
	starting("Replicate", "trufflehog replicate", "r8_", `${URLSAFE}{30,}`),
	starting("Cerebras", "inference-docs.cerebras.ai", "csk-", `${WORD}{30,}`),
	starting("NVIDIA", "trufflehog nvapi", "nvapi-", `${URLSAFE}{30,}`),
	starting("Tavily", "docs.tavily.com", "tvly-", `${URLSAFE}{20,}`),
	starting("LangSmith", "trufflehog langsmith", "lsv2_pt_ lsv2_sk_", `${HEX}{20,}`),
	starting(
		"Langfuse",
		"langfuse.com/docs, API keys",
		"sk-lf- pk-lf-",
		`${HEX}{8}-${HEX}{4}-[A-Fa-f0-9-]{15,}`,
	),
	starting("Pinecone", "trufflehog pinecone", "pcsk_", `${WORD}{5,6}_${WORD}{30,}`),
	starting("Firecrawl, Exa and look-alikes", "docs.firecrawl.dev", "fc-", `(?=${HEX}{0,40}\\d)${HEX}{32}`),
	starting("ElevenLabs and Clerk", "elevenlabs.io/docs, API keys", "sk_", `(?=${HEX}{0,40}\\d)${HEX}{40,}`),
	starting("Fireworks and look-alikes", "docs.fireworks.ai", "fw_ fwk_", `(?=${WORD}{0,20}\\d)${WORD}{20,}`),
];

const CODE_AND_PACKAGES: readonly TokenFormat[] = [
	starting(
		"GitHub",
		"gitleaks github-pat, github-oauth, github-app-token, github-refresh-token",
		"ghp_ gho_ ghu_ ghs_ ghr_",
		`${URLSAFE}{16,}(?:\\.${URLSAFE}{8,}){0,2}`,
	),
	starting("GitHub, fine-grained", "gitleaks github-fine-grained-pat", "github_pat_", `${URLSAFE}{16,}`),
	starting(
		"GitLab",
		"docs.gitlab.com/security/tokens, token prefixes",
		"glpat- gloas- gldt- glrt- glrtr- glcbt- glptt- glft- glimt- glagent- glsoat- glffct- GR1348941",
		"[A-Za-z0-9_.-]{16,}",
	),
	starting("Bitbucket", "trufflehog bitbucketapppassword", "ATBB ATCTT3", "[A-Za-z0-9_=.-]{20,}"),
	starting("npm", "gitleaks npm-access-token", "npm_", `${WORD}{30,}`),
	starting("PyPI", "gitleaks pypi-upload-token", "pypi-", `${URLSAFE}{40,}`),
	starting("RubyGems", "gitleaks rubygems-api-token", "rubygems_", `${HEX}{40,}`),
	starting("Clojars", "gitleaks clojars-api-token", "CLOJARS_", `${WORD}{50,}`),
	starting(
		"crates.io",
		"doc.rust-lang.org/cargo, registry authentication",
		"cio",
		`(?=${WORD}{0,30}\\d)${WORD}{32}(?!${WORD})`,
	),
	starting("NuGet", "trufflehog nugetapikey", "oy2", "[a-z0-9]{43}"),
	starting("Artifactory", "gitleaks artifactory-api-key", "AKCp cmVmd", `${WORD}{50,}`),
	starting("Docker Hub", "trufflehog dockerhub", "dckr_pat_ dckr_oat_", `${URLSAFE}{20,}`),
	starting("Postman", "gitleaks postman-api-token", "PMAK-", `${URLSAFE}{30,}`),
	starting(
		"Sentry",
		"gitleaks sentry-org-token, sentry-user-token",
		"sntrys_ sntryu_",
		"[A-Za-z0-9_+/=-]{20,}",
	),
	starting("Sourcegraph", "gitleaks sourcegraph-access-token", "sgp_", `(?:${WORD}{5,16}_)?${HEX}{40}`),
	starting("SonarQube", "docs.sonarsource.com, user tokens", "squ_ sqp_ sqa_", `${HEX}{40}`),
	starting("Buildkite", "trufflehog buildkitev2", "bkua_", "[a-z0-9]{40}"),
	starting("CircleCI", "trufflehog circleci", "CCIPAT_", `${WORD}{22}_${HEX}{40}`),
	starting("JetBrains", "jetbrains.com/help/youtrack, permanent tokens", "perm:", "[A-Za-z0-9=+/.-]{30,}"),
	starting("Prefect", "gitleaks prefect-api-token", "pnu_", `${WORD}{36}`),
	starting("Pulumi", "gitleaks pulumi-api-token", "pul-", "[a-z0-9]{40}"),
	starting("ReadMe", "gitleaks readme-api-token", "rdme_", "[a-z0-9]{70}"),
];

const CLOUDS: readonly TokenFormat[] = [
	starting(
		"AWS key id",
		"gitleaks aws-access-token",
		"AKIA ASIA ABIA ACCA A3T",
		`[A-Z0-9]{16,17}(?!${WORD})`,
	),
	starting(
		"AWS Bedrock",
		"gitleaks aws-amazon-bedrock-api-key-long-lived, -short-lived",
		"ABSK bedrock-api-key-",
		`${BASE64}{28,}={0,2}`,
	),
	{
		name: "Azure AD client",
		source: "gitleaks azure-ad-client-secret",
		anchors: ["0Q~", "1Q~", "2Q~", "3Q~", "4Q~", "5Q~", "6Q~", "7Q~", "8Q~", "9Q~"],
		lead: /[A-Za-z0-9_~.]/,
		shape: "[A-Za-z0-9_~.]{3}\\dQ~[A-Za-z0-9_~.-]{30,}",
	},
	starting("Alibaba", "gitleaks alibaba-access-key-id", "LTAI", `${WORD}{17,21}(?!${WORD})`),
	starting("DigitalOcean", "gitleaks digitalocean-pat", "dop_v1_ doo_v1_ dor_v1_", `${HEX}{30,}`),
	starting("Cloudflare origin CA", "gitleaks cloudflare-origin-ca-key", "v1.0-", `${HEX}{24}-${HEX}{40,}`),
	starting("Cloudflare", "trufflehog cloudflareapitoken", "cfk_ cfut_ cfat_", `${WORD}{40,}`),
	starting("Databricks", "gitleaks databricks-api-token", "dapi", `${HEX}{32}`),
	starting(
		"Doppler",
		"trufflehog doppler",
		"dp.pt. dp.st. dp.sa. dp.ct. dp.scim. dp.audit.",
		`(?:[a-z0-9_-]{1,40}\\.)?${WORD}{30,}`,
	),
	starting(
		"Dynatrace",
		"gitleaks dynatrace-api-token",
		"dt0c01. dt0s01. dt0s16.",
		`${WORD}{24}\\.${WORD}{40,}`,
	),
	starting("Fly.io", "gitleaks flyio-access-token", "fo1_ fm1_ fm2_ fm1a_ fm1r_", "[A-Za-z0-9+/=_-]{40,}"),
	starting(
		"HashiCorp Vault",
		"gitleaks vault-service-token, vault-batch-token",
		"hvs. hvb. hvr.",
		`${URLSAFE}{20,}`,
	),
	{
		name: "HashiCorp Terraform",
		source: "gitleaks hashicorp-tf-api-token",
		anchors: [".atlasv1."],
		lead: /[A-Za-z0-9]/,
		shape: `${WORD}{14}\\.atlasv1\\.[A-Za-z0-9_=-]{40,}`,
	},
	starting("Heroku", "gitleaks heroku-api-key-v2", "HRKU-", `${URLSAFE}{30,}`),
	starting("OpenShift", "gitleaks openshift-user-token", "sha256~", `${URLSAFE}{40,}`),
	starting(
		"PlanetScale",
		"gitleaks planetscale-api-token",
		"pscale_tkn_ pscale_pw_ pscale_oauth_",
		"[A-Za-z0-9_.=-]{30,}",
	),
	starting("Scalingo", "gitleaks scalingo-api-token", "tk-us-", `${URLSAFE}{40,}`),
	starting("Supabase", "supabase.com/docs, API keys", "sbp_ sb_secret_", `${URLSAFE}{20,}`),
	starting("Tailscale", "trufflehog tailscale", "tskey-", `[a-z]{2,10}-${URLSAFE}{12,}`),
	starting("Vercel Blob", "vercel.com/docs, storage", "vercel_blob_rw_", `${URLSAFE}{20,}`),
	starting("Yandex", "gitleaks yandex-access-token", "AQVN y0_ t1.9eu", "[A-Za-z0-9_.=-]{30,}"),
	starting(
		"Grafana",
		"gitleaks grafana-service-account-token, grafana-cloud-api-token",
		"glsa_ glc_",
		"[A-Za-z0-9_+/=]{30,}",
	),
	starting(
		"New Relic",
		"trufflehog newrelicpersonalapikey",
		"NRAK- NRII- NRIQ- NRBR- NRJS-",
		`${URLSAFE}{18,}`,
	),
	starting("PostHog", "trufflehog posthog", "phx_ phs_", `${WORD}{30,}`),
	starting("Harness", "gitleaks harness-api-key", "pat. sat.", `${URLSAFE}{22}\\.${WORD}{24}\\.${WORD}{20}`),
	starting("Infracost", "gitleaks infracost-api-token", "ico-", `${WORD}{32}`),
	starting("Confluent", "docs.confluent.io, API keys", "cflt", `${BASE64}{56,}`),
];

const SERVICES: readonly TokenFormat[] = [
	starting(
		"Stripe",
		"gitleaks stripe-access-token",
		"sk_live_ sk_test_ sk_prod_ rk_live_ rk_test_ rk_prod_ whsec_",
		"[A-Za-z0-9+/=]{10,}",
	),
	starting("Square", "gitleaks square-access-token", "EAAA sq0atp- sq0csp-", `${URLSAFE}{22,}`),
	starting("Facebook", "gitleaks facebook-page-access-token", "EAAC EAAM EAAB EAAG EAAD", `${WORD}{60,}`),
	starting("Instagram", "developers.facebook.com, Instagram tokens", "IGQV IGAA", `${URLSAFE}{60,}`),
	starting("Shopify", "gitleaks shopify-access-token", "shpat_ shpca_ shppa_ shpss_", `${HEX}{32}`),
	starting("Shippo", "gitleaks shippo-api-token", "shippo_live_ shippo_test_", `${HEX}{40}`),
	starting("EasyPost", "gitleaks easypost-api-token", "EZAK EZTK", `${WORD}{54}`),
	starting("Duffel", "gitleaks duffel-api-token", "duffel_test_ duffel_live_", "[A-Za-z0-9_=-]{40,}"),
	starting("Flutterwave", "gitleaks flutterwave-secret-key", "FLWSECK_TEST- FLWSECK-", "[A-Za-z0-9-]{12,}"),
	starting("Razorpay", "trufflehog razorpay", "rzp_live_ rzp_test_", `${WORD}{14}`),
	starting("Adyen", "docs.adyen.com, API credentials", "AQE", `${BASE64}{60,}={0,2}`),
	starting("SendGrid", "gitleaks sendgrid-api-token", "SG.", `${URLSAFE}{16,64}\\.${URLSAFE}{16,}`),
	starting("Brevo", "gitleaks sendinblue-api-token", "xkeysib- xsmtpsib-", `${HEX}{40,}-?${WORD}*`),
	starting("Resend", "resend.com/docs, API keys", "re_", `${WORD}{6,10}_${WORD}{20,}`),
	starting("Mailgun", "gitleaks mailgun-private-api-token", "key-", `${HEX}{32}`),
	{
		name: "Mailchimp",
		source: "gitleaks mailchimp-api-key",
		anchors: ["-us"],
		lead: /[A-Fa-f0-9]/,
		shape: `${HEX}{32}-us\\d{1,2}`,
	},
	starting("Twilio", "gitleaks twilio-api-key", "SK", `${HEX}{32}`),
	starting(
		"Slack",
		"docs.slack.dev/authentication/tokens",
		"xoxa xoxb xoxc xoxd xoxe xoxo xoxp xoxr xoxs xapp",
		`(?:\\.xox[bp])?-(?=${URLSAFE}{0,40}\\d)${URLSAFE}{10,}`,
	),
	{
		name: "Slack webhook",
		source: "gitleaks slack-webhook-url",
		anchors: ["hooks.slack.com/"],
		shape: "(?<=hooks\\.slack\\.com/(?:services|workflows|triggers)/)[A-Za-z0-9+/]{20,}",
	},
	{
		name: "Discord webhook",
		source: "discord.com/developers/docs/resources/webhook",
		anchors: ["/api/webhooks/"],
		shape: `(?<=/api/webhooks/\\d{1,20}/)${URLSAFE}{20,}`,
	},
	{
		name: "Teams webhook",
		source: "gitleaks microsoft-teams-webhook",
		anchors: ["/IncomingWebhook/"],
		shape: `(?<=/IncomingWebhook/)${HEX}{20,}(?:/[A-Fa-f0-9-]{36})?`,
	},
	{
		name: "Discord bot",
		source: "discord.com/developers/docs/reference",
		anchors: ["MT", "MD", "Mj", "Mz", "NT", "ND", "Nj", "Nz", "OT", "OD", "Mk", "Nk", "Ok"],
		shape: `[MNO]${URLSAFE}{23,27}\\.${URLSAFE}{6}\\.${URLSAFE}{27,45}`,
	},
	{
		name: "Telegram bot",
		source: "core.telegram.org/bots/api#authorizing-your-bot",
		anchors: [":AA"],
		lead: /[a-z0-9]/,
		shape: `(?:bot)?\\d{6,12}:A${URLSAFE}{32,36}`,
	},
	starting("Atlassian", "gitleaks atlassian-api-token", "ATATT3", "[A-Za-z0-9_=+/-]{40,}"),
	starting("Linear", "gitleaks linear-api-key", "lin_api_ lin_oauth_", `${WORD}{30,}`),
	starting("Notion", "gitleaks notion-api-token", "ntn_ secret_", `${WORD}{40,}`),
	starting(
		"Figma",
		"developers.figma.com, personal access tokens",
		"figd_ figo_ figr_ figp_ figu_",
		"[A-Za-z0-9_=-]{30,}",
	),
	starting(
		"Airtable",
		"airtable.com/developers/web/guides/personal-access-tokens",
		"pat",
		`${WORD}{14}\\.${HEX}{64}`,
	),
	starting("Contentful", "trufflehog contentfulpersonalaccesstoken", "CFPAT-", `${URLSAFE}{40,}`),
	starting("Frame.io", "gitleaks frameio-api-token", "fio-u-", "[A-Za-z0-9_=-]{40,}"),
	starting("HubSpot", "trufflehog hubspotapikey", "pat-na1- pat-eu1- pat-na2- pat-ap1-", "[A-Za-z0-9-]{36}"),
	starting(
		"Intra42, Zendesk and look-alikes",
		"gitleaks intra42-client-secret",
		"s-s4t2ud- s-s4t2af- u-s4t2ud-",
		`${HEX}{40,}`,
	),
	starting("Adafruit", "trufflehog adafruitio", "aio_", `${WORD}{28}`),
	starting("Apify", "trufflehog apify", "apify_api_", `${WORD}{30,}`),
	starting("Adobe", "gitleaks adobe-client-secret", "p8e-", `${WORD}{32}`),
	starting("Typeform", "gitleaks typeform-api-token", "tfp_", "[A-Za-z0-9_.=-]{40,}"),
	starting("MaxMind", "gitleaks maxmind-license-key", "mmk_", `${WORD}{30,}`),
	starting("Salesforce", "trufflehog salesforce", "00D", `${WORD}{12}![A-Za-z0-9_.]{60,}`),
	starting("1Password", "gitleaks 1password-secret-key", "A3-", "[A-Z0-9]{6}-[A-Z0-9-]{20,36}"),
	starting(
		"1Password service account",
		"gitleaks 1password-service-account-token",
		"ops_eyJ",
		"[A-Za-z0-9+/=_-]{40,}",
	),
	starting("age", "gitleaks age-secret-key", "AGE-SECRET-KEY-1", "[A-Z0-9]{40,}"),
];

const FORMATS: readonly TokenFormat[] = [
	{
		name: "JSON Web Token",
		source: "RFC 7519; gitleaks jwt",
		anchors: ["eyJ"],
		shape: `(?<!${URLSAFE}(?<!\\\\[nrt]))eyJ${URLSAFE}{8,}\\.(?:${URLSAFE}{8,}(?:\\.${URLSAFE}*)*)?`,
	},
	starting("JSON Web Token in base64", "gitleaks jwt-base64", "ZXlK", `${BASE64}{40,}={0,2}`),
	{
		name: "AWS signature",
		source: "docs.aws.amazon.com, Signature Version 4",
		anchors: ["Signature="],
		shape: `(?<=Signature=)${HEX}{32,}`,
	},
	starting(
		"PEM in base64",
		"RFC 7468; base64 of five hyphens and BEGIN",
		"LS0tLS1CRUdJTi",
		`(?!BDRVJU|BQVUJM)${BASE64}{16,}={0,2}`,
	),
	starting(
		"crypt(3) hash",
		"man 5 crypt",
		"$1$ $5$ $6$ $y$ $gy$ $7$ $2a$ $2b$ $2y$ $apr1$ $argon2id$ $argon2i$ $scrypt$",
		"[A-Za-z0-9./$=,+]{20,}",
	),
];

export const TOKEN_FORMATS: readonly TokenFormat[] = [
	...MODELS,
	...CODE_AND_PACKAGES,
	...CLOUDS,
	...SERVICES,
	...FORMATS,
];
