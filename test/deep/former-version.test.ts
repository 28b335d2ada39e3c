/**
 * An upgrade that is taken back: a former version makes the data, this one writes to it, the former one reads that, and nothing
 * is lost either way. What this version alone knows, such as a new type of field, no upgrade puts into data by itself.
 */
import { execFileSync } from 'node:child_process'
import { mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { startProcess, type ServiceProcess } from '../make/services/service-process.ts'

const root = join(import.meta.dirname, '../..')
/** Of 24 November 2026. */
const former = '2b765d41'
const administrator = { ADMIN_EMAIL: 'owner@example.com', ADMIN_PASSWORD: 'brass gears 1843', SEED: 'demo' }

const git = (...words: string[]): string => execFileSync('git', words, { cwd: root, encoding: 'utf8', stdio: 'pipe' })
/** A copy without history holds no other version. */
const hasFormer = (() => {
  try {
    return git('cat-file', '-t', former).trim() === 'commit'
  } catch {
    return false
  }
})()

type Answer = { readonly status: number; readonly body: any }

async function signIn({ url }: ServiceProcess) {
  const call =
    (token: string | undefined) =>
    async (method: string, path: string, body?: unknown): Promise<Answer> => {
      const answer = await fetch(`${url}${path}`, {
        method,
        headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      const text = await answer.text()
      return { status: answer.status, body: text === '' ? undefined : JSON.parse(text) }
    }
  const { ADMIN_EMAIL: email, ADMIN_PASSWORD: password } = administrator
  const { body } = await call(undefined)('POST', '/api/login-local', { email, password })
  return call(body.token)
}
type Call = Awaited<ReturnType<typeof signIn>>

/** Reads whatever a version offers without parameters, and lists of every kind. */
const reads = [
  '/api/e/requests?search=rollback',
  '/api/e/requests?sort=-priority&filter={"priority":{"_gte":1}}',
  '/api/e/requests?sort=title&per_page=2',
  '/api/e/requests/export?format=csv',
  '/api/e/clients',
  '/api/sys/history/requests/1',
  '/api/e/requests/1/comments',
  '/api/e/requests/1/timeline',
  '/api/sys/entities/name/requests',
  '/api/sys/process-tasks',
  '/api/sys/script-runs',
  '/api/sys/incoming_messages',
]

async function readAll(call: Call): Promise<string[]> {
  const { body } = await call('GET', '/api/openapi.json')
  const lists = Object.entries<Record<string, unknown>>(body.paths)
    .filter(([path, methods]) => 'get' in methods && !path.includes('{'))
    .map(([path]) => path)
  const failed: string[] = []
  for (const path of [...lists, ...reads]) {
    const { status } = await call('GET', path).catch(() => ({ status: 0 }))
    if (status >= 500) failed.push(`${status} ${path}`)
  }
  return failed
}

const titles = async (call: Call): Promise<string[]> =>
  ((await call('GET', '/api/e/requests?search=rollback&per_page=100')).body.data as { data: { title: string } }[])
    .map(({ data }) => data.title)
    .toSorted()

const write = async (call: Call, title: string): Promise<void> => {
  const made = await call('POST', '/api/e/requests', { title: `rollback ${title}` })
  expect(made.status).toBe(201)
  const changed = await call('PATCH', `/api/e/requests/${made.body.data.id}`, { priority: 1 })
  expect(changed.status).toBe(200)
}

it.runIf(hasFormer)(
  'answers no 500, finds what the later version wrote, and is read by the later version again',
  async () => {
    const checkout = await mkdtemp(join(tmpdir(), 'former-version-'))
    const data = await mkdtemp(join(tmpdir(), 'former-data-'))
    let running: ServiceProcess | undefined
    const start = async (of?: string): Promise<Call> => {
      await running?.kill()
      running = await startProcess(data, administrator, of)
      return signIn(running)
    }
    const found = async (call: Call, expected: readonly string[]): Promise<void> => {
      await expect.poll(() => titles(call)).toEqual(expected.map((one) => `rollback ${one}`))
    }
    try {
      git('worktree', 'add', '--quiet', '--detach', '--force', checkout, former)
      await symlink(join(root, 'node_modules'), join(checkout, 'node_modules'))
      let call = await start(checkout)
      await write(call, 'a')
      await found(call, ['a'])

      call = await start()
      await found(call, ['a'])
      await write(call, 'b')
      await call('POST', '/api/e/requests/1/comments', { body: 'Of the later version' })
      await found(call, ['a', 'b'])
      expect(await readAll(call)).toEqual([])

      call = await start(checkout)
      expect(await readAll(call)).toEqual([])
      await found(call, ['a', 'b'])
      await write(call, 'c')
      await found(call, ['a', 'b', 'c'])

      call = await start()
      await found(call, ['a', 'b', 'c'])
      await write(call, 'd')
      await found(call, ['a', 'b', 'c', 'd'])
      expect(await readAll(call)).toEqual([])
    } finally {
      await running?.kill()
      git('worktree', 'remove', '--force', checkout)
      await rm(data, { recursive: true, force: true })
    }
  },
  400_000,
)
