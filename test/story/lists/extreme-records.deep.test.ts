import { ListQueuesCommand, ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { clock } from '../../../shared/kernel/time/clock.ts'
import { keptStamps } from '../../../shared/lists/columns/keeper/kept-stamps.ts'
import { reindexTable } from '../../../shared/operations/maintenance/rebuild/reindex-table.ts'
import { createJobs } from '../../../shared/platform/jobs/service.ts'
import { createConfig } from '../../../shared/platform/store/config.ts'
import { recordKey } from '../../../shared/platform/store/keys/records.ts'
import { finishedJob } from '../../make/builders/finished-job.ts'
import { makeTable } from '../../make/builders/records/tables.ts'
import { startService, type TestService } from '../../make/services/service.ts'

const tenant = { id: 1 }
let service: TestService
let made = 0
let innocents: string
beforeAll(async () => {
  service = await startService({ log: () => {}, onOutput: () => {}, environment: { SETTLE_MS: '100' } })
})
afterAll(() => service?.stop())
beforeEach(async () => {
  innocents = `innocents_${++made}`
  await makeTable(service, innocents, [{ name: 'title', type: 'text' }])
})

const api = (method: string, path: string, body?: unknown) =>
  service.api(method, path, { token: service.admin.token, body })
async function write(method: string, path: string, body: object): Promise<number> {
  const answer = await api(method, path, body)
  expect([answer.status, answer.body.errors]).toEqual([method === 'POST' ? 201 : 200, undefined])
  return answer.body.data.id
}
const create = (model: string, body: object) => write('POST', `/api/e/${model}`, body)
const change = (model: string, id: number, body: object) => write('PATCH', `/api/e/${model}/${id}`, body)
const find = async (model: string, text: string): Promise<number[]> => {
  const { status, body } = await api('GET', `/api/e/${model}?search=${encodeURIComponent(text)}&sort=id`)
  expect([status, body.message]).toEqual([200, 'OK'])
  return body.data.map(({ id }: { id: number }) => id)
}
async function foundWithin(ms: number, model: string, text: string, ids: readonly number[]): Promise<void> {
  const end = Date.now() + ms
  let found = await find(model, text)
  while (JSON.stringify(found) !== JSON.stringify(ids) && Date.now() < end) found = await find(model, text)
  expect(found).toEqual(ids)
}
/** The versions that the keeper has of records, whatever readers find out by themselves. */
const keptVersions = async (model: string, ids: readonly number[]) =>
  (await keptStamps(service.store, tenant, model, ids)).map((stamp) => stamp !== undefined && Math.floor(stamp / 2))

async function deadLetters(): Promise<string[]> {
  const sqs = new SQSClient(service.cloud.clientOptions('sqs'))
  const { QueueUrls = [] } = await sqs.send(new ListQueuesCommand({ QueueNamePrefix: 'SearchDeadLetters' }))
  const { Messages = [] } = await sqs.send(
    new ReceiveMessageCommand({ QueueUrl: QueueUrls[0], MaxNumberOfMessages: 10, VisibilityTimeout: 0 }),
  )
  sqs.destroy()
  return Messages.map(({ Body }) => String(Body))
}

async function reindex(model: string): Promise<any> {
  const { store } = service
  const jobs = createJobs({ store, clock, send: async () => [], queueUrl: '' })
  const id = (await reindexTable({ store, config: createConfig(store, clock), clock, jobs }, tenant, model)) as number
  await service.cloud.invoke('due-sweeper')
  return finishedJob(service, id)
}

const numbers = (count: number) => Array.from({ length: count }, (_, n) => n)
const fieldsOf = (count: number, more: object) => numbers(count).map((n) => ({ name: `f${n}`, ...more }))
const valuesOf = (count: number, value: (n: number) => unknown) =>
  Object.fromEntries(numbers(count).map((n) => [`f${n}`, value(n)]))
const options = [{ slug: 'a' }, { slug: 'b' }]
/** About 340 KB of words, all of them different. */
const distinctWords = (seed: string) =>
  numbers(28_000)
    .map((n) => `${seed}${(n * 7919).toString(36)}x${n.toString(36)}`)
    .join(' ')
    .slice(0, 340_000)

/** A table whose records are as wide as it goes, with the values of a record before and after a change. */
const extremes: readonly (readonly [string, readonly object[], object, object])[] = [
  [
    '200 fields',
    fieldsOf(200, { type: 'text' }),
    valuesOf(200, (n) => `before${n}`),
    valuesOf(200, (n) => `after${n}`),
  ],
  [
    '200 value lists',
    fieldsOf(200, { type: 'value_list', options }),
    valuesOf(200, () => 'a'),
    valuesOf(200, () => 'b'),
  ],
  ['60 booleans', fieldsOf(60, { type: 'boolean' }), valuesOf(60, () => false), valuesOf(60, () => true)],
  [
    'texts of 340 KB, all words different',
    [{ name: 'f0', type: 'textarea' }],
    { f0: distinctWords('p') },
    { f0: distinctWords('q') },
  ],
]

describe.each(extremes)('records with %s, all changed at once', (_what, fields, before, after) => {
  it('are indexed with the innocent records of their batch, at once, after folds and after a reindex', async () => {
    const model = `extreme_${made}`
    const title = { name: 'mark', type: 'text' }
    await makeTable(service, model, [title, ...fields.slice(0, 199)])
    const fit = (values: object) => Object.fromEntries(Object.entries(values).slice(0, 199))
    const wide = await Promise.all(numbers(12).map((n) => create(model, { ...fit(before), mark: `wide ${n}` })))
    const [plain, ...others] = await Promise.all([
      ...wide.map((id) => change(model, id, fit(after))),
      create(model, { mark: 'innocent neighbour' }),
      ...numbers(3).map((n) => create(innocents, { title: `innocent ${n}` })),
    ]).then((ids) => ids.slice(wide.length))
    await foundWithin(
      2_000,
      innocents,
      'innocent',
      others.toSorted((a, b) => a - b),
    )
    await foundWithin(2_000, model, 'neighbour', [plain as number])
    await foundWithin(
      2_000,
      model,
      'wide',
      wide.toSorted((a, b) => a - b),
    )

    await service.cloud.idle()
    expect(await keptVersions(innocents, others)).toEqual(others.map(() => 1))
    expect(await keptVersions(model, [...wide, plain as number])).toEqual([...wide.map(() => 2), 1])
    expect(await deadLetters()).toEqual([])

    expect(await reindex(model)).toMatchObject({ status: 'done', errors: [] })
    expect(await keptVersions(model, [...wide, plain as number])).toEqual([...wide.map(() => 2), 1])
    await foundWithin(2_000, model, 'neighbour', [plain as number])
    await foundWithin(
      2_000,
      model,
      'wide',
      wide.toSorted((a, b) => a - b),
    )
  })
})

describe('a record that cannot be read', () => {
  it('keeps no other record from being found, at once, by the keeper and by a reindex, whose job names it', async () => {
    const model = `broken_${made}`
    await makeTable(service, model, [
      { name: 'title', type: 'text' },
      { name: 'other_id', type: 'model_list', target_table: model },
    ])
    const [first, poison] = [
      await create(model, { title: 'early bird' }),
      await create(model, { title: 'poison bird' }),
    ]
    await service.cloud.idle()
    await service.store.write(tenant, {
      update: recordKey(tenant, model, poison),
      change: {
        expression: 'SET #data = :data, version = :two',
        names: { '#data': 'data' },
        values: { ':data': '{"title": "cut o', ':two': 2 },
      },
    })
    const [late, other] = await Promise.all([
      create(model, { title: 'late bird', other_id: first }),
      create(innocents, { title: 'other bird' }),
    ])
    await foundWithin(2_000, model, 'late', [late])
    await foundWithin(2_000, innocents, 'other', [other])
    await foundWithin(2_000, model, 'early', [first])
    const filter = encodeURIComponent(JSON.stringify({ title: { _contains: 'bird' } }))
    const listed = await api('GET', `/api/e/${model}?sort=id&filter=${filter}`)
    expect([listed.status, listed.body.data?.map(({ id }: any) => id)]).toEqual([200, [first, late]])
    expect(await find(model, 'bird')).toEqual([first, late])
    const whole = await api('GET', `/api/e/${model}?sort=id&expand=other_id`)
    expect([whole.status, whole.body.data?.map(({ id }: any) => id)]).toEqual([200, [first, late]])

    const job = await reindex(model)
    expect(job).toMatchObject({
      status: 'done',
      errors: [{ id: poison, message: expect.stringMatching(`^Record ${poison} cannot be read and was left out`) }],
    })
    expect(await keptVersions(model, [first, late])).toEqual([1, 1])
    expect(await find(model, 'bird')).toEqual([first, late])
  })
})
