import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..', '..')
const startWithinMs = 60_000

export interface ServiceProcess {
  readonly url: string
  /** From the start of the process to its `Ready at`. */
  readonly startedInMs: number
  /** At once, in the middle of whatever it does. */
  kill(): Promise<void>
}

/** What `npm start` runs, as a process of its own on a data directory. */
export async function startProcess(dataDirectory: string, environment: Readonly<Record<string, string>> = {}): Promise<ServiceProcess> {
  const { PATH = '', HOME = '', TMPDIR = '' } = process.env
  const from = performance.now()
  const child = spawn(process.execPath, [join(root, 'infra/local/start.mjs')], { cwd: root, env: { PATH, HOME, TMPDIR, PORT: '0', SEED: 'none', LOG_LEVEL: 'ERROR', ...environment, DATA_DIR: dataDirectory } })
  const ended = once(child, 'close')
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (said += text))
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL')
    await ended
  }
  for (;;) {
    const url = /^Ready at (http:\/\/localhost:\d+)$/m.exec(said)?.[1]
    if (url) return { url, startedInMs: performance.now() - from, kill }
    if (child.exitCode !== null || performance.now() - from > startWithinMs) {
      await kill()
      throw new Error(`the service did not start: ${said}`)
    }
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}
