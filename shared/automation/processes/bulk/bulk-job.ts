import * as z from 'zod'
import { Conflict, Fault, Invalid } from '../../../kernel/failures/faults.ts'
import { maxBulkInstances } from '../../../kernel/limits/processes.ts'
import { mayFail } from '../../../kernel/runtime/log.ts'
import type { Tenant } from '../../../kernel/tenancy.ts'
import { defineJob, type JobKind } from '../../../platform/jobs/define-job.ts'
import { scanIds } from '../../../platform/listing/scan-ids.ts'
import { instanceKey } from '../../../platform/store/keys/processes.ts'
import { wasApplied } from '../../../platform/store/writes/refusals.ts'
import type { AdvanceDependencies } from '../dependencies.ts'
import { instanceSources } from '../instances/list-instances.ts'
import { giveCommand, operateInstance, type OperationEntry } from '../instances/operate-instance.ts'
import { endedAlready } from '../operations/instance-conflicts.ts'
import { bulkActions } from '../operations/schema.ts'
import { hasEnded, type Instance, readInstanceHead } from '../rows/instance-row.ts'
import type { Operation } from '../rows/operation-row.ts'
import { advanceInstance } from '../runtime/advance-instance.ts'
import { type InstanceMatch, onlyValue, readInstanceFilter } from './instance-filter.ts'

export const bulkJobKind = 'process-bulk'

const Input = z.object({
  filter: z.record(z.string(), z.unknown()),
  action: z.enum(bulkActions),
  version: z.int().optional(),
  mapping: z.record(z.string(), z.string()).optional(),
  reason: z.string().optional(),
})
export type BulkInput = z.output<typeof Input>

interface Counts {
  readonly done: number
  readonly skipped: number
  readonly failed: number
}
/** First the instances are collected that match, newest first; then each is acted on, as long as some are left. */
type State = Counts & {
  readonly ids: readonly number[]
  readonly atMs: number
  readonly matched: number
  readonly hasMore: boolean
  /** While it collects: the last id that it looked at, 0 before the first; null when all are collected. */
  readonly after: number | null
}

const rowsAtOnce = 100

/**
 * Does the same to many instances, one after another. What an instance is given is written under the id of the job, so
 * that a step that is repeated after a crash gives it nothing twice.
 */
export const bulkInstancesJob = (services: AdvanceDependencies): JobKind =>
  defineJob(bulkJobKind, Input, async ({ id, tenant, actor, timeIsUp }, input, state: State | undefined) => {
    const now = state ?? emptyState(services.clock.now())
    if (now.after !== null) {
      const collected = await collect(services, tenant, input, now, timeIsUp)
      return { state: collected, total: collected.matched }
    }
    const by = { tenant, userId: actor.userId, impersonatorId: actor.impersonatorId }
    const counts = { done: now.done, skipped: now.skipped, failed: now.failed }
    const errors: { message: string; instance_id: number; errors?: unknown; code: string }[] = []
    let worked = 0
    for (; worked < now.ids.length && !timeIsUp(); worked += 1) {
      const instanceId = now.ids[worked] as number
      try {
        const entry = { atMs: now.atMs, name: `job-${id}` }
        counts[await actOn(services, by, instanceId, input, entry)] += 1
      } catch (error) {
        if (!(error instanceof Fault)) throw error
        counts.failed += 1
        errors.push({
          message: error.message,
          instance_id: instanceId,
          code: error.code,
          ...(error instanceof Invalid && { errors: error.errors }),
        })
      }
    }
    const ids = now.ids.slice(worked)
    const { matched, hasMore } = now
    if (ids.length > 0) return { state: { ...now, ...counts, ids }, worked, errors }
    return { ended: 'done', worked, total: matched, errors, result: { matched, ...counts, has_more: hasMore } }
  })

const emptyState = (atMs: number): State => ({
  ids: [],
  atMs,
  matched: 0,
  hasMore: false,
  after: 0,
  done: 0,
  skipped: 0,
  failed: 0,
})

async function collect(
  { store }: AdvanceDependencies,
  tenant: Tenant,
  { filter, action }: BulkInput,
  state: State,
  timeIsUp: () => boolean,
): Promise<State> {
  const match = readInstanceFilter(filter)
  const [templateId, status] = [onlyValue(filter, 'template_id'), onlyValue(filter, 'status')]
  const { sources } = instanceSources(tenant, {
    ...(typeof templateId === 'number' && { template_id: templateId }),
    ...(typeof status === 'string' && { status: status as Instance['status'] }),
  })
  const ids = [...state.ids]
  const { after } = state
  const range = { ...(after !== null && after > 0 && { after }), wanted: rowsAtOnce }
  for await (const page of scanIds(store, tenant, sources, range)) {
    for (let start = 0; start < page.length; start += rowsAtOnce) {
      const some = page.slice(start, start + rowsAtOnce)
      const found = await store.getMany(
        tenant,
        some.map((id) => instanceKey(tenant, id)),
      )
      const heads = found.filter((item) => item !== undefined).map(readInstanceHead)
      ids.push(...heads.filter((one) => isMeant(one, action, match)).map(({ id }) => id))
      if (ids.length > maxBulkInstances)
        return collected({ ...state, ids: ids.slice(0, maxBulkInstances), hasMore: true })
      if (timeIsUp()) return { ...state, ids, matched: ids.length, after: some.at(-1) ?? null }
    }
  }
  return collected({ ...state, ids })
}

const collected = (state: State): State => ({ ...state, matched: state.ids.length, after: null })

/** Instances that have ended are left out: nothing can be done to them. */
const isMeant = (instance: Instance, action: BulkInput['action'], match: InstanceMatch): boolean =>
  !hasEnded(instance) && (action !== 'retry' || instance.status === 'incident') && match(instance)

/** Acts on one instance. `skipped`: it is already as it should become. Throws the Fault that says why not. */
async function actOn(
  services: AdvanceDependencies,
  by: Parameters<typeof operateInstance>[1],
  instanceId: number,
  input: BulkInput,
  entry: OperationEntry,
): Promise<'done' | 'skipped'> {
  const { store } = services
  const { tenant } = by
  const item = await store.get(tenant, instanceKey(tenant, instanceId))
  if (item === undefined) return 'skipped'
  const head = readInstanceHead(item)
  const { action, reason } = input
  if (action === 'cancel' || action === 'retry') {
    if (hasEnded(head) || (action === 'retry' && head.status !== 'incident')) return 'skipped'
    // Refused when an earlier attempt gave it the command.
    await wasApplied(giveCommand(services, by, head, action, entry, reason === undefined ? {} : { reason }))
    await mayFail('advance a process', () => advanceInstance(services, tenant, instanceId))
    return 'done'
  }
  const operation = operationOf(input)
  if (isDoneAlready(head, operation)) return 'skipped'
  if (hasEnded(head)) throw endedAlready(head)
  try {
    await operateInstance(services, by, instanceId, operation, entry)
    return 'done'
  } catch (error) {
    // Somebody else was faster.
    if (error instanceof Conflict && error.code === 'instance_ended' && action !== 'migrate') return 'skipped'
    throw error
  }
}

function operationOf({ action, version = 0, mapping = {} }: BulkInput): Operation {
  return action === 'migrate' ? { action, version, mapping } : { action: action === 'suspend' ? 'suspend' : 'resume' }
}

const isDoneAlready = (head: Instance, operation: Operation): boolean =>
  operation.action === 'migrate'
    ? head.templateVersion === operation.version
    : (operation.action === 'suspend') === (head.status === 'suspended')
