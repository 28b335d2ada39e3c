/**
 * Which of the long tests a commit is tried with: `node test/chosen-tests.ts deep` and `... servers` print their files.
 * First those that its changes concern, then others, drawn by the commit, so that each of them has its turn.
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { globSync } from 'node:fs'
import { join } from 'node:path'

export type Suite = 'deep' | 'servers'

/** How much a commit is tried with: two or three minutes, of which a file takes one part, unless it takes more. */
export const mostParts: Readonly<Record<Suite, number>> = { deep: 8, servers: 4 }
export const longer: Readonly<Record<string, number>> = {
  'test/deep/faults/processes.test.ts': 5,
  'test/deep/maxima/maxima.test.ts': 3,
  'test/unit/shared/automation/processes/steps/calls.deep.test.ts': 3,
  'test/servers/web-app.test.ts': 2,
}
export const partsOf = (test: string): number => longer[test] ?? 1

/** What changes in a folder concern, beside the deep tests of the same folder of `test/unit`. */
const concerned: Readonly<Record<Suite, readonly (readonly [changed: RegExp, tests: RegExp])[]>> = {
  deep: [
    [/^shared\/automation\/(bpmn|processes)\//, /story\/processes\/|faults\/process|maxima\/processes|aws-time\/work/],
    [/^shared\/automation\/|^shared\/messages\//, /story\/incoming\/|faults\/messenger|aws-time\/work/],
    [/^shared\/lists\//, /story\/lists\/|aws-time\/(lists|references)|maintenance\/re(build|index)/],
    [/^shared\/(records|tables)\//, /story\/(records|tables|batches)\/|faults\/(records|relations|history)/],
    [/^shared\/operations\//, /story\/(batches|import-export|maintenance)\/|faults\/(bulk|tenants)/],
    [/^shared\/(platform|kernel)\//, /maintenance\/throttling|killed-service|faults\/(records|bulk)|aws-time/],
    [/^shared\/accounts\//, /faults\/tenants|api\/fuzz/],
    [/^shared\/scripts\//, /busy-scripts|beside-imports|maxima/],
    [/^(functions|infra\/catalogue)\//, /api\/fuzz|maxima|large-configuration/],
    [/^infra\/local\//, /local-start|killed-service|infra\/local\//],
    [/^docs\/guide\//, /service-desk/],
  ],
  servers: [
    [/^(web|infra\/web-app)\//, /\/web-/],
    [/^shared\/(messages|platform\/mail)\//, /\/(mail|amqp)\//],
    [/^(functions\/api|shared\/platform\/http|shared\/client|infra\/client-types)\//, /openapi|client-types|docs-page/],
    [/^shared\/accounts\//, /oauth|link-pages/],
    [/^shared\/automation\/(bpmn|processes)\//, /bpmn-js/],
    [/^shared\/lists\//, /ag-grid/],
    [/^infra\/local\//, /front-page|outbox-page/],
  ],
}

/** What touches the web app is always tried in a browser, with this first. */
const always: readonly (readonly [changed: RegExp, test: string])[] = [
  [/^(web|infra\/web-app)\//, 'test/servers/web-app.test.ts'],
]

export interface Choice {
  readonly suite: Suite
  /** The files that the commit changed. */
  readonly changed: readonly string[]
  readonly all: readonly string[]
  /** Draws among those that there is no time for. */
  readonly seed: string
}

export function chosenTests({ suite, changed, all, seed }: Choice): string[] {
  const places = new Map(all.map((test) => [test, createHash('sha256').update(`${seed} ${test}`).digest('hex')]))
  const placeOf = (test: string): string => places.get(test) as string
  const drawn = all.toSorted((one, other) => (placeOf(one) < placeOf(other) ? -1 : 1))
  const rules = concerned[suite].filter(([pattern]) => changed.some((file) => pattern.test(file)))
  const isConcerned = (test: string): boolean =>
    changed.includes(test) ||
    changed.some((file) => test.startsWith(`test/unit/${roomOf(file)}/`)) ||
    rules.some(([, pattern]) => pattern.test(test))
  const first = always.filter(([pattern]) => changed.some((file) => pattern.test(file))).map(([, test]) => test)
  const changedTests = drawn.filter((test) => changed.includes(test))
  const inOrder = [...first, ...changedTests, ...drawn.filter(isConcerned), ...drawn]
  let left = mostParts[suite]
  return [...new Set(inOrder)].filter((test) => {
    if (!all.includes(test) || partsOf(test) > left) return false
    left -= partsOf(test)
    return true
  })
}

/** `shared/lists/query` of a file in it. */
const roomOf = (file: string): string => file.split('/').slice(0, 3).join('/')

const patterns: Readonly<Record<Suite, string>> = {
  deep: 'test/{deep/**/*.test.ts,**/*.deep.test.ts}',
  servers: 'test/servers/**/*.test.ts',
}

export const testsOf = (suite: Suite): string[] =>
  [...new Set(globSync(patterns[suite], { cwd: join(import.meta.dirname, '..'), exclude: ['**/node_modules'] }))].sort()

if (import.meta.main) {
  const git = (...given: string[]): string => execFileSync('git', given, { encoding: 'utf8' }).trim()
  const suite = process.argv[2] as Suite
  const seed = git('rev-parse', 'HEAD')
  // All of a merge, and in a clone without history all files.
  const changed = git('diff-tree', '-r', '-m', '--first-parent', '--root', '--no-commit-id', '--name-only', seed)
  console.log(chosenTests({ suite, changed: changed.split('\n'), all: testsOf(suite), seed }).join('\n'))
}
