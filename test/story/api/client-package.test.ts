import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeTable } from '../../make/builders/records/tables.ts'
import { sharedService, type TestService } from '../../make/services/service.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../../..')
const tsc = join(root, 'node_modules', '.bin', 'tsc')

let service: TestService
/** A project of somebody else, with the packed client and what it depends on. */
let project: string

beforeAll(async () => {
  service = await sharedService()
  project = await mkdtemp(join(tmpdir(), 'client-package-'))
  const packages = join(project, 'node_modules')
  await mkdir(packages)
  const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', project], {
    cwd: join(root, 'shared', 'client'),
    env: { ...process.env, PATH: `${join(root, 'node_modules', '.bin')}:${process.env['PATH']}` },
  })
  const [{ filename }] = JSON.parse(stdout.slice(stdout.indexOf('['))) as [{ filename: string }]
  await run('tar', ['-xzf', join(project, filename), '-C', project])
  await rename(join(project, 'package'), join(packages, 'entity-workflow-client'))
  for (const name of ['openapi-fetch', 'openapi-typescript-helpers', '@types/node', 'undici-types'])
    await cp(join(root, 'node_modules', name), join(packages, name), { recursive: true })
  await writeFile(join(project, 'package.json'), JSON.stringify({ type: 'module' }))
  await cp(join(root, 'test', 'make', 'demo-api.d.ts'), join(project, 'my-api.d.ts'))
})
afterAll(async () => {
  await rm(project, { recursive: true, force: true })
  await service?.stop()
})

describe('the packed client', () => {
  it('has JavaScript and types, and nothing else', async () => {
    const content = await readdir(join(project, 'node_modules', 'entity-workflow-client'), { recursive: true })
    expect(content.toSorted()).toEqual([
      'dist',
      'dist/api-error.d.ts',
      'dist/api-error.js',
      'dist/api.d.ts',
      'dist/index.d.ts',
      'dist/index.js',
      'dist/query.d.ts',
      'dist/query.js',
      'dist/requests.d.ts',
      'dist/requests.js',
      'package.json',
    ])
  })

  it('runs in a project of somebody else', async () => {
    await makeTable(service, 'things', [{ name: 'title', type: 'text', required: true }])
    await writeFile(
      join(project, 'run.mjs'),
      `import { ApiError, createClient, everyRow, idempotencyKey } from 'entity-workflow-client'
      const api = createClient({ baseUrl: process.env.URL, token: process.env.TOKEN })
      const at = { path: { model: 'things' } }
      const { data } = await api.post('/api/e/{model}', { params: { ...at, header: idempotencyKey() }, body: { title: 'Lamp' } })
      const refused = await api.post('/api/e/{model}', { params: at, body: {} }).catch((error) => error)
      const titles = []
      for await (const row of everyRow((cursor) => api.get('/api/e/{model}', { params: { ...at, query: { cursor } } })))
        titles.push(row.data.title)
      console.log(JSON.stringify([data.version, refused instanceof ApiError, refused.code, titles]))`,
    )
    const env = { ...process.env, URL: service.url, TOKEN: service.admin.token }
    const { stdout } = await run(process.execPath, ['run.mjs'], { cwd: project, env })
    expect(JSON.parse(stdout)).toEqual([1, true, 'validation_failed', ['Lamp']])
  })

  it('has the types that the samples of its guide rely on', async () => {
    const guide = await readFile(join(root, 'docs', 'client.md'), 'utf8')
    const samples = [...guide.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code]) => code as string)
    expect(samples.length).toBeGreaterThanOrEqual(2)
    await Promise.all(samples.map((code, n) => writeFile(join(project, `sample-${n}.ts`), code)))
    const compilerOptions = {
      target: 'es2024',
      module: 'nodenext',
      strict: true,
      noEmit: true,
      skipLibCheck: false,
      allowImportingTsExtensions: true,
      types: ['node'],
    }
    await writeFile(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['sample-*.ts'] }))
    const { stdout } = await run(tsc, ['-p', project]).catch((error: { stdout: string }) => error)
    expect(stdout).toBe('')
  })
})
