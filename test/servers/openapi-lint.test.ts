import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { apiDocument } from '../../functions/api/api-docs/api-document.ts'
import { typedDocument } from '../../shared/tables/record-types/typed-document.ts'
import { typedSampleTables } from '../make/builders/records/typed-sample-tables.ts'

const run = promisify(execFile)
const tool = (name: string): string => join(import.meta.dirname, 'node_modules', '.bin', name)

const generic = apiDocument({ version: '1.2.3', serverUrl: 'https://service.test' })
const documents = {
  'of any tenant': generic,
  "with a tenant's tables": typedDocument(generic, typedSampleTables, {
    isAdministrator: true,
    permissions: [],
    grants: [],
  }),
}

/** The browser is only ever sent on from there. */
const redirectOnly: ReadonlySet<string | undefined> = new Set([
  'operation-2xx-response /api/auth/{provider}/redirect',
  'operation-2xx-response /api/files/sent/{token}',
])
/** Spectral takes the member `default` of an example for the default of a schema; our own test validates examples. */
const isDefaultInExample = (path: readonly string[]): boolean => path.includes('example') && path.at(-1) === 'default'

describe.each(Object.entries(documents))('the OpenAPI document %s', (_, document) => {
  let folder: string
  const file = () => join(folder, 'openapi.json')
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'openapi-lint-'))
    await writeFile(file(), JSON.stringify(document))
    await writeFile(join(folder, 'redocly.yaml'), 'extends: [recommended]\ntelemetry: off\n')
    await writeFile(join(folder, 'spectral.yaml'), 'extends: ["spectral:oas"]\n')
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  it('is clean by the recommended rules of Redocly', async () => {
    const { problems } = await jsonOf(
      tool('redocly'),
      ['lint', file(), '--config', join(folder, 'redocly.yaml'), '--format=json', '--max-problems=1000'],
      folder,
    )
    const found = (problems as { ruleId: string; message: string; location: { pointer?: string }[] }[]).map(
      ({ ruleId, message, location }) => {
        const [, path = ''] = /#\/paths\/([^/]+)/.exec(location[0]?.pointer ?? '') ?? []
        return `${ruleId} ${path.replaceAll('~1', '/')}${ruleId === 'operation-2xx-response' ? '' : ` ${message}`}`
      },
    )
    expect(found.filter((one) => !redirectOnly.has(one))).toEqual([])
  })

  it('is clean by the recommended rules of Spectral', async () => {
    const found = (await jsonOf(
      tool('spectral'),
      ['lint', file(), '--ruleset', join(folder, 'spectral.yaml'), '--format=json', '--quiet', '--fail-severity=hint'],
      folder,
    )) as { code: string; message: string; path: string[] }[]
    expect(
      found
        .filter(({ path }) => !isDefaultInExample(path))
        .map(({ code, message, path }) => `${code} ${path.join('/')} ${message}`),
    ).toEqual([])
  })
})

/** What a linter prints as JSON; it ends with an error when it found something. */
async function jsonOf(command: string, args: readonly string[], cwd: string) {
  const { stdout } = await run(command, args, { cwd, maxBuffer: 64 * 1024 * 1024 }).catch(
    (error: { stdout?: string }) => {
      if (!error.stdout) throw error
      return { stdout: error.stdout }
    },
  )
  return JSON.parse(stdout.slice(stdout.search(/[[{]/))) as never
}
