import { setTimeout as pause } from 'node:timers/promises'
import { GetQueueAttributesCommand, ListQueuesCommand, SQSClient } from '@aws-sdk/client-sqs'
import { checkInvariants } from '../../faults/invariants.ts'
import { openWorld, type World } from '../../faults/world.ts'
import { otherTenant } from '../../make/builders/people.ts'
import { makeTable } from '../../make/builders/tables.ts'
import type { ApiAnswer } from '../../make/services/service.ts'
import { fillFields, fillHooks, type Axis, type Data, type Plan, type Shared, uploadMany } from './axes.ts'

/** A change appears in lists and searches within this time (contract §1, freshness). */
const freshMs = 2_000
/** What a busy machine may add to it. */
const graceMs = 6_000

/** A service with two tenants and what the axes share. */
export interface Laboratory {
  readonly world: World
  /** Runs every operation on a table at the maxima of these axes; answers what broke, in words. */
  run(axes: readonly Axis[]): Promise<string[]>
  /** Waits for the work that the runs since the last call left to the background; answers what is not consistent. */
  settle(): Promise<string[]>
  stop(): Promise<void>
}

export async function openLaboratory(): Promise<Laboratory> {
  const world = await openWorld()
  const { service } = world
  const other = await otherTenant(service)
  for (const name of ['targets', 'echoes', 'innocents'])
    await makeTable(service, name, [{ name: 'name', type: 'text' }])
  await makeTable(service, 'innocents', [{ name: 'name', type: 'text' }], other.token)
  await makeTable(service, 'holders', [{ name: 'papers', type: 'file', multiple: true }])
  const [files, otherFiles] = [await uploadMany(service, 50), await uploadMany(service, 50)]
  for (const papers of [files, otherFiles]) await world.api('POST', '/api/e/holders', { papers })
  const rows = Array.from({ length: 1000 }, (_, at) => ({ name: `t${at}` }))
  const targets = (await world.api('POST', '/api/e/targets/import', { rows })).body.data.ids as number[]
  const shared: Shared = { service, files, otherFiles, targets, rebuilds: [] }
  let count = 0
  let rebuilt = 0
  const models: string[] = []
  return {
    world,
    stop: () => world.stop(),
    async run(axes) {
      const model = `m${++count}`
      models.push(model)
      return runCase(shared, other.token, model, axes)
    },
    async settle() {
      await world.drain()
      const broken = (await deadLettersOf(world)).map((queue) => `dead letters in ${queue}`)
      for (const id of shared.rebuilds.splice(0)) {
        const { status, errors } = (await world.api('GET', `/api/sys/jobs/${id}`)).body.data
        if (status !== 'done' || errors.length > 0) broken.push(`rebuild ${id}: ${status} ${JSON.stringify(errors[0])}`)
        rebuilt += 1
      }
      // Which of them change what is found depends on the limits that were drawn.
      if (models.length > 50 && rebuilt === 0) broken.push('no table was indexed again')
      const tables = new Set(
        (await world.items()).flatMap(({ pk, sk }) =>
          pk === 'T#1#CONFIG' && sk.startsWith('TABLE#') ? [sk.slice(6)] : [],
        ),
      )
      const made = models.splice(0).filter((model) => tables.has(model))
      await checkInvariants(world, made).catch((error: Error) => broken.push(error.message.slice(0, 2000)))
      return broken
    },
  }
}

const merged = (parts: Plan['create'], n: number): Data => Object.assign({}, ...parts.map((part) => part(n))) as Data

function planOf(shared: Shared, model: string, axes: readonly Axis[]): Plan {
  const plan: Plan = { model, fields: [], hooks: [], create: [], change: [], prepare: [], attach: [] }
  for (const axis of axes) axis.apply(plan, shared)
  if (axes.some(({ name }) => name === 'fields')) fillFields(plan)
  if (axes.some(({ name }) => name === 'hooks')) fillHooks(plan)
  if (plan.change.length === 0) {
    plan.fields.push({ name: 'title', type: 'text' })
    plan.create.push((n) => ({ title: `first ${n}` }))
    plan.change.push((n) => ({ title: `second ${n}` }))
  }
  return plan
}

