import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { assemble } from '../infra/local/template/assemble.ts'

/**
 * Vitest's global setup: the assembly begins beside the tests that need none. Workers wait for the file that `ASSEMBLED`
 * names (await-assembly.ts) instead of each making one; it holds the reason when none could be made.
 */
export function setup(): (() => void) | undefined {
  // Each project sets up; the first one of a run begins.
  if (process.env.ASSEMBLED !== undefined) return undefined
  const directory = mkdtempSync(join(tmpdir(), 'assembled-'))
  const file = join(directory, 'done')
  process.env.ASSEMBLED = file
  const tell = (reason: string): void => {
    writeFileSync(`${file}.draft`, reason)
    renameSync(`${file}.draft`, file)
  }
  assemble().then(
    () => tell(''),
    (error: unknown) => tell(String(error)),
  )
  return () => rmSync(directory, { recursive: true, force: true })
}
