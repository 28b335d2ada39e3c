import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTenantWithAdministrator } from '../../../../../../shared/accounts/people/create-tenant.ts'
import { unrestricted } from '../../../../../../shared/kernel/principal.ts'
import type { Tenant } from '../../../../../../shared/kernel/tenancy.ts'
import { tenantExportJob } from '../../../../../../shared/operations/tenant-life/export/export-job.ts'
import type { TenantExport } from '../../../../../../shared/operations/tenant-life/schema.ts'
import type { JobRun, JobStep } from '../../../../../../shared/platform/jobs/define-job.ts'
import { createConfig, putConfigRow } from '../../../../../../shared/platform/store/config.ts'
import { recordItem } from '../../../../../../shared/platform/store/rows/write-record-row.ts'
import { allocateIds } from '../../../../../../shared/platform/store/sequence/sequence.ts'
import { fileItem } from '../../../../../../shared/tables/files/file-row.ts'
import { createTables } from '../../../../../../shared/tables/tables/read-tables.ts'
import { frozenClock } from '../../../../../make/builders/frozen-clock.ts'
import { memoryObjects } from '../../../../../make/services/stores/memory-objects.ts'
import { openSingleTable, type SingleTable } from '../../../../../make/services/stores/single-table.ts'
import { readZip } from '../../../../../make/services/unzip.ts'

const clock = frozenClock('2026-11-20T08:00:00.000Z')
const records = 1500
let single: SingleTable
let tenant: Tenant
let paths: string[]
const fileBytes = randomBytes(2 * 1024 * 1024)

beforeAll(async () => {
  single = await openSingleTable()
  const { store } = single
  const administrator = { name: 'Grace', email: 'grace@acme.test', password: 'nanoseconds of wire' }
  const made = await createTenantWithAdministrator({ store, clock }, { slug: 'acme', name: 'Acme', administrator })
  tenant = made.tenant
  const doc = { id: 101, label: 'plans', title_field: null, table_fields: [], automations: [], retired: [] }
  const audit = { userId: 1, at: '2026-11-20T08:00:00.000Z' }
  await store.write(tenant, putConfigRow(tenant, 'TABLE', { name: 'plans', version: 1, doc }, null, audit))
  const first = await allocateIds(store, tenant, 'plans', records)
  const standard = {
    tenant_id: 1,
    created_by: 1,
    updated_by: 1,
    created_at: audit.at,
    updated_at: audit.at,
    version: 1,
  }
  await store.putMany(
    tenant,
    Array.from({ length: records }, (_, index) =>
      recordItem(
        { name: 'plans' },
        { ...standard, id: first + index, data: { text: randomBytes(1500).toString('base64') } },
        { tenant, userId: 1 },
        `bulk ${index}`,
      ),
    ),
  )
  paths = []
  for (const letter of 'abcd') {
    const token = letter.repeat(24)
    const path = `files/${tenant.id}/${token}/photo.png`
    const file = { token, path, name: 'photo.png', contentType: 'image/png', size: fileBytes.length, uploadedBy: 1 }
    const at = { createdAt: audit.at, dueAt: audit.at }
    await store.putMany(tenant, [fileItem(tenant, file, at)])
    paths.push(path)
  }
})
afterAll(() => single.close())

/** Runs the job to its end; each step sees `timeIsUp`, and runs `times` times from the same state, as after a crash. */
async function exported({ timeIsUp = true, times = 1, isAdministrator = true } = {}) {
  const memory = memoryObjects()
  for (const path of [...paths, `files/${tenant.id}/${'x'.repeat(24)}/lost.png`])
    await memory.putObject(path, fileBytes)
  const config = createConfig(single.store, clock)
  const { kind, step } = tenantExportJob({
    ...memory,
    store: single.store,
    config,
    tables: createTables(config),
    clock,
    findViewer: async () => ({ ...unrestricted, isAdministrator, tenant, userId: 1 }),
  })
  const run: JobRun = {
    id: 5,
    tenant,
    actor: { userId: 1, roles: ['admin'], isAdministrator: true },
    timeIsUp: () => timeIsUp,
  }
  let state: unknown
  for (let steps = 1; ; steps += 1) {
    let outcome: JobStep<unknown> | undefined
    for (let time = 0; time < times; time += 1) outcome = await step(run, {}, state)
    if (!outcome || 'ended' in outcome) {
      const result = outcome?.result as TenantExport
      const zip = memory.get(result.url.replace('memory:', '')) as Buffer
      return { kind, steps, outcome, result, entries: readZip(zip), largestPut: memory.largestPut() }
    }
    // As the row of the job stores it.
    state = JSON.parse(JSON.stringify(outcome.state))
  }
}

const idsIn = (entries: ReadonlyMap<string, Buffer>): number[] =>
  [...entries]
    .filter(([name]) => name.startsWith('records/plans-'))
    .flatMap(([, text]) => String(text).trimEnd().split('\n'))
    .map((line) => (JSON.parse(line) as { id: number }).id)

describe('the export of a tenant', () => {
  it.each<[string, { timeIsUp?: boolean; times?: number }]>([
    ['in one step', { timeIsUp: false }],
    ['in as many steps as possible', {}],
    ['with every step repeated', { times: 2 }],
  ])('%s has every record and file once', async (_title, how) => {
    const { steps, result, entries, largestPut } = await exported(how)
    expect(steps > 10).toBe(how.timeIsUp !== false)
    expect(idsIn(entries)).toEqual(Array.from({ length: records }, (_, index) => index + 1))
    expect(paths.map((path) => entries.get(path)?.equals(fileBytes))).toEqual([true, true, true, true])
    expect([result.rows['records/plans'], result.rows.files, result.files]).toEqual([records, 4, 4])
    expect([...entries.keys()].some((name) => name.includes('lost.png'))).toBe(false)
    expect(largestPut).toBeLessThan(5.5 * 1024 * 1024)
  })

  it('fails once its starter is no administrator any more', async () => {
    await expect(exported({ isAdministrator: false })).rejects.toMatchObject({ code: 'forbidden' })
  })
})
