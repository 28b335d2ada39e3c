import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const email = 'bench@example.com'
const password = 'measure twice, cut once'

/** The service as operators start it: a separate process with its own data directory on disk. */
export interface RunningService {
  readonly port: number
  readonly token: string
  /** CPU time and memory of the process; undefined where the system does not report them. */
  usage(): Promise<{ cpuMs: number; rssMb: number } | undefined>
  /** The peak memory since the last call, sampled four times a second. */
  takePeakRssMb(): number
  /**
   * Resolves when the process is idle and all background work is done. Returns the time it became idle, as
   * performance.now().
   */
  waitUntilIdle(): Promise<number>
  api(method: string, path: string, body?: unknown): Promise<any>
  stop(): Promise<void>
}

export async function startBenchService(): Promise<RunningService> {
  const directory = await mkdtemp(join(tmpdir(), 'bench-'))
  const port = await freePort()
  const [, ...startArguments] = (
    JSON.parse(await readFile('package.json', 'utf8')) as { scripts: { start: string } }
  ).scripts.start.split(' ')
  const child = spawn(process.execPath, startArguments, {
    env: {
      ...process.env,
      PORT: String(port),
      DATA_DIR: directory,
      SEED: 'none',
      ADMIN_EMAIL: email,
      ADMIN_PASSWORD: password,
      LOG_LEVEL: 'ERROR',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await ready(child)
  const url = `http://127.0.0.1:${port}`
  let token = ''
  const api = async (method: string, path: string, body?: unknown): Promise<any> => {
    const answer = await fetch(`${url}${path}`, {
      method,
      body: JSON.stringify(body),
      headers: { authorization: `Bearer ${token}` },
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${text.slice(0, 200)}`)
    return text === '' ? undefined : JSON.parse(text)
  }
  const usage = () => usageOf(child.pid as number)
  let peak = 0
  const watch = setInterval(async () => (peak = Math.max(peak, (await usage())?.rssMb ?? 0)), 250)
  token = (await api('POST', '/api/login-local', { email, password })).token
  return {
    port,
    token,
    api,
    usage,
    takePeakRssMb() {
      const taken = peak
      peak = 0
      return taken
    },
    waitUntilIdle: () => untilIdle(usage),
    async stop() {
      clearInterval(watch)
      child.kill('SIGINT')
      await new Promise((resolve) => child.once('exit', resolve))
      await rm(directory, { recursive: true, force: true })
    },
  }
}

const idleShare = 0.06
const sampleMs = 400
const longestMs = 300_000

/** Idle in four samples in a row: a batching window of a second lies between a message and its processing. */
async function untilIdle(usage: RunningService['usage']): Promise<number> {
  const end = Date.now() + longestMs
  let before = await usage()
  let lastBusy = performance.now()
  for (let idle = 0; before && idle < 4 && Date.now() < end;) {
    await new Promise((resolve) => setTimeout(resolve, sampleMs))
    const now = await usage()
    if (!now) break
    idle = now.cpuMs - before.cpuMs <= sampleMs * idleShare ? idle + 1 : 0
    if (idle === 0) lastBusy = performance.now()
    before = now
  }
  return lastBusy
}

function ready(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('the service was not ready within 60 s')), 60_000)
    child.once('exit', (code) => reject(new Error(`the service ended with ${code}`)))
    child.stdout?.on('data', (chunk: Buffer) => {
      if (!chunk.toString().includes('Ready at')) return
      clearTimeout(timer)
      resolve()
    })
  })
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** Linux reports CPU time in hundredths of a second and memory in pages of 4 KB (proc(5)). */
async function usageOf(pid: number): Promise<{ cpuMs: number; rssMb: number } | undefined> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return { cpuMs: (Number(fields[11]) + Number(fields[12])) * 10, rssMb: (Number(fields[21]) * 4096) / 2 ** 20 }
  } catch {
    return undefined
  }
}
