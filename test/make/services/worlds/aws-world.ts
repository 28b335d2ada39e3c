/** The service in AWS's time, with three instances of each function, and what it must do there whatever the seed. */
import { randomInt } from 'node:crypto'
import { expect } from 'vitest'
import { seededRandomness } from '../../../../infra/local/runtime/timing/randomness.ts'
import { sampleRecord, sampleTable } from '../../../../infra/operate/cost/sample-table.ts'
import { clock } from '../../../../shared/kernel/time/clock.ts'
import { createColumns } from '../../../../shared/lists/columns/reader/create-columns.ts'
import { bpmn, end, flow, inARow, makeProcess, setFields, start, timer } from '../../builders/processes/processes.ts'
import { setHooks } from '../../builders/records/hooks.ts'
import { makeTable } from '../../builders/records/tables.ts'
import { scriptedReceiver } from '../servers/scripted-receiver.ts'
import { startService } from '../service.ts'

export type AwsWorld = Awaited<ReturnType<typeof awsWorld>>

const instances = 3
const tenant = { id: 1 }
const second = 1_000
const minute = 60 * second

/** `AWS_TIME_SEED` repeats the random choices of a failed run. */
export const seedOfRun = (): number => Number(process.env.AWS_TIME_SEED ?? randomInt(2 ** 31))

export async function awsWorld(seed: number) {
  console.log(`AWS_TIME_SEED=${seed} repeats the random choices of this cloud`)
  const service = await startService({ timing: 'aws', instances, seed, coldStartMs: 20, log: () => {} })
  const { cloud } = service
  const receivers: Awaited<ReturnType<typeof scriptedReceiver>>[] = []

  const api = (method: string, path: string, body?: unknown) =>
    service.api(method, path, { token: service.admin.token, body })

  /** Asks as a client does: again after 409, 429 and 503, which say so. */
  async function ask(method: string, path: string, body?: unknown): Promise<any> {
    for (let left = 20; ; left--) {
      const answer = await api(method, path, body)
      if (answer.status < 400) return answer.body
      if (left === 0 || ![409, 429, 503].includes(answer.status))
        throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
      await cloud.advance(second)
    }
  }

  /** Lets time pass until `look` answers; fails after `withinMs` of the cloud's time. */
  async function eventually<T>(what: string, look: () => Promise<T | undefined | false>, withinMs = 60 * minute) {
    const until = cloud.now() + withinMs
    for (let stepMs = second; ; stepMs = Math.min(2 * stepMs, 2 * minute)) {
      const found = await look()
      if (found) return found
      if (cloud.now() > until) throw new Error(`${what}: not within ${withinMs / second} s`)
      await cloud.advance(stepMs)
    }
  }

  /** Answers of all instances, most probably: as many requests as leave each out once in a thousand runs. */
  const ofAllInstances = <T>(request: () => Promise<T>): Promise<T[]> =>
    inTurn(Array.from({ length: 12 }), () => request())

  return {
    service,
    cloud,
    random: seededRandomness(seed)('test'),
    ask,
    eventually,
    ofAllInstances,
    /** Columns as a process that begins reads them. */
    freshColumns: () =>
      createColumns({
        store: service.store,
        clock: { ...clock, now: () => cloud.now() },
        budgetBytes: 64 * 1024 * 1024,
      }),
    async openReceiver(answer: Parameters<typeof scriptedReceiver>[0]) {
      const receiver = await scriptedReceiver(answer)
      receivers.push(receiver)
      return receiver
    },
    async stop() {
      await service.stop()
      await Promise.all(receivers.map((receiver) => receiver.close()))
    },
  }
}

async function inTurn<T, R>(values: readonly T[], act: (value: T, index: number) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  for (const [index, value] of values.entries()) results.push(await act(value, index))
  return results
}

/**
 * Lists see a change whose append to the log failed, while later ones succeed: a process that begins at any time, the running
 * instances 2 s after the append was retried.
 */
