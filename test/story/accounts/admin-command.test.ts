import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { publishEndpoint } from '../../../infra/local/runtime/local-endpoint.ts'
import { startService } from '../../make/services/service.ts'

let directory: string
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'admin-command-'))
})
afterAll(() => rm(directory, { recursive: true, force: true }))

/** `npm run admin -- ...` on the data directory of this test. */
function admin(...given: string[]): Promise<{ code: number; out: string; err: string }> {
  const env = { ...process.env, DATA_DIR: directory, APP_URL: '', PORT: '3000' }
  return new Promise((resolve) => {
    execFile(process.execPath, ['infra/operate/admin.ts', ...given], { env }, (error, out, err) =>
      resolve({ code: Number(error?.code ?? 0), out, err }),
    )
  })
}

const secretIn = (text: string): string => /\/join\/([A-Za-z0-9_-]{43})/.exec(text)?.[1] as string
const answer = (password: string) => ({ name: 'Operator', password, password_confirmation: password })

describe('npm run admin', () => {
  it('says what to do when there is no service yet', async () => {
    const { code, err } = await admin('--email', 'first@acme.test')
    expect([code, err]).toEqual([1, expect.stringMatching(/^There is no service in .*: run npm start first.*\n$/)])
  })

  it('creates the tenant of an empty deployment, invites its first administrator, and can invite the same person again', async () => {
    await (await startService({ dataDirectory: directory, seeded: false })).stop()
    const first = await admin('--email', 'First@acme.test')
    expect(first).toMatchObject({ code: 0, err: '' })
    expect(first.out).toContain('first@acme.test is invited as administrator of main')

    const service = await startService({ dataDirectory: directory, seeded: false })
    const joined = await service.api('POST', `/api/join/${secretIn(first.out)}`, { body: answer('brass gears 1843') })
    expect([joined.status, joined.body.user.roles, joined.body.tenant.slug]).toEqual([201, ['admin'], 'main'])
    expect((await service.api('GET', '/api/sys/users', { token: joined.body.token })).status).toBe(200)
    await service.stop()

    const again = await admin('--email', 'first@acme.test', '--tenant', 'main')
    const later = await startService({ dataDirectory: directory, seeded: false })
    expect(
      (await later.api('POST', `/api/join/${secretIn(again.out)}`, { body: answer('found again 7') })).status,
    ).toBe(201)
    const login = (password: string) =>
      later.api('POST', '/api/login-local', { body: { email: 'first@acme.test', password } })
    expect([(await login('brass gears 1843')).status, (await login('found again 7')).status]).toEqual([401, 200])
    await later.stop()
  })

  it('works through the running service, and on the data directory once the service has stopped', async () => {
    const running = await startService({ dataDirectory: directory, seeded: false })
    expect((await admin('--email', 'busy@acme.test')).err).toContain('is in use by another process')
    const dynamodb = await running.cloud.serveTools()
    await publishEndpoint(directory, { dynamodb, url: 'http://localhost:4321' })
    expect((await fetch(new URL('/', dynamodb), { method: 'POST', body: '{}' })).status).toBe(403)
    expect(await admin('--email', 'running@acme.test')).toMatchObject({
      code: 0,
      out: expect.stringContaining('http://localhost:4321/join/'),
    })
    await running.stop()
    expect(await admin('--email', 'stopped@acme.test')).toMatchObject({
      code: 0,
      out: expect.stringContaining('http://localhost:3000/join/'),
    })
  })

  it.each([
    [['--email', 'x'], 'The email must be a valid email address.'],
    [['--email', 'a@b.test', '--tenant', 'mian'], 'The tenant mian was not found.'],
    [
      ['--emial', 'a@b.test'],
      '--emial is not an option of npm run admin: it knows --email, --tenant, --stage, --table, --url, --help. Did you mean --email?',
    ],
  ])('refuses %j with one clear line', async (given, line) => {
    const { code, err } = await admin(...given)
    expect([code, err.split('\n')[0]]).toEqual([1, line])
  })
})
