import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { defineConfig, type TestProjectInlineConfiguration, type ViteUserConfig } from 'vitest/config'

const resultsDirectory = process.env.TEST_RESULTS_DIR

/** `.ci/run` counts tests from the JSON report. */
export const reportersFor = (run: string): Pick<NonNullable<ViteUserConfig['test']>, 'reporters'> =>
  resultsDirectory === undefined
    ? { reporters: ['default'] }
    : { reporters: ['default', ['json', { outputFile: join(resultsDirectory, `${run}.json`) }]] }

/** Suites that run the assembled service. They share one assembly, made before the first of them starts. */
const assembledSuite = (name: string, timeoutMs = 20_000): TestProjectInlineConfiguration => ({
  extends: true,
  test: { name, include: [`test/${name}/**/*.test.ts`], globalSetup: 'test/assemble-once.ts', testTimeout: timeoutMs },
})

export default defineConfig({
  root: join(import.meta.dirname, '..'),
  test: {
    ...reportersFor('tests'),
    // Tests provoke failures: what the code logs about them is noise.
    env: { POWERTOOLS_LOG_LEVEL: 'SILENT' },
    pool: 'forks',
    // Stories spend much of their time waiting for queues and timers: one worker more than cores uses it.
    maxWorkers: Math.min(4, availableParallelism() + 1),
    testTimeout: 20_000,
    hookTimeout: 60_000,
    projects: [
      { extends: true, test: { name: 'unit', include: ['test/unit/**/*.test.ts'] } },
      assembledSuite('contract'),
      assembledSuite('story'),
      assembledSuite('faults'),
      assembledSuite('template', 60_000),
    ],
  },
})