async function runCase(shared: Shared, otherToken: string, model: string, axes: readonly Axis[]): Promise<string[]> {
  const { service } = shared
  const broken: string[] = []
  const plan = planOf(shared, model, axes)
  const { token } = service.admin

  /** Success, or a refusal that says why: anything else is broken. */
  async function ask(what: string, method: string, path: string, body?: unknown): Promise<ApiAnswer | undefined> {
    try {
      const answer = await service.api(method, path, { token, body })
      if (!isClear(answer)) broken.push(`${what}: ${answer.status} ${JSON.stringify(answer.body).slice(0, 300)}`)
      return answer
    } catch (error) {
      broken.push(`${what}: ${String(error)}`)
      return undefined
    }
  }

  const document = { name: model, table_fields: plan.fields, automations: plan.hooks }
  if ((await ask('table', 'POST', '/api/sys/entities', document))?.status !== 201) return broken
  for (const prepare of plan.prepare) await prepare()
  const path = `/api/e/${model}`
  const innocents = beInnocent(shared, otherToken, model)
  const id = (await ask('create', 'POST', path, merged(plan.create, 1)))?.body?.data?.id as number | undefined
  if (id !== undefined) {
    for (const attach of plan.attach) await attach(id)
    await ask('update', 'PATCH', `${path}/${id}`, merged(plan.change, 1))
    await ask('list', 'GET', `${path}?per_page=1000`)
    await ask('history', 'GET', `/api/sys/history/${model}/${id}`)
    const at = new Date().toISOString()
    await pause(5)
    await ask('delete', 'DELETE', `${path}/${id}`)
    await service.cloud.idle(30_000)
    await ask('restore', 'POST', `${path}/${id}/restore`, { as_of: at })
  }
  const rows = [100, 101].map((n) => merged(plan.create, n))
  const imported = await ask('import', 'POST', `${path}/import`, { rows })
  for (const { message, errors } of imported?.body?.data?.errors ?? [])
    if (!message && !errors) broken.push(`import: a row failed and does not say why`)
  await ask('export', 'GET', `${path}/export?format=csv`)
  // Without its texts, which are found unless a field says otherwise: the records are indexed again.
  const table_fields = plan.fields.map((field) => ({ ...field, ...(isText(field) && { searchable: false }) }))
  const changed = await ask('reindex', 'PUT', `/api/sys/entities/name/${model}`, { ...document, table_fields })
  const rebuild = changed?.body?.data?.rebuilding?.job_id as number | undefined
  if (rebuild !== undefined) shared.rebuilds.push(rebuild)
  broken.push(...(await innocents))
  return broken
}

const isText = (field: object): boolean => 'type' in field && (field.type === 'text' || field.type === 'textarea')

/** 2xx; or a refusal that names a field, or counts what is too much. */
const isClear = ({ status, body }: ApiAnswer): boolean =>
  status < 300 ||
  ((status === 422 || status === 413) &&
    (Object.keys(body?.errors ?? {}).length > 0 || /\d/.test(String(body?.message))))

/** Records of the same and of another tenant, written meanwhile: each is listed and found in time. */
async function beInnocent({ service }: Shared, otherToken: string, model: string): Promise<string[]> {
  const late = await Promise.all(
    [service.admin.token, otherToken].map(async (token, index) => {
      const name = `innocent ${model}`
      const made = await service.api('POST', '/api/e/innocents', { token, body: { name } })
      if (made.status !== 201) return `an innocent record of tenant ${index + 1} was refused: ${made.status}`
      for (const until = Date.now() + freshMs + graceMs; Date.now() < until; await pause(50)) {
        const found = await service.api('GET', `/api/e/innocents?per_page=1000&search=${model}`, { token })
        const filter = encodeURIComponent(JSON.stringify({ name }))
        const listed = await service.api('GET', `/api/e/innocents?filter=${filter}`, { token })
        if (names(found).includes(name) && names(listed).includes(name)) return undefined
      }
      return `an innocent record of tenant ${index + 1} is not found`
    }),
  )
  return late.filter((text) => text !== undefined)
}

const names = ({ body }: ApiAnswer): string[] =>
  body?.data?.map(({ data }: { data: { name: string } }) => data.name) ?? []

async function deadLettersOf({ service }: World): Promise<string[]> {
  const sqs = new SQSClient({ ...service.cloud.clientOptions('sqs') })
  try {
    const { QueueUrls: urls = [] } = await sqs.send(new ListQueuesCommand({}))
    const filled = await Promise.all(
      urls
        .filter((url) => /DeadLetters|Dlq/i.test(url))
        .map(async (QueueUrl) => {
          const asked = new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['ApproximateNumberOfMessages'] })
          const { Attributes } = await sqs.send(asked)
          return Attributes?.ApproximateNumberOfMessages === '0' ? [] : [QueueUrl.slice(QueueUrl.lastIndexOf('/') + 1)]
        }),
    )
    return filled.flat()
  } finally {
    sqs.destroy()
  }
}
