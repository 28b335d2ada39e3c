import { globSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { basename, join } from 'node:path'
import { defineConfig, type TestProjectInlineConfiguration, type ViteUserConfig } from 'vitest/config'

const root = join(import.meta.dirname, '..')
const resultsDirectory = process.env.TEST_RESULTS_DIR

/** `.ci/run` counts tests from the JSON report. */
export const reportersFor = (run: string): Pick<NonNullable<ViteUserConfig['test']>, 'reporters'> =>
  resultsDirectory === undefined
    ? { reporters: ['default'] }
    : { reporters: ['default', ['json', { outputFile: join(resultsDirectory, `${run}.json`) }]] }

/**
 * A suite that runs the assembled service. All of them share one assembly, which is made beside the unit tests: those begin
 * first.
 */
export const assembledSuite = (
  name: string,
  more: TestProjectInlineConfiguration['test'] = {},
): TestProjectInlineConfiguration => ({
  extends: true,
  test: {
    name,
    include: [`test/${name}/**/*.test.ts`],
    exclude: [deepTests],
    globalSetup: 'test/assemble-once.ts',
    setupFiles: 'test/await-assembly.ts',
    sequence: { groupOrder: 1 },
    ...more,
  },
})

/** The configuration of a run that needs nothing but npm. */
export const runOf = (run: string, projects: TestProjectInlineConfiguration[]): ViteUserConfig =>
  defineConfig({
    root,
    test: {
      ...reportersFor(run),
      // Tests provoke failures: what the code logs about them is noise.
      env: { POWERTOOLS_LOG_LEVEL: 'SILENT' },
      pool: 'forks',
      // Stories spend much of their time waiting for queues and timers: one worker more than cores uses it.
      maxWorkers: Math.min(4, availableParallelism() + 1),
      // Bounds for what hangs: a machine with much else to do takes many times what one test needs.
      testTimeout: 120_000,
      hookTimeout: 240_000,
      expect: { poll: { timeout: 60_000 } },
      projects,
    },
  })

/** Tests that replace modules, watch one for all their cases, or set what a module reads when it is loaded: each has a process of its own. */
const replacingModules = [
  'test/unit/infra/local/runtime/storage/outage.test.ts',
  'test/unit/infra/monitoring/metrics.test.ts',
  'test/unit/shared/platform/http/routing/answers.test.ts',
  'test/unit/shared/platform/http/routing/endpoint-group.test.ts',
  'test/unit/shared/platform/http/routing/envelope.test.ts',
  'test/unit/shared/platform/http/routing/failures.test.ts',
  'test/unit/shared/platform/http/routing/session-cookie.test.ts',
  'test/unit/shared/platform/store/writes/refusals.test.ts',
  'test/unit/web/fields.test.ts',
]
const units = 'test/unit/**/*.test.ts'
/** What explores, or waits for long, stands beside the rest and runs with `npm run test:deep`. */
export const deepTests = 'test/**/*.deep.test.ts'

const callsSharedService = (file: string): boolean => readFileSync(join(root, file), 'utf8').includes('sharedService()')
const sharedWorlds = globSync('test/make/services/worlds/*.ts', { cwd: root })
  .filter(callsSharedService)
  .map((file) => `/worlds/${basename(file)}'`)
/**
 * Stories that share the service of their worker, by themselves or through a world. The others start services of their
 * own, and each has a process of its own: the bundles of a service that stopped are never freed.
 */
const sharing = globSync('test/story/**/*.test.ts', { cwd: root, exclude: [deepTests] }).filter((file) => {
  const source = readFileSync(join(root, file), 'utf8')
  return callsSharedService(file) || sharedWorlds.some((world) => source.includes(world))
})

// Without isolation a worker loads the code once for all of its files, in half the time.
export default runOf('tests', [
  {
    extends: true,
    test: { name: 'unit', include: [units], exclude: [...replacingModules, deepTests], isolate: false },
  },
  { extends: true, test: { name: 'unit-isolated', include: replacingModules } },
  {
    extends: true,
    test: {
      name: 'web',
      include: ['test/unit/web/**/*.test.tsx'],
      environment: 'jsdom',
      // Each opens the whole app.
      testTimeout: 60_000,
      setupFiles: ['test/unit/web/support/browser.ts'],
    },
  },
  assembledSuite('contract'),
  assembledSuite('story', { exclude: [...sharing, deepTests] }),
  assembledSuite('story-shared', { include: sharing, isolate: false }),
  assembledSuite('template', { isolate: false }),
])
