import { setTimeout as pause } from 'node:timers/promises'
import { finishedJob } from '../../make/builders/finished-job.ts'
import { eventually } from '../../make/builders/processes/processes.ts'
import type { ApiAnswer } from '../../make/services/service.ts'
import { type Asker, withRoles } from './asker.ts'
import { unsearched } from './axes/tables.ts'
import { type Mirror, mirrored } from './configuration.ts'
import { type Ask, type Data, merged, type Plan, type Shared, tableOf } from './plan.ts'

/** What came of a case: what broke, in words, and what each step answered. */
export interface Outcome {
  readonly broken: string[]
  readonly answers: Map<string, string>
  /** The steps that were refused, with their answers. */
  readonly refused: Map<string, string>
  /** Why processes do not continue. */
  readonly incidents: string[]
}

export interface Surroundings {
  readonly shared: Shared
  readonly asker: Asker
  readonly mirror: Mirror
  /** The jobs that index tables again. */
  readonly rebuilds: number[]
}

const endsMs = 110_000

/** Runs every operation on the plan's table. */
export async function operate({ shared, asker, mirror, rebuilds }: Surroundings, plan: Plan): Promise<Outcome> {
  const { service } = shared
  const { model } = plan
  const outcome: Outcome = { broken: [], answers: new Map(), refused: new Map(), incidents: [] }
  const { broken, answers, refused } = outcome
  const asking =
    (token: string): Ask =>
    async (step, method, path, body) => {
      try {
        const answer = await unlessBusy(() => service.api(method, path, { token, body }))
        const text = `${answer.status} ${JSON.stringify(answer.body)}`.slice(0, 20_000)
        if (!isClear(answer)) broken.push(`${step}: ${text.slice(0, 400)}`)
        if (answer.status < 300) answers.set(step, text)
        else refused.set(step, text)
        return answer.status < 300 ? (answer.body ?? {}) : {}
      } catch (error) {
        broken.push(`${step}: ${String(error)}`)
        return {}
      }
    }
  const asAdministrator = asking(service.admin.token)
  const tableMade = await asAdministrator('table', 'POST', '/api/sys/entities', tableOf(plan))
  if (!tableMade.data) return outcome
  for (const prepare of plan.prepare) await prepare(asAdministrator)
  let templates = 0
  for (const { name: code, label: name, ...process } of plan.processes)
    if ((await asAdministrator('process', 'POST', '/api/sys/process-templates', { code, name, ...process })).data)
      templates += 1
  const copied = mirrored(mirror, plan, asking(mirror.token), broken)
  await withRoles(asker, plan, asAdministrator, async (token) => {
    const ask = token === undefined ? asAdministrator : asking(token)
    await writeRecord(plan, templates, ask, asAdministrator, outcome)
    await importRows(plan, ask, token)
    await ask('export', 'GET', `/api/e/${model}/export?format=csv`)
  })
  // Without its texts, which are found unless a field says otherwise: the records are indexed again.
  const changed = await asAdministrator('reindex', 'PUT', `/api/sys/entities/name/${model}`, unsearched(plan))
  const rebuild = changed.data?.rebuilding?.job_id as number | undefined
  if (rebuild !== undefined) rebuilds.push(rebuild)
  await copied
  return outcome

  async function importRows({ create, rows, wrong }: Plan, ask: Ask, token?: string): Promise<void> {
    const first = 100
    for (const [step, sent] of [
      ['import', Array.from({ length: rows }, (_, at) => merged(create, first + at))],
      ['wrong import', wrong],
    ] as const) {
      if (sent.length === 0) continue
      const imported = await ask(step, 'POST', `/api/e/${model}/import`, { rows: sent })
      const id = imported.data?.job_id as number | undefined
      const job = id === undefined ? undefined : await finishedJob(service, id, endsMs, token)
      if (job && job.status !== 'done') broken.push(`${step}: ${JSON.stringify(job).slice(0, 400)}`)
      const result = job?.result ?? imported.data
      if (!result) continue
      answers.set(`${step} ended`, JSON.stringify({ ...result, as: job ? 'job' : 'answer', ids: undefined }))
      const errors = (job?.errors ?? result.errors) as { message?: string; errors?: object }[]
      for (const { message, errors: named } of errors)
        if (!message && !named) broken.push(`${step}: a row failed and does not say why`)
      if ((errors.length === 0) !== (result.failed === 0)) broken.push(`${step}: ${result.failed} rows failed unnamed`)
    }
  }
}

