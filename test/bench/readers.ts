/**
 * `npm run bench:readers`: what lists read while their table is imported, when 1, 5 and 50 instances of each function
 * share them. BENCH_ROWS (20000): rows of an import beside 16 readers. BENCH_INSTANCES (1,5,50): how many instances, a
 * measurement each, told as soon as it ends. All instances live in one process, each with a module state of its own, as
 * Lambda has it; so figures are read units and no times.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { startLocalCloud } from '../../infra/local/runtime/cloud.ts'
import { assemble } from '../../infra/local/template/assemble.ts'
import { sampleRecord, sampleTable } from '../../infra/operate/cost/sample-table.ts'
import { makeFirstTenant } from '../../infra/operate/first-tenant/make-first-tenant.ts'

const rows = Math.min(100_000, Number(process.env['BENCH_ROWS'] ?? 20_000))
const instanceCounts = (process.env['BENCH_INSTANCES'] ?? '1,5,50').split(',').map(Number)
const readers = 16
const rowsAtOnce = 2000
/** Between two lists of a reader. */
const pauseMs = 150
const email = 'bench@example.com'
const password = 'Correct-horse-battery-7'

interface Reading {
  readonly instances: number
  readonly 'rows a second': number
  readonly lists: number
  readonly 'read units a list': number
  readonly 'read units a row and instance': number
}

/** Imports beside readers, and answers what the function of lists read meanwhile. */
async function measure(assembly: Awaited<ReturnType<typeof assemble>>, instances: number): Promise<Reading> {
  const dataDirectory = await mkdtemp(join(tmpdir(), 'bench-readers-'))
  const cloud = await startLocalCloud({
    ...assembly,
    port: 0,
    dataDirectory,
    sync: false,
    instances,
    parameters: { LogLevel: 'ERROR' },
    onOutput() {},
  })
  try {
    const administrator = { name: 'Bench', email, password }
    const [table = ''] = cloud.tables
    await makeFirstTenant(cloud.clientOptions('dynamodb'), table, { slug: 'bench', name: 'Bench', administrator })
    const send = async (method: string, path: string, token?: string, body?: unknown) => {
      const answer = await fetch(cloud.url + path, {
        method,
        headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${await answer.text()}`)
      return (await answer.json()) as { token: string }
    }
    const { token } = await send('POST', '/api/login-local', undefined, { email, password })
    await send('POST', '/api/sys/entities', token, sampleTable)
    const importRows = (from: number) =>
      send('POST', '/api/e/cases/import', token, {
        rows: Array.from({ length: rowsAtOnce }, (_, index) => sampleRecord(from + index)),
      })
    const filter = encodeURIComponent(JSON.stringify({ source: 'mail' }))
    const list = () => send('GET', `/api/e/cases?sort=-due_at&per_page=1&filter=${filter}`, token)
    await importRows(0)
    await cloud.idle(120_000)
    // Every instance has its columns before the import begins.
    for (let round = 0; round < 3; round++) await Promise.all(Array.from({ length: instances }, list))
    cloud.meter.start()
    let isDone = false
    let lists = 0
    const reading = Array.from({ length: readers }, async () => {
      while (!isDone) {
        await list()
        lists++
        await pause(pauseMs)
      }
    })
    const began = performance.now()
    for (let from = rowsAtOnce; from < rowsAtOnce + rows; from += rowsAtOnce) await importRows(from)
    const seconds = (performance.now() - began) / 1000
    isDone = true
    await Promise.all(reading)
    await cloud.idle(300_000)
    const used = Object.entries(cloud.meter.stop().functions)
    const readUnits = used.find(([name]) => name.includes('Lists'))?.[1].readUnits
    if (readUnits === undefined) throw new Error(`No function of lists among ${used.map(([name]) => name).join(', ')}`)
    return {
      instances,
      'rows a second': Math.round(rows / seconds),
      lists,
      'read units a list': Math.round(readUnits / lists),
      'read units a row and instance': Number((readUnits / rows / instances).toFixed(3)),
    }
  } finally {
    await cloud.stop()
    await rm(dataDirectory, { recursive: true, force: true })
  }
}

const assembly = await assemble({ report: console.error })
for (const instances of instanceCounts) console.table([await measure(assembly, instances)])
process.exit(0)
