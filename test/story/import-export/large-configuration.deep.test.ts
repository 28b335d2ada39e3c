import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { finishedJob } from '../../make/builders/finished-job.ts'
import { largeConfiguration } from '../../make/builders/lists/large-configuration.ts'
import { otherTenant, userWith } from '../../make/builders/people.ts'
import { announce, upload } from '../../make/builders/records/uploads.ts'
import { runs } from '../../make/depth.ts'
import { type TestService, sharedService } from '../../make/services/service.ts'

let service: TestService
beforeAll(async () => {
  service = await sharedService()
})
afterEach(() => service.cloud.faults.clear())
afterAll(() => service?.stop())

const uploadDocument = (document: unknown, token: string): Promise<string> =>
  upload(service, {
    name: 'configuration.json',
    type: 'application/json',
    content: Buffer.from(typeof document === 'string' ? document : JSON.stringify(document)),
    token,
  })
const put = (body: object, token: string, query = '') => service.api('PUT', `/api/sys/config${query}`, { token, body })
const get = (token: string, query = '') => service.api('GET', `/api/sys/config${query}`, { token })

/** Applies a document in a file; answers the finished job. */
async function applyFile(document: unknown, token: string, more: object = {}) {
  const { status, body } = await put({ file: await uploadDocument(document, token), ...more }, token)
  expect([status, body.data]).toEqual([202, { job_id: expect.any(Number) }])
  return finishedJob(service, body.data.job_id, 120_000, token)
}

/** The text of the file that an export answers. */
async function exportFile(token: string, query = ''): Promise<string> {
  const { status, body } = await get(token, query)
  expect([status, body.data]).toEqual([202, { job_id: expect.any(Number) }])
  const job = await finishedJob(service, body.data.job_id, 120_000, token)
  expect(job).toMatchObject({
    kind: 'configuration-export',
    status: 'done',
    result: { name: 'configuration.json', content_type: 'application/json' },
  })
  const fetched = await fetch(job.result.url)
  const text = await fetched.text()
  expect(fetched.headers.get('content-disposition')).toBe('attachment; filename="configuration.json"')
  expect(Buffer.byteLength(text)).toBe(job.result.size)
  const document = JSON.parse(text)
  expect(job.result.records).toBe(countOf(document))
  expect(job.done).toBe(job.result.records)
  return text
}

const countOf = (document: Record<string, unknown[]>): number =>
  Object.values(document).reduce((count, objects) => count + objects.length, 0)
/** The objects by section and name. */
const byName = (document: Record<string, readonly { readonly name: string }[]>) =>
  Object.fromEntries(
    Object.entries(document).flatMap(([section, objects]) => objects.map((one) => [`${section}.${one.name}`, one])),
  )

describe('a configuration of up to 20 MB', () => {
  it('is applied from a file, exported as a file, and is the same in another tenant', async () => {
    const tables = runs(60, 20)
    const given = largeConfiguration(tables)
    const text = JSON.stringify(given)
    expect(Buffer.byteLength(text)).toBeGreaterThan((tables / 60) * 19 * 1024 * 1024)
    const first = await applyFile(text, service.admin.token)
    expect(first).toMatchObject({ kind: 'configuration-apply', status: 'done', errors: [] })
    expect(first.done).toBe(first.total)
    expect(first.total).toBe(3 * countOf(given))
    expect(first.result).toMatchObject({ changed: [], unchanged: 0, differences: {} })
    expect(first.result.created).toHaveLength(countOf(given))

    const exported = await exportFile(service.admin.token)
    expect(byName(JSON.parse(exported))).toMatchObject(byName(given))

    const { token } = await otherTenant(service)
    const second = await applyFile(exported, token)
    expect([second.status, second.errors, second.result.changed]).toEqual(['done', [], []])
    const again = await applyFile(exported, token, { dry_run: true })
    expect(again).toMatchObject({ status: 'done', result: { created: [], changed: [], differences: {} } })
    expect(again.result.unchanged).toBe(countOf(JSON.parse(exported)))
    expect(again.total).toBe(again.done)
    expect(await exportFile(token)).toBe(exported)
  }, 180_000)
})

