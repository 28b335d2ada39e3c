import { maxBodyBytes } from '../../../shared/kernel/limits/requests.ts'
import { finishedJob } from '../../make/builders/finished-job.ts'
import { upload } from '../../make/builders/records/uploads.ts'
import type { TestService } from '../../make/services/service.ts'
import { type Ask, bytesOf, type Data, type Plan, tableOf } from './plan.ts'

/** A tenant that gets the configuration of each case, and loses it again. */
export interface Mirror {
  readonly service: TestService
  readonly token: string
}

const jobMs = 60_000

/** Applies a document at once, or from a file when it is too large for that; answers what was done. */
async function apply({ service, token }: Mirror, step: string, document: Data, ask: Ask, query = ''): Promise<any> {
  const isLarge = bytesOf(document) > maxBodyBytes - 1000
  const body = isLarge
    ? {
        file: await upload(service, {
          name: 'configuration.json',
          type: 'application/json',
          content: Buffer.from(JSON.stringify(document)),
          token,
        }),
      }
    : document
  const applied = await ask(step, 'PUT', `/api/sys/config${query}`, body)
  const id = applied.data?.job_id as number | undefined
  if (id === undefined) return applied.data
  const job = await finishedJob(service, id, jobMs, token)
  return job.result ?? job
}

/** The configuration of a tenant, at once or from the file of a job. */
export async function exported({ service, token }: Mirror, ask: Ask): Promise<Data | undefined> {
  const { data } = await ask('configuration', 'GET', '/api/sys/config')
  if (data?.job_id === undefined) return data as Data | undefined
  const job = await finishedJob(service, data.job_id as number, jobMs, token)
  return (await (await fetch(job.result.url)).json()) as Data
}

/** Sends back what was exported: nothing may be refused, made or changed. */
export async function expectSame(mirror: Mirror, document: Data, ask: Ask, broken: string[]): Promise<void> {
  for (const [step, query] of [
    ['dry run of the same configuration', '?dry_run=true'],
    ['same configuration', '?dry_run=false'],
  ] as const) {
    const result = await apply(mirror, step, document, ask, query)
    const { created, changed, unchanged } = result ?? {}
    if (created?.length !== 0 || changed?.length !== 0 || !(unchanged > 0))
      broken.push(`${step}: ${JSON.stringify(result)?.slice(0, 400)}`)
  }
}

/** Makes the plan's table, processes and roles in another tenant by one document, reads it, sends it back, and removes it. */
export async function mirrored(mirror: Mirror, plan: Plan, ask: Ask, broken: string[]): Promise<void> {
  const { model, processes, roles } = plan
  const document = {
    tables: [tableOf(plan)],
    roles: roles.map((role) => ({ ...role, permissions: [`${model}.*`] })),
    processes,
    relations: plan.relates ? [{ name: `with_${model}`, l_table: model, r_table: 'targets' }] : [],
  }
  const dry = await apply(mirror, 'dry run of a new configuration', document, ask, '?dry_run=true')
  const applied = await apply(mirror, 'new configuration', document, ask)
  if (!applied?.created) return
  if (applied.created.join() !== dry.created.join()) broken.push(`dry run: ${JSON.stringify(dry).slice(0, 400)}`)
  const found = await exported(mirror, ask)
  if (!(found?.tables as Data[] | undefined)?.some(({ name }) => name === model))
    broken.push('the exported configuration lacks the table')
  if (found) await expectSame(mirror, found, ask, broken)
  const table = await ask('mirrored table', 'GET', `/api/sys/entities/name/${model}`)
  for (const { id } of table.data?.relations ?? [])
    await ask('mirrored relation removed', 'DELETE', `/api/sys/relations/${id}`)
  for (const kind of ['process-templates', 'roles'])
    for (const one of (await ask(`mirrored ${kind}`, 'GET', `/api/sys/${kind}?per_page=1000`)).data ?? [])
      if (String(one.code ?? one.name).includes(model))
        await ask(`mirrored ${kind} removed`, 'DELETE', `/api/sys/${kind}/${one.id}`)
  await ask('mirrored table removed', 'DELETE', `/api/sys/entities/name/${model}`)
}