/** Creates, changes, deletes and restores one record, and its processes. */
async function writeRecord(
  { model, attach, create, change }: Plan,
  templates: number,
  ask: Ask,
  asAdministrator: Ask,
  { broken, incidents }: Outcome,
): Promise<void> {
  const path = `/api/e/${model}`
  const id = (await ask('create', 'POST', path, merged(create, 1))).data?.id as number | undefined
  if (id === undefined) return
  for (const one of attach) await one(id, asAdministrator)
  const instances = (step: string, isReady: (found: Data[]) => boolean | Promise<boolean>) =>
    eventually(
      `${step} of ${model}`,
      async () => {
        const about = `/api/sys/process-instances?model=${model}&record_id=${id}`
        const found = (await asAdministrator(step, 'GET', about)).data as Data[] | undefined
        if (found && (await isReady(found))) return found
        await pause(80)
      },
      endsMs,
    )
  const stopped = new Set<unknown>()
  /** Every process that does not continue says why. */
  async function noteIncidents(found: readonly Data[]): Promise<void> {
    for (const { id: of, status } of found) {
      if (status !== 'incident') continue
      stopped.add(of)
      const instance = await asAdministrator('instance', 'GET', `/api/sys/process-instances/${String(of)}`)
      const [incident] = instance.data?.incidents ?? []
      if (incident?.message) incidents.push(incident.message)
      else broken.push('an incident does not say why')
    }
  }
  if (templates > 0) {
    const tasks = `/api/sys/process-tasks?model=${model}&record_id=${id}&status=pending&per_page=1000`
    await instances('start', ({ length }) => length === templates)
    // A new task may take two seconds to appear; a process that cannot continue opens none.
    let task: Data | undefined
    const waiting = await instances('start', async (found) => {
      task = (await asAdministrator('tasks', 'GET', tasks)).data?.[0]
      return task !== undefined || found.every(({ status }) => status === 'incident')
    })
    await noteIncidents(waiting)
    const taskId = (task as Data | undefined)?.id
    if (taskId !== undefined)
      await asAdministrator('complete', 'POST', `/api/sys/process-tasks/${String(taskId)}/complete`, {})
  }
  const updated = await ask('update', 'PATCH', `${path}/${id}`, merged(change, 1))
  if (templates > 0 && updated.data) {
    const ended = await instances('advance', (found) => found.every(({ status }) => status !== 'running'))
    await noteIncidents(ended.filter(({ id: of }) => !stopped.has(of)))
    if (ended.some(({ status }) => status !== 'completed' && status !== 'incident'))
      broken.push(`processes ended otherwise: ${JSON.stringify(ended).slice(0, 400)}`)
  }
  await ask('list', 'GET', `${path}?per_page=1000`)
  await ask('history', 'GET', `/api/sys/history/${model}/${id}`)
  const at = new Date().toISOString()
  await pause(5)
  const removed = await ask('delete', 'DELETE', `${path}/${id}`)
  if (removed !== undefined) await ask('restore', 'POST', `${path}/${id}/restore`, { as_of: at })
}

/** The answer that is not 409 record_busy, which says to try again. */
async function unlessBusy(send: () => Promise<ApiAnswer>): Promise<ApiAnswer> {
  for (const until = Date.now() + endsMs; ; await pause(100)) {
    const answer = await send()
    if (answer.body?.code !== 'record_busy' || Date.now() > until) return answer
  }
}

/** 2xx; or a refusal that names a field, or counts what is too much. */
const isClear = ({ status, body }: ApiAnswer): boolean =>
  status < 300 ||
  ((status === 422 || status === 413) &&
    (Object.keys(body?.errors ?? {}).length > 0 || /\d/.test(String(body?.message))))