describe('a configuration of more than 10,000 keys', () => {
  it('is applied in one request, as it was answered', async () => {
    const tables = Array.from({ length: 14 }, (_, n) => ({
      name: `small_${n}`,
      title_field: null,
      table_fields: [
        {
          name: 'kind',
          type: 'value_list',
          options: Array.from({ length: 450 }, (_option, index) => ({ slug: `o${index}`, label: `Option ${index}` })),
        },
      ],
    }))
    const { token } = await otherTenant(service)
    const made = await put({ tables }, token)
    expect([made.status, made.body.data.created]).toEqual([200, tables.map(({ name }) => `tables.${name}`)])
    const read = await get(token)
    expect([read.status, JSON.stringify(read.body.data).match(/":/g)?.length]).toEqual([200, expect.any(Number)])
    expect(JSON.stringify(read.body.data).match(/":/g)?.length).toBeGreaterThan(10_000)
    const third = await otherTenant(service)
    expect((await put(read.body.data, third.token)).status).toBe(200)
    expect((await get(third.token)).body.data).toEqual(read.body.data)
    const table = await service.api('GET', '/api/sys/entities/name/small_1', { token })
    expect((await service.api('PUT', '/api/sys/entities/name/small_1', { token, body: table.body.data })).status).toBe(
      200,
    )
  })
})

describe('a configuration in a file', () => {
  const small = {
    tables: [
      { name: 'orders', title_field: null, table_fields: [{ name: 'title', type: 'text' }] },
      {
        name: 'lines',
        title_field: null,
        table_fields: [{ name: 'order_id', type: 'model_list', target_table: 'orders' }],
      },
    ],
    relations: [{ name: 'linked', l_table: 'orders', r_table: 'lines' }],
  }

  it('of any size is written when asked for, and says the same as the answer', async () => {
    const { token } = await otherTenant(service)
    await put(small, token)
    expect(JSON.parse(await exportFile(token, '?file=true'))).toEqual((await get(token, '?file=false')).body.data)
  })

  it('is checked as a whole: every wrong path is an error of the job, and nothing is changed', async () => {
    const { token } = await otherTenant(service)
    const before = (await get(token)).body.data
    const tooLong = { kind: 'before_create', script: `// ${'ä'.repeat(40_000)}` }
    const job = await applyFile(
      {
        tables: [
          ...small.tables,
          {
            name: 'large',
            automations: Array.from({ length: 5 }, () => ({ ...tooLong, script: `// ${'x'.repeat(64_000)}` })),
          },
          { name: 'long', automations: [tooLong] },
          { name: 'orders' },
        ],
        relations: [{ name: 'linked', l_table: 'orders', r_table: 'nowhere' }],
      },
      token,
    )
    expect([job.status, job.result]).toEqual(['failed', null])
    expect(job.errors).toEqual([
      { path: 'tables.2.table_fields', message: 'The document may not be larger than 300 KB.' },
      { path: 'tables.3.automations.0.script', message: 'The script may not be larger than 64 KB.' },
      { path: 'tables.4.name', message: 'The name orders is used twice. Use each name once.' },
      {
        path: 'relations.0.r_table',
        message: expect.stringMatching(/there is no such table\. There are: .*orders, lines, large, long\.$/),
      },
    ])
    expect((await get(token)).body.data).toEqual(before)
  })

  it.each<[string, string, object]>([
    ['no JSON', '{"tables": [', { message: expect.stringMatching(/^The file is not valid JSON/) }],
    [
      'an unknown section',
      '{"table": []}',
      { path: 'table', message: 'The table field is unknown. Did you mean tables?' },
    ],
    ['a wrong shape', '{"tables": [{"name": 1}]}', { path: 'tables.0.name', message: expect.any(String) }],
    ['a dangerous key', '{"tables": [{"__proto__": 1}]}', { path: 'tables.0.__proto__', message: expect.any(String) }],
  ])('with %s fails its job, which says what is wrong', async (_what, text, error) => {
    const job = await applyFile(text, service.admin.token)
    expect([job.status, job.errors]).toEqual(['failed', [expect.objectContaining(error)]])
  })

  it('must be an uploaded file of the tenant, and the only document', async () => {
    const { token } = await otherTenant(service)
    const file = await uploadDocument(small, token)
    const announced = await announce(service, { name: 'c.json', type: 'application/json', token })
    for (const [path, as] of [
      [file, service.admin.token],
      [announced.path, token],
      ['files/1/nothing/c.json', token],
    ] as const) {
      const { status, body } = await put({ file: path }, as)
      expect([status, body.errors.file[0]]).toEqual([422, expect.stringMatching(/^The selected file is invalid/)])
    }
    const both = await put({ file, tables: [] }, token)
    expect([both.status, both.body.errors]).toEqual([
      422,
      { file: ['The file holds the whole document: leave out tables.'] },
    ])
    const { token: noAdministrator } = await userWith(service, ['*'])
    expect((await put({ file }, noAdministrator)).status).toBe(403)
    expect((await get(noAdministrator, '?file=true')).status).toBe(403)
  })

  it.each([0, 1, 2])(
    'is applied in full when its job crashes after write %i',
    async (skip) => {
      const { token } = await otherTenant(service)
      const file = await uploadDocument(small, token)
      const crash = service.cloud.faults.inject({
        service: 'dynamodb',
        operation: 'TransactWriteItems',
        skip,
        action: 'crash-after',
      })
      const { body } = await put({ file }, token)
      const job = await finishedJob(service, body.data.job_id, undefined, token)
      expect(crash.struck).toBe(1)
      expect(job).toMatchObject({ status: 'done', errors: [], done: job.total })
      expect(job.result.created).toEqual(['tables.orders', 'tables.lines', 'relations.linked'])
      const read = (await get(token)).body.data
      expect(read.relations).toEqual(small.relations)
      expect((await put(read, token, '?dry_run=true')).body.data).toMatchObject({ created: [], changed: [] })
    },
    240_000,
  )
})
