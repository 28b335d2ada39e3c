import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { freePort, type Run, root, start } from '../make/services/start-script.ts'

describe('npm start', () => {
  it('does all that npm run smoke tries, and keeps nothing of it', async () => {
    const password = 'correct horse battery'
    const url = await start({ ADMIN_EMAIL: 'ada@acme.test', ADMIN_PASSWORD: password }).ready()
    const smoke = (...given: string[]) =>
      promisify(execFile)('node', ['infra/operate/smoke/main.ts', '--url', url, '--email', 'ada@acme.test', ...given], {
        cwd: root,
        env: { ...process.env, SMOKE_PASSWORD: password },
      })
    const { stdout } = await smoke()
    expect(stdout).not.toMatch(/^failed/m)
    expect(stdout.match(/^ok .*(?=  )/gm)).toHaveLength(16)
    expect(stdout).toMatch(/^ok +webhook in +\d+ ms$/m)
    expect(stdout).toMatch(/\nEverything works\.\n$/)
    const login = await fetch(`${url}/api/login-local`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'ada@acme.test', password }),
    })
    const { token } = (await login.json()) as { token: string }
    for (const path of ['entities', 'channels', 'inbound-sources']) {
      const left = await fetch(`${url}/api/sys/${path}`, { headers: { authorization: `Bearer ${token}` } })
      expect([path, await left.text()]).toEqual([path, expect.not.stringContaining('smoke_')])
    }
    await expect(smoke('--tenant', 'nobody')).rejects.toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/^failed +login .*POST \/api\/login-local is 401/m),
    })
  }, 180_000)

  it.each(['SIGINT', 'SIGTERM'] as const)(
    'prints when it is ready, and exits at once with code 0 on %s',
    async (signal) => {
      const run = start({})
      const url = await run.ready()
      expect((await fetch(`${url}/api/health`)).status).toBe(200)
      const from = performance.now()
      run.child.kill(signal)
      expect(await run.ended).toBe(0)
      // It waits two seconds at most for what runs; the rest is the machine's.
      expect(performance.now() - from).toBeLessThan(40_000)
      expect(run.err()).toBe('')
    },
  )

  it('is not healthy before the administrator can sign in and the demo exists', { timeout: 240_000 }, async () => {
    const port = await freePort()
    const url = `http://127.0.0.1:${port}`
    start({ PORT: String(port), SEED: 'demo' })
    while (!(await fetch(`${url}/api/health`).catch(() => undefined))?.ok)
      await new Promise((resolve) => setTimeout(resolve, 20))
    const body = JSON.stringify({ email: 'admin@example.com', password: 'correct horse battery' })
    const login = (await (await fetch(`${url}/api/login-local`, { method: 'POST', body })).json()) as { token?: string }
    const records = await fetch(`${url}/api/e/requests`, { headers: { authorization: `Bearer ${login.token}` } })
    // The rule for messages may already have made a fourth of the demo's message.
    const ids = ((await records.json()) as { data: { id: number }[] }).data.map(({ id }) => id)
    expect([records.status, ids]).toEqual([200, expect.arrayContaining([1, 2, 3])])
  })

  it.each([
    ['short', 'The password must be at least 8 characters.'],
    ['password123', 'The password is too common.'],
    ['admin@example.com', 'The password must not be your name or e-mail address.'],
  ])('refuses the weak password %s as the API would', async (password, reason) => {
    const run = start({ ADMIN_PASSWORD: password })
    expect(await run.ended).toBe(1)
    expect(run.err()).toBe(
      `ADMIN_PASSWORD is refused: ${reason} Set another one, or none: then one is made up and printed.\n`,
    )
  })

  it('prints its variables with --help, its version with --version, and refuses other options', async () => {
    const entry = join(root, 'infra/local/start.mjs')
    const runs = [['--help'], ['--version'], ['--hepl']].map((options) => start({}, entry, options))
    expect(await Promise.all(runs.map(({ ended }) => ended))).toEqual([0, 0, 1])
    const [help, version, typo] = runs as [Run, Run, Run]
    expect(help.out()).toMatch(/^Usage: [^]*\n {2}DATA_DIR +\.local +where all data is stored/)
    expect(version.out()).toMatch(/^\d+\.\d+\.\d+\n$/)
    expect(typo.err()).toMatch(/Did you mean --help\?\n$/)
  })

  it(
    'shows where to begin at /_local/start, and names path and tenant of requests in the log',
    { timeout: 240_000 },
    async () => {
      const run = start({ SEED: 'demo', LOG_LEVEL: 'INFO' })
      const url = await run.ready()
      const page = await fetch(`${url}/_local/start`, { headers: { accept: 'text/html' } })
      expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
      expect(await page.text()).toContain('href="/api/docs"')
      const { data } = (await (await fetch(`${url}/_local/start`)).json()) as { data: any }
      expect(data).toMatchObject({
        links: { reference: '/api/docs', outbox: '/_local/outbox' },
        tenant: 'demo',
        tables: [{ name: 'clients' }, { name: 'requests' }],
      })
      const pages = Object.values(data.links as Record<string, string>)
      expect(await Promise.all(pages.map(async (path) => (await fetch(url + path)).status))).toEqual(
        pages.map(() => 200),
      )
      const { method, path, body } = data.sign_in
      const answer = await fetch(url + path, {
        method,
        body: JSON.stringify({ ...body, password: 'correct horse battery' }),
      })
      const { token } = (await answer.json()) as { token: string }
      await fetch(`${url}${data.tables[1].records}/1`, { headers: { authorization: `Bearer ${token}` } })
      await fetch(`${url}/api/join/9|a-secret-of-somebody`)
      const lines = () =>
        run
          .out()
          .split('\n')
          // The last one may not be complete yet.
          .slice(0, -1)
          .filter((line) => line.includes('"message":"request"'))
          .map((line) => JSON.parse(line))
      while (!['/api/e/requests/1', '/api/join/***'].every((at) => lines().some(({ path: of }) => of === at)))
        await new Promise((resolve) => setTimeout(resolve, 20))
      expect(lines().filter(({ path: at }) => at === '/api/e/requests/1')).toMatchObject([
        {
          path: '/api/e/requests/1',
          tenant: 'demo',
          tenant_id: 1,
          user_id: 1,
          status: 200,
          request_id: expect.any(String),
        },
      ])
      expect(
        lines()
          .filter(({ path: at }) => at === '/api/login-local')
          .at(-1),
      ).toMatchObject({ tenant: 'demo' })
      expect(lines().find(({ path: at }) => at === '/api/join/***')).toMatchObject({ status: 404 })
      expect(run.out()).not.toContain('a-secret-of-somebody')
    },
  )
})
