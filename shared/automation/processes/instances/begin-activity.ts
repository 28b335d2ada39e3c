import { Conflict, Invalid } from '../../../kernel/failures/faults.ts'
import type { Caller } from '../../../kernel/principal.ts'
import { didYouMean, shown } from '../../../kernel/text/did-you-mean.ts'
import { TransactionRefused } from '../../../platform/store/writes/refusals.ts'
import { keyedRequest } from '../../../records/records/write/keyed-request.ts'
import { adHocActivities, openAdHocsOf } from '../../bpmn/process.ts'
import type { OpenAdHoc } from '../../bpmn/schema.ts'
import { endedAlready, isSuspended } from '../operations/instance-conflicts.ts'
import { commandItem } from '../rows/command-rows.ts'
import { hasEnded, readInstance } from '../rows/instance-row.ts'
import type { BeginBody, InstanceAnswer } from '../schema.ts'
import { requireInstance, requireUpdate } from '../sight/visible-records.ts'
import { advanceAndDescribe, type OperateDependencies, startedInstance } from './operate-instances.ts'

/**
 * Begins an activity of a running ad-hoc sub-process. Throws Forbidden without update on the record, Invalid for what no
 * request begins, Conflict when its sub-process does not run.
 */
export async function beginByRequest(
  services: OperateDependencies,
  caller: Caller,
  id: number,
  body: BeginBody,
  key?: string,
): Promise<InstanceAnswer> {
  const { store, clock, objects } = services
  const { tenant } = caller
  const item = await requireInstance(services, caller, id)
  const instance = await readInstance(item, objects.fetchObject)
  await requireUpdate(services, caller, instance)
  const route = `POST /api/sys/process-instances/${id}/activities`
  const request = key === undefined ? undefined : keyedRequest(services, caller, route, key, body, startedInstance)
  if ((await request?.earlier()) !== undefined) return advanceAndDescribe(services, caller, id)
  if (hasEnded(instance)) throw endedAlready(instance)
  if (instance.status === 'suspended') throw isSuspended(id, 'nothing in it begins')
  const compiled = await services.openProcess(tenant, instance.templateId, instance.templateVersion)
  const { element_id: elementId } = body
  requireBeginnable(adHocActivities(compiled), elementId)
  const { executionId } = chooseScope(openAdHocsOf(compiled, instance.state), body)
  const command = { kind: 'begin', executionId, elementId, hops: 0 } as const
  const put = commandItem(tenant, id, command, caller, { nowMs: clock.now(), uuid: clock.uuid() })
  try {
    await store.transact(tenant, [...(request ? [request.claim(id)] : []), { put }], clock.uuid())
  } catch (error) {
    // The same request was faster.
    const faster = error instanceof TransactionRefused ? await request?.earlier() : undefined
    if (faster === undefined) throw error
  }
  return advanceAndDescribe(services, caller, id)
}

function requireBeginnable(possible: ReadonlyMap<string, readonly string[]>, elementId: string): void {
  const all = [...possible.values()].flat()
  if (all.includes(elementId)) return
  const why =
    all.length === 0
      ? 'the process has no ad-hoc sub-process'
      : `it must be an activity of an ad-hoc sub-process that no flow leads to, one of ${all.slice(0, 50).join(', ')}`
  throw new Invalid({
    element_id: [`The selected element_id ${shown(elementId)} is invalid: ${why}.${didYouMean(elementId, all)}`],
  })
}

/** The running ad-hoc sub-process that is meant: the only one that holds the activity, or the one that is named. */
function chooseScope(open: readonly OpenAdHoc[], { element_id, execution_id }: BeginBody): OpenAdHoc {
  const holding = open.filter(({ activities }) => activities.includes(element_id))
  const ids = holding.map(({ executionId }) => executionId)
  if (holding.length === 0)
    throw new Conflict(
      'sub_process_not_running',
      `The ad-hoc sub-process of ${element_id} does not run now, so it cannot begin.${
        open.length === 0 ? '' : ` What may begin: ${open.flatMap(({ activities }) => activities).join(', ')}.`
      }`,
    )
  if (execution_id === undefined && holding.length > 1)
    throw new Invalid({
      execution_id: [`The execution_id field is required, because several run: ${ids.slice(0, 50).join(', ')}.`],
    })
  const chosen = execution_id === undefined ? holding[0] : holding.find((one) => one.executionId === execution_id)
  if (chosen === undefined)
    throw new Invalid({
      execution_id: [`The selected execution_id is invalid: it must be one of ${ids.slice(0, 50).join(', ')}.`],
    })
  return chosen
}
