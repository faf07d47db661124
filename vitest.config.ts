import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Starts with the file that takes longest and then the host tests, so that no worker is left with one of them at the end. */
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
		// A host test uses little more than half of a core, because it waits for its host most of the time.
		maxWorkers: 4,
		sequence: { sequencer: LongestFirst },
		// Files of a worker share their modules: loading them anew for each file costs more than half of the time of the fast tests.
		isolate: false,
		// Generous, for a busy machine: only a failure waits so long.
		testTimeout: 300_000,
		hookTimeout: 300_000,
	},
});