export async function checkLists({ cloud, ask, eventually, ofAllInstances, freshColumns }: AwsWorld): Promise<void> {
  await ask('POST', '/api/sys/entities', sampleTable)
  const ids = await inTurn(Array.from({ length: 30 }), async (_, n) => {
    const { data } = await ask('POST', '/api/e/cases', sampleRecord(n))
    return data.id as number
  })
  await cloud.idle()
  const countOf = async (filter: object): Promise<number> =>
    (await ask('GET', `/api/e/cases?per_page=1&filter=${encodeURIComponent(JSON.stringify(filter))}`)).meta.total
  const urgent = { priority: { _gte: 90 } }
  expect(new Set(await ofAllInstances(() => countOf(urgent)))).toEqual(new Set([0]))

  /** What a process that begins now knows of the priority of a record. */
  async function freshPriority(id: number): Promise<unknown> {
    const view = await freshColumns().open(tenant, 'cases', ['priority'])
    try {
      return view.vector('priority', 0)?.get(id % 1_000)
    } finally {
      view.release()
    }
  }
  const id = ids[6]!
  const fault = cloud.faults.inject({
    service: 'dynamodb',
    operation: 'PutItem',
    when: ({ functionName }) => /search-?indexer/i.test(functionName),
    action: 'crash-before',
  })
  await ask('PATCH', `/api/e/cases/${id}`, { priority: 99 })
  await eventually('an append that fails, and comes back after the visibility timeout', async () => fault.struck > 0)
  // Others are written meanwhile, until the entry of the change would be far behind the newest one.
  await inTurn(ids.slice(9, 13), async (other) => {
    await ask('PATCH', `/api/e/cases/${other}`, { priority: 50 })
    await cloud.advance(20 * second)
    expect(await freshPriority(id)).toBe(99)
  })
  await cloud.idle()
  await cloud.advance(2 * second)
  expect(await freshPriority(id)).toBe(99)
  expect(new Set(await ofAllInstances(() => countOf(urgent)))).toEqual(new Set([1]))
  expect(new Set(await ofAllInstances(() => countOf({ priority: { _gte: 50 } })))).toEqual(new Set([5]))
}

/**
 * Lists of all instances beside writes of all kinds: nothing that was answered 2 s ago is missing or stale, whatever the
 * queues, shards and indexes hold back.
 */
export async function checkListsBesideWrites(world: AwsWorld, rounds: number): Promise<void> {
  const { service, cloud, ask, random } = world
  const mayLagMs = 2 * second
  await makeTable(service, 'stock', [
    { name: 'title', type: 'text', indexed: true },
    { name: 'n', type: 'integer', indexed: true },
  ])
  /** The value of `n` by id, undefined for a deleted record, and when that was answered. */
  const written = new Map<number, { readonly n: number | undefined; readonly atMs: number }>()
  const pick = (): number | undefined => {
    const living = [...written].flatMap(([id, { n }]) => (n === undefined ? [] : [id]))
    return living[Math.floor(random() * living.length)]
  }

  async function write(n: number): Promise<void> {
    const id = random() < 0.5 ? undefined : pick()
    if (id === undefined) {
      const { data } = await ask('POST', '/api/e/stock', { title: `thing ${n}`, n })
      written.set(data.id, { n, atMs: cloud.now() })
    } else if (random() < 0.8) {
      await ask('PATCH', `/api/e/stock/${id}`, { n })
      written.set(id, { n, atMs: cloud.now() })
    } else {
      await ask('DELETE', `/api/e/stock/${id}`)
      written.set(id, { n: undefined, atMs: cloud.now() })
    }
  }

  const filter = encodeURIComponent(JSON.stringify({ n: { _gte: 0 } }))
  for (let round = 1; round <= rounds; round++) {
    for (let left = 1 + Math.floor(random() * 2); left > 0; left--) await write(10 * round + left)
    await cloud.advance(random() * 700)
    const since = cloud.now() - mayLagMs
    const due = [...written].filter(([, { atMs }]) => atMs <= since)
    const { data } = await ask('GET', `/api/e/stock?per_page=100&filter=${filter}`)
    const listed = new Map<number, number>(data.map(({ id, data: { n } }: any) => [id, n]))
    const wrong = due.flatMap(([id, { n, atMs }]) =>
      listed.get(id) === n ? [] : [`${id} is ${listed.get(id)}, not ${n}, written ${cloud.now() - atMs} ms ago`],
    )
    expect(wrong, `seed ${service.cloud.seed}, round ${round}`).toEqual([])
  }
}

