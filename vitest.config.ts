import { defineConfig } from "vitest/config";

export default defineConfig({
	test: {
		include: [
			"session-*/**/*.test.ts",
			"bench/**/*.test.ts",
			"bin/**/*.test.ts",
			"test/**/*.test.ts",
			"demo/**/*.test.ts",
		],
		setupFiles: ["test/support/property-seed.ts"],
		// Two cores: the host tests start real processes, so more workers only fight each other.
		maxWorkers: 2,
		// Files of a worker share their modules: loading them anew for each file costs more than half of the time of the fast tests.
		isolate: false,
		// Generous, for a busy machine: only a failure waits so long.
		testTimeout: 60_000,
		hookTimeout: 60_000,
	},
});
