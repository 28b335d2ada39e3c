/** Kills the whole service during its work: every answered write must be there, and nothing twice. */
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { runs } from '../make/depth.ts'
import { openLedger, type Api, type Ledger } from '../make/loads/ledger.ts'
import { startProcess, type ServiceProcess } from '../make/services/service-process.ts'

/** With ten rounds, a reindex at the end. */
const rounds = Number(process.env.KILL_ROUNDS ?? runs(10, 3))
const isAlone = process.env.KILL_ROUNDS === '10'
const seed = Number(process.env.KILL_SEED ?? 20_261_120)
const writers = 6
/**
 * Limit for the clock with `KILL_ROUNDS=10`, when the test runs alone; otherwise for CPU time, since other tests run
 * in parallel.
 */
const startWithinMs = 5_000
const besideOthersMs = 20_000
const administrator = { ADMIN_EMAIL: 'ada@example.com', ADMIN_PASSWORD: 'brass gears 1843' }

let folder: string
let running: ServiceProcess
let token: string
let ledger: Ledger
const restarts: { readonly startedInMs: number; readonly startCpuMs: number | undefined }[] = []
/** Creates that a kill may have interrupted between the count and the record. */
let cutOff = 0

const api: Api = async (method, path, body, key) => {
  const answer = await fetch(`${running.url}${path}`, {
    method,
    headers: {
      'content-type': 'application/json',
      ...(token && { authorization: `Bearer ${token}` }),
      ...(key && { 'idempotency-key': key }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  return { status: answer.status, body: text === '' ? undefined : JSON.parse(text) }
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'killed-service-'))
  running = await startProcess(folder, administrator)
  token = ''
  token = (
    await api('POST', '/api/login-local', { email: administrator.ADMIN_EMAIL, password: administrator.ADMIN_PASSWORD })
  ).body.token
  const table_fields = [
    { name: 'title', type: 'text' },
    { name: 'code', type: 'text', unique: true },
    { name: 'writer', type: 'integer', min: 0, max: writers - 1 },
  ]
  const table = await api('POST', '/api/sys/entities', { name: 'jobs_done', table_fields })
  if (table.status !== 201) throw new Error(JSON.stringify(table.body))
  ledger = openLedger((...request) => api(...request), 'jobs_done', writers, seed)
})
afterAll(async () => {
  await running?.kill()
  await rm(folder, { recursive: true, force: true })
})

/** Polls until `holds` passes, to give the change feed time. */
async function eventually(holds: () => Promise<void>, withinMs = 15_000): Promise<void> {
  for (const end = Date.now() + withinMs; ;) {
    try {
      return await holds()
    } catch (error) {
      if (Date.now() > end) throw error
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
}

async function everyRecord(): Promise<Map<number, { title: string; version: number }>> {
  const found = new Map<number, { title: string; version: number }>()
  for (let cursor: string | null = ''; cursor !== null;) {
    const { body }: { body?: any } = await api('GET', `/api/e/jobs_done?per_page=1000${cursor && `&cursor=${cursor}`}`)
    for (const { id, version, data } of body.data) found.set(id, { title: data.title, version })
    cursor = body.meta.next_cursor
  }
  return found
}

const totalWhere = async (filter: object): Promise<number> =>
  (await api('GET', `/api/e/jobs_done?per_page=1&filter=${encodeURIComponent(JSON.stringify(filter))}`)).body.meta.total
const totalOfAll = async (): Promise<number> => (await api('GET', '/api/e/jobs_done?per_page=1')).body.meta.total

it.each(Array.from({ length: rounds }, (_, round) => round + 1))(
  'round %i: after a kill under load, every answered write is there',
  async (round) => {
    const before = ledger.answered()
    const working = ledger.work()
    // The first calls load the functions: wait for an answer before the kill.
    await eventually(async () => expect(ledger.answered()).toBeGreaterThanOrEqual(before + writers), 30_000)
    await new Promise((resolve) => setTimeout(resolve, ledger.between(150, 1_200)))
    await running.kill()
    await working
    cutOff += ledger.openCreates()

    running = await startProcess(folder)
    restarts.push(running)
    // Clients repeat unanswered requests unchanged.
    const touched = await ledger.repeatUnanswered()
    const records = await everyRecord()
    expect([...records].sort(([a], [b]) => a - b)).toEqual([...ledger.living()].sort(([a], [b]) => a - b))

    for (const { id, version, isGone } of touched) {
      const { body } = await api('GET', `/api/sys/history/jobs_done/${id}?per_page=1000`)
      const actions = body.data.map((entry: { id: number; action: string }) => `${entry.id} ${entry.action}`)
      const expected = Array.from(
        { length: version },
        (_, at) => `${version - at} ${at === 0 && isGone ? 'delete' : version - at === 1 ? 'create' : 'update'}`,
      )
      expect([id, body.meta.pending, actions]).toEqual([id, undefined, expected])
    }
    await eventually(async () => {
      for (let writer = 0; writer < writers; writer += 1)
        expect(await totalWhere({ writer })).toBe(ledger.livingOf(writer))
      const word = [...records.values()].at(-1)?.title.split(' ').at(-1)
      expect(
        (await api('GET', `/api/e/jobs_done?search=${word}`)).body.data.map(({ id }: { id: number }) => id),
      ).toEqual([[...records.keys()].at(-1)])
    })
    const total = await totalOfAll()
    expect(total).toBeGreaterThanOrEqual(records.size)
    expect(total).toBeLessThanOrEqual(records.size + cutOff)
    expect(ledger.answered()).toBeGreaterThanOrEqual(writers * round)
  },
  240_000,
)

it('every restart is ready within five seconds', () => {
  const worst = {
    startedInMs: Math.max(...restarts.map(({ startedInMs }) => startedInMs)),
    startCpuMs: Math.max(...restarts.map(({ startCpuMs = 0 }) => startCpuMs)),
  }
  console.log(
    `slowest of ${restarts.length} restarts: ${Math.round(worst.startedInMs)} ms, most processor time: ${worst.startCpuMs} ms`,
  )
  expect(worst.startCpuMs).toBeLessThanOrEqual(startWithinMs)
  expect(worst.startedInMs).toBeLessThanOrEqual(isAlone ? startWithinMs : besideOthersMs)
})

it('the number of records is right within a minute of the last start', async () => {
  // The sweep itself comes within the minute, and a busy machine may be late with its message.
  await eventually(async () => expect(await totalOfAll()).toBe(ledger.living().size), 75_000)
})

it.runIf(rounds >= 10)(
  'npm run reindex leaves the count of the table right',
  async () => {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['infra/operate/reindex.ts', '--table', 'jobs_done'],
      { env: { ...process.env, DATA_DIR: folder } },
    )
    const job = /as job (\d+)/.exec(stdout)?.[1]
    await eventually(
      async () => expect((await api('GET', `/api/sys/jobs/${job}`)).body.data.status).toBe('done'),
      150_000,
    )
    expect(await totalOfAll()).toBe(ledger.living().size)
  },
  180_000,
)