/** Each webhook arrives, each attempt is recorded once, and nothing is delivered by two deliveries. */
export async function checkDeliveries(world: AwsWorld, count: number): Promise<void> {
  const { service, ask, eventually, openReceiver } = world
  const fails = new Set<string>()
  const receiver = await openReceiver((_, { headers }) => {
    const id = String(headers['webhook-id'])
    // Every second one fails once.
    const failing = !fails.has(id) && Number.parseInt(id.slice(-1), 36) % 2 === 0
    fails.add(id)
    return { status: failing ? 503 : 200 }
  })
  const { data: channel } = await ask('POST', '/api/sys/channels', {
    name: 'crm',
    type: 'webhook',
    config: { url: `${receiver.url}/hooks`, retry_schedule: [0, 30, 120, 600] },
  })
  await makeTable(service, 'posts', [{ name: 'title', type: 'text' }])
  await setHooks(service, 'posts', [['after_create', "$api.sendWebhook({ id: $data.id }, 'crm')"]])
  const ids = await inTurn(Array.from({ length: count }), async (_, n) => {
    return (await ask('POST', '/api/e/posts', { title: `post ${n}` })).data.id as number
  })
  const listed = async (): Promise<any[]> =>
    (await ask('GET', `/api/sys/deliveries?channel_id=${channel.id}&per_page=100`)).data
  await eventually('all deliveries', async () => {
    const all = await listed()
    return all.length >= count && all.every(({ status }) => status === 'delivered')
  })
  await world.cloud.advance(10 * minute)
  const all = await listed()
  expect(all.map(({ source }) => source.record_id).toSorted((a, b) => a - b)).toEqual(ids)
  for (const { id } of all) {
    const { data } = await ask('GET', `/api/sys/deliveries/${id}`)
    const arrived = receiver.received.filter(({ headers }) => headers['webhook-id'] === data.message_id)
    expect(arrived.length).toBeGreaterThanOrEqual(1)
    expect(data.attempts.map(({ n }: any) => n)).toEqual(Array.from({ length: data.attempt_count }, (_, n) => n + 1))
    expect(data.attempts.filter(({ outcome }: any) => outcome === 'delivered')).toHaveLength(1)
    expect(data.attempt_count).toBe(arrived.length)
  }
}

/** The ids of a list, newest first, page by page by cursor. */
async function walk({ ask }: AwsWorld, path: string): Promise<readonly number[]> {
  const ids: number[] = []
  for (let cursor: string | null = ''; cursor !== null;) {
    const { data, meta }: { data: { id: number }[]; meta: { next_cursor: string | null } } = await ask(
      'GET',
      `${path}${cursor && `&cursor=${encodeURIComponent(cursor)}`}`,
    )
    ids.push(...data.map(({ id }) => id))
    cursor = meta.next_cursor
  }
  return ids
}

/** Each incoming message makes one record by its rule. */
export async function checkIncoming(world: AwsWorld, count: number): Promise<void> {
  const { service, ask, eventually, ofAllInstances } = world
  await makeTable(service, 'requests', [
    { name: 'title', type: 'text', required: true },
    { name: 'description', type: 'textarea' },
  ])
  await ask('POST', '/api/sys/incoming-actions', {
    name: 'Requests',
    channel: 'api',
    target_model: 'requests',
    is_automatic: true,
    field_mapping: { title: 'subject', description: 'body' },
  })
  const sent = await inTurn(Array.from({ length: count }), async (_, n) => {
    const subject = `Printer ${n} is jammed`
    const { data } = await ask('POST', '/api/sys/incoming_messages', {
      from_email: 'ann@example.com',
      subject,
      body: 'Help',
    })
    return { id: data.id as number, subject }
  })
  expect(await walk(world, '/api/sys/incoming_messages?per_page=4')).toEqual(
    expect.arrayContaining(sent.map(({ id }) => id)),
  )
  const made = await inTurn(sent, ({ id, subject }) =>
    eventually(`a record of message ${id}`, async () => {
      const { data } = await ask('GET', `/api/sys/incoming_messages/${id}`)
      return data.is_processed && { subject, records: data.records, errors: data.errors }
    }),
  )
  await world.cloud.advance(10 * minute)
  for (const { subject, records, errors } of made) {
    expect(errors).toEqual([])
    expect(records).toHaveLength(1)
    expect((await ask('GET', `/api/e/requests/${records[0].id}`)).data.data.title).toBe(subject)
  }
  const totals = await ofAllInstances(async () => (await ask('GET', '/api/e/requests?per_page=1')).meta.total)
  expect(new Set(totals)).toEqual(new Set([count]))
}

