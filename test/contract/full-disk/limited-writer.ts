/**
 * Writes to a data directory under a limit on the size of files, which strikes in the middle of LevelDB's log, as a full
 * disk does. Prints what becomes of each write, and in the end what is stored.
 */
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { openStorage, type Op } from '../../../infra/local/runtime/storage/storage.ts'

const [, , directory] = process.argv as [string, string, string]
const limit = (bytes: string): void => {
  execFileSync('prlimit', ['--pid', String(process.pid), `--fsize=${bytes}:`])
}

const told: string[] = []
const storage = await openStorage(directory, { lookEveryMs: 20, onOutage: ({ level }) => void told.push(level) })
const answered: string[] = []
const refused: string[] = []

async function write(key: string): Promise<void> {
  const op: Op = { type: 'put', key, value: randomBytes(20_000).toString('base64') }
  await storage.commit([op]).then(
    () => answered.push(key),
    () => refused.push(key),
  )
}

// The service has an open port. Without one, nothing would keep this process alive between two looks at the disk.
const open = setInterval(() => {}, 1000)
limit('300000')
for (let n = 0; n < 20; n += 1) await write(`limited-${n}`)
const readMeanwhile = storage.get(answered[0] as string) !== undefined
const { over } = storage.outage() ?? {}
limit('unlimited')
await over
for (let n = 0; n < 5; n += 1) await write(`after-${n}`)
await storage.close()

const reopened = await openStorage(directory)
const stored = (await reopened.range({ gte: '', lt: '~' })).map(([key]) => key)
await reopened.close()
clearInterval(open)
console.log(JSON.stringify({ told, answered, refused, readMeanwhile, stored }))
