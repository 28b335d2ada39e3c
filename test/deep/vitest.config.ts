import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { isFullDepth } from '../make/depth.ts'
import { assembledSuite, deepTests, runOf } from '../vitest.config.ts'

const root = join(import.meta.dirname, '../..')

/** The tests of `npm test` that try a sample there: at full depth they run here, with all of their cases. */
function sampledTests(): string[] {
  if (!isFullDepth) return []
  const importing = ['grep', '-l', '--untracked', 'make/depth.ts', '--', 'test/unit', 'test/contract', 'test/story']
  return execFileSync('git', importing, { cwd: root, encoding: 'utf8' }).split('\n').filter(Boolean)
}

/** Limits together, faults at each call, kills, and what `npm test` only samples. */
export default runOf('deep', [
  assembledSuite('deep', { include: ['test/deep/**/*.test.ts', deepTests, ...sampledTests()], exclude: [] }),
])