/** Approvals over a timer, a task with an escalation, and a step that writes: each step is taken once. */
export async function checkProcesses(world: AwsWorld, count: number): Promise<void> {
  const { service, ask, eventually } = world
  await makeTable(service, 'approvals', [
    { name: 'title', type: 'text', required: true },
    { name: 'status', type: 'text' },
    { name: 'note', type: 'text' },
  ])
  const elements = [
    inARow(
      start,
      `<intermediateCatchEvent id="pause">${timer('timeDuration', 'PT5M')}</intermediateCatchEvent>`,
      '<userTask id="approve"/>',
      setFields('close', { note: '${record.title} is done' }),
      end,
    ),
    `<boundaryEvent id="late" attachedToRef="approve" cancelActivity="false">${timer('timeDuration', 'PT30M')}</boundaryEvent>`,
    setFields('escalate', { status: 'late' }),
    flow('late', 'escalate'),
  ].join('')
  await makeProcess(service, 'approvals', 'approval', bpmn(elements), { is_auto_start: true })
  const ids = await inTurn(Array.from({ length: count }), async (_, n) => {
    return (await ask('POST', '/api/e/approvals', { title: `approval ${n}` })).data.id as number
  })
  const taskOf = (id: number) =>
    eventually(`the task of approval ${id}`, async () => {
      const path = `/api/sys/process-tasks?model=approvals&record_id=${id}&status=pending`
      return (await ask('GET', path)).data[0]
    })
  const tasks = await inTurn(ids, taskOf)
  // Half of them wait for their escalation.
  const isLate = (at: number): boolean => at % 2 === 1
  for (const [at, task] of tasks.entries())
    if (!isLate(at)) await ask('POST', `/api/sys/process-tasks/${task.id}/complete`, { outcome: 'yes' })
  await inTurn(
    ids.filter((_, at) => isLate(at)),
    (id) =>
      eventually(
        `the escalation of approval ${id}`,
        async () => (await ask('GET', `/api/e/approvals/${id}`)).data.data.status === 'late',
      ),
  )
  for (const [at, task] of tasks.entries())
    if (isLate(at)) await ask('POST', `/api/sys/process-tasks/${task.id}/complete`, { outcome: 'yes' })
  for (const [at, id] of ids.entries()) {
    const instance = await eventually(`the end of approval ${id}`, async () => {
      const { data } = await ask('GET', `/api/sys/process-instances?model=approvals&record_id=${id}`)
      expect(data.length).toBeLessThanOrEqual(1)
      return data[0]?.status === 'completed' && (await ask('GET', `/api/sys/process-instances/${data[0].id}`)).data
    })
    const completed = instance.history.filter(({ status }: any) => status === 'completed')
    expect(completed.map(({ element_id }: any) => element_id).toSorted()).toEqual(
      ['start', 'pause', 'approve', 'close', 'end', ...(isLate(at) ? ['late', 'escalate'] : [])].toSorted(),
    )
    expect((await ask('GET', `/api/e/approvals/${id}`)).data.data.note).toBe(`approval ${at} is done`)
  }
}

/** The nightly repair finds nothing, a day later. */
export async function checkNothingToRepair({ cloud, ask, eventually, service }: AwsWorld): Promise<void> {
  await cloud.idle()
  await cloud.advance(10 * minute)
  await cloud.invoke('nightly-repair')
  const { items } = await service.store.query(tenant, { pk: 'T#1#JOBS', reverse: true, limit: 1 })
  const { status, errors, result } = await eventually('the end of the repair', async () => {
    const { data } = await ask('GET', `/api/sys/jobs/${Number(items[0]?.sk)}`)
    return ['done', 'failed'].includes(data.status) && data
  })
  expect({ status, errors, ...result }).toEqual({ status: 'done', errors: [], history: 0, live: 0, columns: 0 })
}
