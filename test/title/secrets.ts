/** Made-up secrets of every kind that must never leave the machine, and the parts of them that give them away. */
export const SECRETS: Readonly<Record<string, { text: string; parts: readonly string[] }>> = {
	"a provider's key": {
		text: "sk-ant-api03-Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4-QUJDREVGR0g-AA",
		parts: ["sk-ant-api03", "Zm9vYmFyYmF6"],
	},
	"another provider's key": {
		text: "sk-proj-9aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5bC7dE9fG1hJ3kL5mN7pQ9",
		parts: ["sk-proj-9aB3", "9kL1mN3pQ5"],
	},
	"a private key": {
		text: [
			"-----BEGIN RSA PRIVATE KEY-----",
			"MIIEpAIBAAKCAQEAq7BFUpkGp3LjB5gS1yU3kq8n0Vf4Yb2XwQzR6TtHs9mLcDoE",
			"5nKqWv2ZxJ8rPiU4aGhYt7bMlNfQeSdCwOzXyVuT1R3gHkB6jAsDpLmI9oEcFvNq",
			"-----END RSA PRIVATE KEY-----",
		].join("\n"),
		parts: ["MIIEpAIBAAKCAQEA", "5nKqWv2ZxJ8r", "jAsDpLmI9o"],
	},
	"a JWT": {
		text: "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4ifQ.SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c",
		parts: ["eyJhbGciOiJIUzI1NiIs", "SflKxwRJSMeKKF2QT4"],
	},
	"a password in a URL": {
		text: "postgres://admin:tr0ub4dor-and-3-horses@db.internal:5432/shop",
		parts: ["tr0ub4dor"],
	},
	"a bearer token": {
		text: "Authorization: Bearer 7f3c9a1e5b8d2046af91c3e7d5b08264",
		parts: ["7f3c9a1e5b8d"],
	},
	"an assignment": {
		text: "API_TOKEN=q8Zt4LxV7nRw2KpJ9sYbM3cD6fGhTe1u",
		parts: ["q8Zt4LxV7nRw"],
	},
};
