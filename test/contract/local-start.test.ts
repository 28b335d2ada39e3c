import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
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
function start(environment: Record<string, string>, entry = join(root, 'infra/local/start.mjs')): Run {
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
  const child = spawn(process.execPath, [entry], { env, cwd: root })
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
    expect(third.err()).toMatch(/^The data directory \S+ is not a directory\.\n$/)
  })

  it('prints one line for an invalid setting', async () => {
    const run = start({ APP_MODE: 'multi' })
    expect(await run.ended).toBe(1)
    expect(run.err()).toBe('APP_MODE is one of single, saas, not "multi".\n')
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
