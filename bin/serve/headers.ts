/** Sent with every response. The page has no inline script or style, loads nothing from elsewhere, and cannot be framed. */
export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
	"Content-Security-Policy": [
		"default-src 'none'",
		"script-src 'self'",
		"style-src 'self'",
		"img-src 'self'",
		"connect-src 'self'",
		"manifest-src 'self'",
		"base-uri 'none'",
		"form-action 'none'",
		"frame-ancestors 'none'",
		"require-trusted-types-for 'script'",
		"trusted-types 'none'",
	].join("; "),
	"X-Content-Type-Options": "nosniff",
	"X-Frame-Options": "DENY",
	"Referrer-Policy": "no-referrer",
	"Cross-Origin-Opener-Policy": "same-origin",
	"Cross-Origin-Resource-Policy": "same-origin",
	"Cross-Origin-Embedder-Policy": "require-corp",
	"Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
};

/** What sessions say is kept by no cache. */
export const DATA_HEADERS: Readonly<Record<string, string>> = {
	"Cache-Control": "no-store",
};
