/**
 * `npm run mutation -- <folder or file>...`: changes the code in one place at a time and runs the tests that reach it: the
 * unit test of the same name, the unit tests of its folder with the stories that `stories.ts` names for it, then all unit
 * tests that import the file. What no test notices is printed, and kept in the report unless `equivalent.json` explains it.
 *
 * It changes files of the working copy and restores them: run it in a copy of its own. MUTANTS (40): how many are drawn,
 * conditions of writes first. MUTATION_SEED (1). MUTATION_REPORT (mutation-report.json): the outcomes, as they come.
 * MUTATION_STORIES=0: unit tests only. MUTATION_RELATED=0: without the unit tests of other folders.
 * MUTATION_ONLY=<report>: only what survived there.
 */
import { spawn } from 'node:child_process'
import { existsSync, globSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { setPriority } from 'node:os'
import { dirname } from 'node:path'
import { seeded } from '../make/builders/lists/query-records.ts'
import { allInOne } from './all-in-one.ts'
import { type Mutant, mutantsOf } from './mutants.ts'
import { storiesOf } from './stories.ts'

/** How long the tests of a mutant may take: several times what they take without a change. */
const leastMs = 60_000
const timesLonger = 4
/** It runs beside other work, at the lowest priority: a test that is late has noticed nothing. */
const patient = ['--testTimeout=200000', '--hookTimeout=200000']
const wanted = Number(process.env['MUTANTS'] ?? 40)
const withStories = process.env['MUTATION_STORIES'] !== '0'
const withRelated = process.env['MUTATION_RELATED'] !== '0'
const onlyFile = process.env['MUTATION_ONLY']
const reportFile = process.env['MUTATION_REPORT'] ?? 'mutation-report.json'
const random = seeded(Number(process.env['MUTATION_SEED'] ?? 1))
/** What survives and may: the file, the line, what was changed in it, and why no test can tell. */
const equivalent = JSON.parse(readFileSync(new URL('equivalent.json', import.meta.url), 'utf8')) as readonly (Change & {
  readonly why: string
})[]

type Outcome = 'killed' | 'timed out' | 'equivalent' | 'survived'
type Change = Pick<Mutant, 'file' | 'at' | 'what'>
interface Tried extends Change {
  readonly outcome: Outcome
  readonly line: number
  readonly by?: string
  readonly why?: string
}

// The tests inherit it: nobody has to wait for a mutant.
setPriority(15)
const survivors =
  onlyFile === undefined ? undefined : survivorsOf(JSON.parse(readFileSync(onlyFile, 'utf8')) as Tried[])
const named = process.argv.slice(2).flatMap(filesOf)
const files = named.length > 0 ? named : [...new Set(survivors?.map(({ file }) => file))]
if (files.length === 0) throw new Error('Name folders or files: npm run mutation -- shared/platform/store')
const drawn = draw(
  files
    .flatMap((file) => mutantsOf(file, readFileSync(file, 'utf8')))
    .filter((mutant) => !survivors || survivors.some((one) => isSame(one, mutant))),
)
console.log(`${drawn.length} mutants of ${files.length} files`)
const variants = allInOne(drawn)
process.once('exit', () => variants.restore())
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
/** How long each suite took without a change. */
const usualMs = new Map<string, number>()
// A test that fails anyway kills every mutant.
for (const parts of new Map(
  drawn.flatMap(({ file }) => suitesOf(file)).map((suite) => [suite.join(' '), suite] as const),
).values()) {
  console.log(`unchanged: vitest ${parts.join(' ')}`)
  const startedAt = performance.now()
  const { outcome, by } = await vitest(parts, 600_000)
  if (outcome !== 'passed') throw new Error(`Without a change ${parts.join(' ')} ${outcome}: ${by ?? 'too slow'}`)
  usualMs.set(parts.join(' '), performance.now() - startedAt)
}
const outcomes: Tried[] = []
for (const [index, mutant] of drawn.entries()) {
  const { file, line, at, what } = mutant
  const known = equivalent.find((one) => isSame(one, mutant))
  const { outcome, by } = known ? { outcome: 'equivalent' as const, by: undefined } : await tryMutant(mutant)
  outcomes.push({ outcome, file, line, at, what, ...(by && { by }), ...(known && { why: known.why }) })
  writeFileSync(reportFile, `${JSON.stringify(outcomes, null, 2)}\n`)
  console.log(`${index + 1}/${drawn.length} ${outcome}: ${file}:${line} ${what}${by ? `\n    by ${by}` : ''}`)
}
const counts = Object.entries(Object.groupBy(outcomes, ({ outcome }) => outcome))
console.log(counts.map(([outcome, some]) => `${some.length} ${outcome}`).join(', '))
if (outcomes.some(({ outcome }) => outcome === 'survived')) process.exitCode = 1

function filesOf(path: string): string[] {
  return statSync(path).isDirectory() ? globSync(`${path}/**/*.ts`).sort() : [path]
}

function survivorsOf(report: readonly Tried[]): Tried[] {
  return report.filter(({ outcome }) => outcome === 'survived' || outcome === 'timed out')
}

function isSame(one: Change, other: Change): boolean {
  return one.file === other.file && one.at === other.at && one.what === other.what
}

/** Conditions of writes first, then others by chance. */
function draw(all: readonly Mutant[]): readonly Mutant[] {
  const shuffled = all.map((one) => ({ one, at: random(1_000_000) - (one.isCondition ? 1_000_000 : 0) }))
  return shuffled
    .sort((a, b) => a.at - b.at)
    .slice(0, wanted)
    .map(({ one }) => one)
}

async function tryMutant(mutant: Mutant): Promise<{ outcome: Outcome; by?: string }> {
  variants.choose(mutant)
  for (const parts of suitesOf(mutant.file)) {
    const ended = await vitest(parts, Math.max(leastMs, timesLonger * (usualMs.get(parts.join(' ')) as number)))
    if (ended.outcome !== 'passed')
      return { outcome: ended.outcome === 'failed' ? 'killed' : 'timed out', by: ended.by }
  }
  return { outcome: 'survived' }
}

/**
 * The arguments of vitest: the unit test of the same name, which notices most, the unit tests of the file's folder with its
 * stories, then all unit tests that import the file.
 */
function suitesOf(file: string): readonly (readonly string[])[] {
  const own = `test/unit/${dirname(file)}`
  const sameName = `test/unit/${file.replace(/\.ts$/, '.test.ts')}`
  const near = [
    ...(existsSync(own) ? [own] : []),
    ...storiesOf(file).filter((path) => withStories || path.startsWith('test/unit/')),
  ]
  const inDeep = near.filter(isDeep)
  const others = near.filter((path) => !inDeep.includes(path))
  const projects = ['unit', 'story'].filter((name) => others.some((path) => path.startsWith(`test/${name}/`)))
  return [
    ...(existsSync(sameName) ? [['run', sameName, '--project', 'unit*']] : []),
    ...(others.length > 0 ? [['run', ...others, ...projects.flatMap((name) => ['--project', `${name}*`])]] : []),
    ...(inDeep.length > 0 ? [['run', ...inDeep]] : []),
    ...(withRelated ? [['related', file, '--project', 'unit*']] : []),
  ]
}

/** Whether a file runs with `npm run test:deep`. */
function isDeep(path: string): boolean {
  return path.startsWith('test/deep/') || path.endsWith('.deep.test.ts')
}

interface Ended {
  readonly outcome: 'passed' | 'failed' | 'timed out'
  /** The first test that failed, and why: a failure has to be about the change. */
  readonly by?: string
}

function vitest(parts: readonly string[], maxMs: number): Promise<Ended> {
  const child = spawn(
    process.execPath,
    [
      'node_modules/vitest/vitest.mjs',
      ...parts,
      ...patient,
      '--run',
      '--bail=1',
      '--passWithNoTests',
      '--config',
      parts.some(isDeep) ? 'test/deep/vitest.config.ts' : 'test/vitest.config.ts',
    ],
    { stdio: ['ignore', 'ignore', 'pipe'], detached: true, env: { ...process.env, NO_COLOR: '1' } },
  )
  // The whole group: vitest's workers and the services that they started.
  const endGroup = () =>
    void (child.exitCode === null && child.signalCode === null && process.kill(-(child.pid as number), 'SIGKILL'))
  process.once('exit', endGroup)
  let errors = ''
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()))
  return new Promise((resolve) => {
    const timer = setTimeout(() => {
      endGroup()
      resolve({ outcome: 'timed out' })
    }, maxMs)
    child.once('close', (code) => {
      clearTimeout(timer)
      process.removeListener('exit', endGroup)
      if (code === 0) return resolve({ outcome: 'passed' })
      const lines = errors.split('\n').filter((line) => /^\s*FAIL |Error: /.test(line))
      const at = Math.max(
        0,
        lines.findIndex((line) => /^\s*FAIL /.test(line)),
      )
      resolve({
        outcome: 'failed',
        by: lines
          .slice(at, at + 2)
          .map((line) => line.trim())
          .join(' | ')
          .slice(0, 300),
      })
    })
  })
}
