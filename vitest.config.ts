import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** The longest test files start first, so that no worker is left with a long file at the end. */
class LongestFirst extends BaseSequencer {
	override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
		const sorted = await super.sort(files);
		const rank = ({ moduleId, project }: TestSpecification): number => {
			const folder = `${project.config.root}/test/`;
			if (moduleId === `${folder}packages.test.ts`) return 0;
			return moduleId.startsWith(folder) ? 1 : 2;
		};
		return sorted.toSorted((a, b) => rank(a) - rank(b));
	}
}

export default defineConfig({
	test: {
		include: [
			"session-*/**/*.test.ts",
			"bench/**/*.test.ts",
			"bin/**/*.test.ts",
			"test/**/*.test.ts",
			"demo/**/*.test.ts",
		],
		globalSetup: ["test/support/warm-host.ts"],
		setupFiles: ["test/support/environment.ts", "test/support/property-seed.ts"],
		// A host test waits for its host most of the time, so it uses little more than half of a CPU core.
		maxWorkers: 4,
		sequence: { sequencer: LongestFirst },
		// Loading all modules again for each file would take more than half of the test time.
		isolate: false,
		// The timeout is long because the machine may be busy. Only a failing test waits that long.
		testTimeout: 300_000,
		hookTimeout: 300_000,
	},
});
