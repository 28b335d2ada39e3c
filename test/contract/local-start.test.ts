import { execFile, spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it, onTestFinished } from 'vitest'

const root = join(import.meta.dirname, '../..')

interface Run {
  readonly child: ChildProcess
  readonly out: () => string
  readonly err: () => string
  readonly ended: Promise<number | null>
  ready(): Promise<string>
}

/** Runs the script of `npm start` without npm, in memory by default. */
function start(
  environment: Record<string, string>,
  entry = join(root, 'infra/local/start.mjs'),
  options: readonly string[] = [],
): Run {
  const { PATH = '', HOME = '', TMPDIR = '' } = process.env
  const env = {
    PATH,
    HOME,
    TMPDIR,
    PORT: '0',
    DATA_DIR: ':memory:',
    SEED: 'none',
    ADMIN_PASSWORD: 'correct horse battery',
    ...environment,
  }
  const child = spawn(process.execPath, [entry, ...options], { env, cwd: root })
  let [out, err] = ['', '']
  child.stdout.on('data', (chunk) => (out += chunk))
  child.stderr.on('data', (chunk) => (err += chunk))
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve))
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await ended
  })
  return {
    child,
    out: () => out,
    err: () => err,
    ended,
    async ready() {
      for (;;) {
        const url = /^Ready at (http:\/\/localhost:\d+)$/m.exec(out)?.[1]
        if (url) return url
        if (child.exitCode !== null) throw new Error(`It ended with ${child.exitCode}: ${err}`)
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
    },
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

async function folder(): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), 'local-start-'))
  onTestFinished(() => rm(made, { recursive: true, force: true }))
  return made
}

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
      expect(performance.now() - from).toBeLessThan(2_000)
      expect(run.err()).toBe('')
    },
  )

  it('is not healthy before the administrator can sign in and the demo exists', async () => {
    const port = await freePort()
    const url = `http://127.0.0.1:${port}`
    start({ PORT: String(port), SEED: 'demo' })
    while (!(await fetch(`${url}/api/health`).catch(() => undefined))?.ok)
      await new Promise((resolve) => setTimeout(resolve, 20))
    const body = JSON.stringify({ email: 'admin@example.com', password: 'correct horse battery' })
    const login = (await (await fetch(`${url}/api/login-local`, { method: 'POST', body })).json()) as { token?: string }
    const records = await fetch(`${url}/api/e/requests`, { headers: { authorization: `Bearer ${login.token}` } })
    expect([records.status, ((await records.json()) as { meta: { total: number } }).meta.total]).toEqual([200, 3])
  })

  it('answers a page that was asked for while it started', async () => {
    const port = await freePort()
    const run = start({ PORT: String(port) })
    let page: Response | undefined
    while (page === undefined) {
      page = await fetch(`http://127.0.0.1:${port}/_local/start`).catch(() => undefined)
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    expect([page.status, await page.json()]).toMatchObject([200, { success: true }])
    await run.ready()
    expect([run.child.exitCode, run.err()]).toEqual([null, ''])
  })

  it('prints one line when its port is taken', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    onTestFinished(() => void server.close())
    await new Promise((resolve) => server.once('listening', resolve))
    const { port } = server.address() as AddressInfo
    const run = start({ PORT: String(port) })
    expect(await run.ended).toBe(1)
    expect(run.err()).toBe(`Port ${port} is taken: stop what listens there, or set PORT to another one.\n`)
  })

  it('prints one line when its data directory is in use or not a directory', async () => {
    const data = await folder()
    const first = start({ DATA_DIR: data })
    await first.ready()
    const second = start({ DATA_DIR: data })
    expect(await second.ended).toBe(1)
    expect(second.err()).toMatch(/^The data directory \S+ is in use by another process\.\n$/)
    await writeFile(join(data, 'file'), '')
    const third = start({ DATA_DIR: join(data, 'file') })
    expect(await third.ended).toBe(1)
    expect(third.err()).toMatch(/^The data directory \S+ is not a directory: set DATA_DIR to another path\.\n$/)
  })

  it('prints one line for an invalid setting', async () => {
    const run = start({ APP_MODE: 'multi' })
    expect(await run.ended).toBe(1)
    expect(run.err()).toBe('APP_MODE is one of single, saas, not "multi".\n')
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

  it('says that ADMIN_PASSWORD changes nothing in a data directory that has its administrator', async () => {
    const data = await folder()
    const first = start({ DATA_DIR: data })
    await first.ready()
    expect(first.out()).toContain('Administrator admin@example.com signs in with ADMIN_PASSWORD\n')
    first.child.kill('SIGTERM')
    await first.ended
    // A weak one is not refused: it is not used.
    const second = start({ DATA_DIR: data, ADMIN_PASSWORD: 'short' })
    await second.ready()
    expect(second.out()).toContain(
      'ADMIN_PASSWORD changes nothing: this data directory has its administrator, admin@example.com. A new password is set with `npm run admin -- --email admin@example.com`, or by PUT /api/user once signed in.\n',
    )
    second.child.kill('SIGTERM')
    await second.ended
    const third = start({ DATA_DIR: data, ADMIN_PASSWORD: '' })
    await third.ready()
    expect(third.out()).not.toContain('changes nothing')
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

  it('shows where to begin at /_local/start, and names path and tenant of requests in the log', async () => {
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
    expect(await Promise.all(pages.map(async (path) => (await fetch(url + path)).status))).toEqual(pages.map(() => 200))
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
        .filter((line) => line.includes('"message":"request"'))
        .map((line) => JSON.parse(line))
    while (lines().length < 3 || !lines().at(-1).path.startsWith('/api/join'))
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
    expect(lines().at(-1)).toMatchObject({ path: '/api/join/***', status: 404 })
    expect(run.out()).not.toContain('a-secret-of-somebody')
  })

  it('prints one line when packages are missing', async () => {
    const copy = await folder()
    await mkdir(join(copy, 'infra/local'), { recursive: true })
    await cp(join(root, 'infra/local/start.mjs'), join(copy, 'infra/local/start.mjs'))
    await writeFile(join(copy, 'package.json'), '{"dependencies":{"some-package":"1.0.0"}}')
    const run = start({}, join(copy, 'infra/local/start.mjs'))
    expect(await run.ended).toBe(1)
    expect(run.err()).toBe('Run `npm ci` first: the package some-package is not installed.\n')
  })
})
