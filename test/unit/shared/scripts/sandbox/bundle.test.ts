import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { expect, it } from 'vitest'
import { addSandbox, bundling, commonJsBanner } from '../../../../../esbuild.config.ts'

/** Two functions in one process, as in the local cloud: the same bundle under two URLs. */
const functionSource = `
  import { createSandbox } from './shared/scripts/sandbox/sandbox.ts'
  import { checkSource } from './shared/scripts/source/check-source.ts'
  const sandbox = createSandbox()
  export const handler = (script, name) => sandbox.run({
    tenant: 1, source: checkSource(script), variables: { data: {} }, depth: 0, host: { call: async () => name },
  })`
const caller = `
  const [first, second] = await Promise.all(['first', 'second'].map((name) => import(process.argv[1] + '?function=' + name)))
  const script = '$data.name = $api->who()'
  const outcomes = await Promise.all([first.handler(script, 'first'), second.handler(script, 'second'), first.handler('new Array(2 ** 32 - 1).indexOf(1)')])
  console.log(JSON.stringify(outcomes.map(({ status, data }) => [status, data])))`

it(
  'runs in a bundle with its files, several bundles in one process, and lets the process end',
  { timeout: 240_000 },
  async () => {
    const directory = await mkdtemp(join(tmpdir(), 'sandbox-bundle-'))
    try {
      await addSandbox(directory)
      const bundle = join(directory, 'index.mjs')
      await build({
        stdin: { contents: functionSource, resolveDir: join(import.meta.dirname, '../../../../..') },
        ...bundling,
        outfile: bundle,
        banner: { js: commonJsBanner },
      })
      const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', caller, bundle], {
        timeout: 40_000,
        env: {},
        cwd: directory,
      })
      expect(JSON.parse(stdout)).toEqual([
        ['ok', { name: 'first' }],
        ['ok', { name: 'second' }],
        ['stopped', null],
      ])
    } finally {
      await rm(directory, { recursive: true, force: true })
    }
  },
)
