import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { processUsage, type ProcessUsage } from '../areas/process-usage.ts'

const email = 'bench@example.com'
const password = 'measure twice, cut once'

export interface HighestMemory {
  readonly rssMb: number
  readonly ownMb: number
}

/** The service as operators start it: a separate process with its own data directory on disk. */
export interface RunningService {
  readonly port: number
  readonly token: string
  readonly dataDirectory: string
  /** CPU time and memory of the process; undefined where the system does not report them. */
  usage(): Promise<ProcessUsage | undefined>
  /** The peak memory since the last call, sampled four times a second. */
  takePeakRssMb(): number
  /** The peaks of resident memory since the start, in MB: with mapped files, and without. */
  highestMemory(): HighestMemory
  /**
   * Resolves when the process is idle and all background work is done. Returns the time it became idle, as
   * performance.now().
   */
  waitUntilIdle(): Promise<number>
  /** Sends a request as the administrator, or with another token. Throws for an answer outside 2xx. */
  api(method: string, path: string, body?: unknown, token?: string): Promise<any>
  logIn(email: string, password: string): Promise<string>
  /** Ends the process and starts another one on the same data. */
  restart(): Promise<void>
  /** Ends the process. Its data stays until `stop`. */
  halt(): Promise<void>
  stop(): Promise<void>
}

/** Starts the service; `environment` holds settings of its own. */
export async function startBenchService(environment: Readonly<Record<string, string>> = {}): Promise<RunningService> {
  const dataDirectory = await mkdtemp(join(tmpdir(), 'bench-'))
  const port = await freePort()
  const settings = {
    ...process.env,
    PORT: String(port),
    DATA_DIR: dataDirectory,
    SEED: 'none',
    ADMIN_EMAIL: email,
    ADMIN_PASSWORD: password,
    LOG_LEVEL: 'ERROR',
    ...environment,
  }
  let child = await startProcess(settings)
  const url = `http://127.0.0.1:${port}`
  let ownToken = ''
  const api = async (method: string, path: string, body?: unknown, token = ownToken): Promise<any> => {
    const answer = await fetch(`${url}${path}`, {
      method,
      body: JSON.stringify(body),
      headers: { authorization: `Bearer ${token}` },
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${text.slice(0, 500)}`)
    return text === '' ? undefined : JSON.parse(text)
  }
  const logIn = async (name: string, secret: string): Promise<string> =>
    (await api('POST', '/api/login-local', { email: name, password: secret })).token
  const usage = () => processUsage(child.pid as number)
  const halt = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const ended = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGINT')
    await ended
  }
  let peak = 0
  let highest: HighestMemory = { rssMb: 0, ownMb: 0 }
  const watch = setInterval(async () => {
    const { rssMb = 0, ownMb = 0 } = (await usage()) ?? {}
    peak = Math.max(peak, rssMb)
    highest = { rssMb: Math.max(highest.rssMb, rssMb), ownMb: Math.max(highest.ownMb, ownMb) }
  }, 250)
  ownToken = await logIn(email, password)
  return {
    port,
    token: ownToken,
    dataDirectory,
    api,
    logIn,
    usage,
    takePeakRssMb() {
      const taken = peak
      peak = 0
      return taken
    },
    highestMemory: () => highest,
    waitUntilIdle: () => untilIdle(usage),
    async restart() {
      await halt()
      child = await startProcess(settings)
    },
    halt,
    async stop() {
      clearInterval(watch)
      await halt()
      await rm(dataDirectory, { recursive: true, force: true })
    },
  }
}

const idleShare = 0.06
const sampleMs = 400
const maxMs = 1_800_000

/** Idle in four samples in a row: a batching window of a second lies between a message and its processing. */
async function untilIdle(usage: RunningService['usage']): Promise<number> {
  const end = Date.now() + maxMs
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

async function startProcess(env: NodeJS.ProcessEnv): Promise<ChildProcess> {
  const [, ...startArguments] = (
    JSON.parse(await readFile('package.json', 'utf8')) as { scripts: { start: string } }
  ).scripts.start.split(' ')
  const child = spawn(process.execPath, startArguments, { env, stdio: ['ignore', 'pipe', 'inherit'] })
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('the service was not ready within 60 s')), 60_000)
    child.once('exit', (code) => reject(new Error(`the service ended with ${code}`)))
    child.stdout?.on('data', (chunk: Buffer) => {
      if (!chunk.toString().includes('Ready at')) return
      clearTimeout(timer)
      resolve()
    })
  })
  return child
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}
