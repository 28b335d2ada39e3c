import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

export const root = join(import.meta.dirname, '../../..')

export interface Run {
  readonly child: ChildProcess
  readonly out: () => string
  readonly err: () => string
  readonly ended: Promise<number | null>
  ready(): Promise<string>
}

/** Runs the script of `npm start` without npm, in memory by default. */
export function start(
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
        const url = /^Ready at (http:\/\/localhost:\d+)\n/m.exec(out)?.[1]
        if (url) return url
        if (child.exitCode !== null) throw new Error(`It ended with ${child.exitCode}: ${err}`)
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
    },
  }
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

export async function folder(): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), 'local-start-'))
  onTestFinished(() => rm(made, { recursive: true, force: true }))
  return made
}
