import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { freePort } from './free-port.ts'

/** The first start after `npm ci` may take 30 s; a busy machine gets four times that, which a hook allows too. */
const startTimeoutMs = 115_000
const root = join(import.meta.dirname, '..', '..', '..')

export interface RunningService {
  readonly url: string
  stop(): Promise<void>
}

/** Runs `npm start` on a free port, in memory, with more `settings`. Resolves when the service is ready. */
export async function startService(settings: Readonly<Record<string, string>> = {}): Promise<RunningService> {
  const port = await freePort()
  const env = { ...process.env, PORT: String(port), DATA_DIR: ':memory:', ...settings }
  const service = spawn(process.execPath, ['infra/local/start.mjs'], {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = once(service, 'close')
  let said = ''
  const ready = new Promise<void>((resolve) => {
    const listen = (text: string): void => {
      said += text
      if (said.includes('Ready at ')) resolve()
    }
    service.stdout.setEncoding('utf8').on('data', listen)
    service.stderr.setEncoding('utf8').on('data', listen)
  })
  const died = ended.then(([code]) => Promise.reject(new Error(`The service ended with ${code}:\n${said}`)))
  const tooSlow = setTimeout(() => service.kill('SIGKILL'), startTimeoutMs)
  await Promise.race([ready, died])
  clearTimeout(tooSlow)
  died.catch(() => undefined)
  return {
    url: `http://localhost:${port}`,
    async stop() {
      service.kill('SIGINT')
      await ended
    },
  }
}
