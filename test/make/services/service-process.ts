import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const ownRoot = join(import.meta.dirname, '../../..')
const startWithinMs = 60_000
/** Another checkout builds everything first. */
const buildWithinMs = 240_000

export interface ServiceProcess {
  readonly url: string
  /** From the start of the process to its `Ready at`. */
  readonly startedInMs: number
  /** CPU time of all threads until then; undefined where the system does not report it. */
  readonly startCpuMs: number | undefined
  /** Kills the process at once. */
  kill(): Promise<void>
}

/** Runs what `npm start` runs, in a process on a data directory. `root`: of another checkout. */
export async function startProcess(
  dataDirectory: string,
  environment: Readonly<Record<string, string>> = {},
  root = ownRoot,
): Promise<ServiceProcess> {
  const { PATH = '', HOME = '', TMPDIR = '' } = process.env
  const from = performance.now()
  const child = spawn(process.execPath, [join(root, 'infra/local/start.mjs')], {
    cwd: root,
    env: { PATH, HOME, TMPDIR, PORT: '0', SEED: 'none', LOG_LEVEL: 'ERROR', ...environment, DATA_DIR: dataDirectory },
  })
  const ended = once(child, 'close')
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (said += text))
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL')
    await ended
  }
  for (;;) {
    const url = /^Ready at (http:\/\/localhost:\d+)\n/m.exec(said)?.[1]
    if (url) return { url, startedInMs: performance.now() - from, startCpuMs: cpuMs(child.pid), kill }
    if (child.exitCode !== null || performance.now() - from > (root === ownRoot ? startWithinMs : buildWithinMs)) {
      await kill()
      throw new Error(`the service did not start: ${said}`)
    }
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

/** Linux reports hundredths of a second. The fields after the name in brackets start with the third. */
function cpuMs(pid: number | undefined): number | undefined {
  if (process.platform !== 'linux') return undefined
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}
