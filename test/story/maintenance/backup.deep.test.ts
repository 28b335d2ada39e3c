import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { publishEndpoint } from '../../../infra/local/runtime/local-endpoint.ts'
import { makeTable } from '../../make/builders/records/tables.ts'
import { startService, type TestService } from '../../make/services/service.ts'

let folder: string
let data: string
let token: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'backup-'))
  data = join(folder, 'data')
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** `npm run <command> -- ...` with this data directory. */
function run(command: 'backup' | 'restore', directory: string, ...given: string[]) {
  const env = { ...process.env, DATA_DIR: directory }
  return new Promise<{ code: number; out: string; err: string }>((resolve) => {
    execFile(process.execPath, [`infra/operate/${command}.ts`, ...given], { env }, (error, out, err) =>
      resolve({ code: Number(error?.code ?? 0), out, err }),
    )
  })
}

const titlesIn = async (service: TestService): Promise<string[]> =>
  (await service.api('GET', '/api/e/things?per_page=1000&sort=id', { token })).body.data.map(
    ({ data: { title } }: { data: { title: string } }) => title,
  )

describe('npm run backup', () => {
  it('copies a running service as it is at one moment, with its files, while others write', async () => {
    const service = await startService({ dataDirectory: data })
    token = service.admin.token
    await publishEndpoint(data, { dynamodb: await service.cloud.serveTools(), url: service.url })
    await makeTable(service, 'things', [
      { name: 'title', type: 'text' },
      { name: 'document', type: 'file' },
    ])
    const begun = (
      await service.api('POST', '/api/files', {
        token,
        body: { name: 'note.txt', content_type: 'text/plain', size: 5 },
      })
    ).body.data
    const { url, method, headers } = begun.upload
    expect((await fetch(url, { method, headers, body: 'hello' })).ok).toBe(true)
    const document = begun.path
    expect((await service.api('POST', '/api/e/things', { token, body: { title: '0', document } })).status).toBe(201)

    let isWriting = true
    const writing = (async () => {
      for (let n = 1; isWriting && n < 900; n += 1)
        await service.api('POST', '/api/e/things', { token, body: { title: String(n) } })
    })()
    const made = await run('backup', data, '--to', join(folder, 'copy'))
    isWriting = false
    await writing
    expect(made).toMatchObject({
      code: 0,
      err: '',
      out: expect.stringMatching(/^\d+ entries and [1-9]\d* files are in /),
    })
    expect(existsSync(join(folder, 'copy.partial'))).toBe(false)
    expect((await stat(join(folder, 'copy'))).mode & 0o077).toBe(0)

    const again = await run('backup', data, '--to', join(folder, 'copy'))
    expect([again.code, again.err]).toEqual([1, expect.stringContaining('is not empty: name a new folder')])
    const running = await run('restore', data, '--from', join(folder, 'copy'), '--force')
    expect([running.code, running.err]).toEqual([1, expect.stringMatching(/^A service runs on .*: stop it first\.\n$/)])
    await service.stop()
  })

  it('is restored into a new directory, where the service goes on from that moment', async () => {
    const restored = join(folder, 'restored')
    expect(await run('restore', restored, '--from', join(folder, 'copy'))).toMatchObject({ code: 0, err: '' })
    const service = await startService({ dataDirectory: restored, seeded: false })
    const titles = await titlesIn(service)
    // Writes follow each other, so a moment has all up to one of them.
    expect(titles).toEqual(titles.map((_, n) => String(n)))
    const [first] = (await service.api('GET', '/api/e/things?sort=id', { token })).body.data
    const path = encodeURIComponent(first.data.document)
    const file = (await service.api('GET', `/api/files?path=${path}`, { token })).body.data
    expect(await (await fetch(file.url)).text()).toBe('hello')
    expect((await service.api('POST', '/api/e/things', { token, body: { title: 'later' } })).status).toBe(201)
    await service.stop()
  })

  it('copies a service that is stopped, and is restored over data with --force, which is moved aside', async () => {
    const restored = join(folder, 'restored')
    expect(await run('backup', restored, '--to', join(folder, 'second'))).toMatchObject({ code: 0 })
    const refused = await run('restore', restored, '--from', join(folder, 'second'))
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('is not empty')])
    const forced = await run('restore', restored, '--from', join(folder, 'second'), '--force')
    expect(forced).toMatchObject({ code: 0, out: expect.stringMatching(/^What was in .* is in .*\.before-/) })
    expect((await readdir(folder)).some((name) => name.startsWith('restored.before-'))).toBe(true)
    const service = await startService({ dataDirectory: restored, seeded: false })
    expect((await titlesIn(service)).at(-1)).toBe('later')
    await service.stop()
  })

  it('refuses what is no backup, and what keeps nothing', async () => {
    await writeFile(join(folder, 'file'), '')
    const [none, memory, inside] = [
      await run('restore', join(folder, 'new'), '--from', folder),
      await run('backup', ':memory:', '--to', join(folder, 'third')),
      await run('backup', data, '--to', join(data, 'inside')),
    ]
    expect([none.code, none.err]).toEqual([1, expect.stringContaining('is no backup: it has no backup.json')])
    expect([memory.code, memory.err]).toEqual([1, expect.stringContaining('keeps nothing to back up')])
    expect([inside.code, inside.err]).toEqual([1, expect.stringContaining('may not be inside each other')])
    expect(existsSync(join(folder, 'new'))).toBe(false)
  })
})
