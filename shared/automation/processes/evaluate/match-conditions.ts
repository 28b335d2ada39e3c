import { Fault } from '../../../kernel/failures/faults.ts'
import type { PrincipalRef } from '../../../kernel/principal.ts'
import { log } from '../../../kernel/runtime/log.ts'
import type { Tenant } from '../../../kernel/tenancy.ts'
import { instanceKey } from '../../../platform/store/keys/processes.ts'
import { exists } from '../../../platform/store/writes/conditions.ts'
import { wasApplied } from '../../../platform/store/writes/refusals.ts'
import { executionScopes } from '../../bpmn/process.ts'
import type { AdvanceDependencies } from '../dependencies.ts'
import { commandItem } from '../rows/command-rows.ts'
import type { ConditionWait } from '../rows/event-rows.ts'
import { hasEnded, readInstance } from '../rows/instance-row.ts'
import type { RecordVersion } from './record-at-version.ts'
import { stepExpressions } from './step-expressions.ts'
import { stepScope } from './step-scope.ts'

/**
 * Tells the instance of a waiting event when its condition begins to hold, or holds no more, for a version of the record.
 * True: it was told. An expression that fails does not hold.
 */
export async function matchCondition(
  processes: AdvanceDependencies,
  tenant: Tenant,
  wait: ConditionWait,
  state: RecordVersion,
  by: PrincipalRef,
  hops: number,
): Promise<boolean> {
  const { store, clock } = processes
  const holds = await conditionHolds(processes, tenant, wait, state, by)
  if (holds === wait.isMet) return false
  const { instanceId, executionId } = wait
  const command = { kind: 'event', executionId, variables: {}, hops, ...(!holds && { isMet: false as const }) } as const
  return wasApplied(
    store.transact(
      tenant,
      [
        { remove: wait.key, if: exists },
        { put: commandItem(tenant, instanceId, command, by, { nowMs: clock.now(), uuid: clock.uuid() }) },
      ],
      clock.uuid(),
    ),
  )
}

async function conditionHolds(
  processes: AdvanceDependencies,
  tenant: Tenant,
  wait: ConditionWait,
  state: RecordVersion,
  by: PrincipalRef,
): Promise<boolean> {
  const item = await processes.store.get(tenant, instanceKey(tenant, wait.instanceId))
  const instance = item && (await readInstance(item, processes.objects.fetchObject))
  if (!instance || hasEnded(instance) || instance.state === undefined) return wait.isMet
  const { id, code, model, recordId } = instance
  const before = await state.before()
  const scope = {
    ...stepScope(processes, tenant, instance, by, undefined),
    record: async () => ({ id: recordId, ...state.data }),
    old: async () => ({ id: recordId, ...(before ?? state.data) }),
  }
  const compiled = await processes.openProcess(tenant, instance.templateId, instance.templateVersion)
  try {
    const evaluate = stepExpressions(
      processes.openScripts,
      tenant,
      { id, code, model, recordId },
      scope,
      compiled.defines,
    )
    return Boolean(await evaluate(wait.condition, executionScopes(compiled, instance.state)(wait.executionId)))
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    log.warn('the condition of an event failed', {
      tenant_id: tenant.id,
      instance_id: id,
      code,
      element_id: wait.elementId,
      reason: error.message,
    })
    return false
  }
}
