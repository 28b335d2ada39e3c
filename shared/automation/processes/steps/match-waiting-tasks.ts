import { Fault } from '../../../kernel/failures/faults.ts'
import { maxRememberedChangeBytes } from '../../../kernel/limits/processes.ts'
import type { PrincipalRef } from '../../../kernel/principal.ts'
import { log } from '../../../kernel/runtime/log.ts'
import type { Tenant } from '../../../kernel/tenancy.ts'
import { conditionOfRecordKey, instanceKey, waitOfRecordKey } from '../../../platform/store/keys/processes.ts'
import { recordKey } from '../../../platform/store/keys/records.ts'
import { isLiving, readRecordHead } from '../../../platform/store/rows/record-row.ts'
import { evaluateRules } from '../../bpmn/expressions/completion-rules.ts'
import { executionScopes } from '../../bpmn/process.ts'
import type { AdvanceDependencies } from '../dependencies.ts'
import { matchCondition } from '../evaluate/match-conditions.ts'
import { recordAtVersion, type RecordVersion } from '../evaluate/record-at-version.ts'
import { type ExpressionScope, stepExpressions } from '../evaluate/step-expressions.ts'
import { stepScope } from '../evaluate/step-scope.ts'
import { readConditionWait } from '../rows/event-rows.ts'
import { readInstance, type Instance } from '../rows/instance-row.ts'
import { readWait, type RecordWait } from '../rows/wait-row.ts'
import { completeByRecord } from './completion-writes.ts'

/**
 * Completes new tasks whose conditions are met by a version of their record, from the one that they found to the
 * current one. Later versions arrive through the change feed, so none is missed (docs/decisions/0024).
 */
export async function matchWaitingTasks(
  processes: AdvanceDependencies,
  tenant: Tenant,
  instance: Instance,
  taskIds: readonly number[],
  by: PrincipalRef,
  conditions: readonly string[] = [],
): Promise<void> {
  const { store } = processes
  const { model, recordId } = instance
  const items = await store.getMany(
    tenant,
    taskIds.map((id) => waitOfRecordKey(tenant, model, recordId, id)),
  )
  // Read after the waits are stored: earlier changes are seen here, later ones find the waits.
  const current = await store.get(tenant, recordKey(tenant, model, recordId))
  if (!isLiving(current)) return
  const { version: latest } = readRecordHead(current)
  for (const wait of items.filter((item) => item !== undefined).map(readWait)) {
    for (let version = wait.seenVersion; version <= latest; version += 1) {
      const state = await recordAtVersion(processes, tenant, model, recordId, version)
      if (!state) return
      const isFirst = version === wait.seenVersion
      if (
        await completeWhenMet(
          processes,
          tenant,
          { model, recordId },
          wait,
          isFirst ? { ...state, before: async () => undefined } : state,
          by,
          instance.hops + 1,
        )
      )
        break
    }
  }
  const waiting = await store.getMany(
    tenant,
    conditions.map((executionId) => conditionOfRecordKey(tenant, model, recordId, instance.id, executionId)),
  )
  for (const wait of waiting.filter((item) => item !== undefined).map(readConditionWait)) {
    for (let version = wait.seenVersion + 1; version <= latest; version += 1) {
      const state = await recordAtVersion(processes, tenant, model, recordId, version)
      if (!state) return
      if (await matchCondition(processes, tenant, wait, state, by, instance.hops + 1)) break
    }
  }
}

/**
 * Completes one waiting task when a version of its record meets its rules; returns whether it does. An expression that
 * fails is logged and meets nothing (docs/decisions/0025), so it blocks no other task of the record.
 */
export async function completeWhenMet(
  processes: AdvanceDependencies,
  tenant: Tenant,
  { model, recordId }: { readonly model: string; readonly recordId: number },
  wait: RecordWait,
  state: RecordVersion,
  by: PrincipalRef,
  hops: number,
): Promise<boolean> {
  const hasExpression = wait.rules.some(({ expression }) => expression !== undefined)
  const comparesVersions = wait.rules.some(({ conditions, groups }) =>
    [...conditions, ...groups.flatMap((group) => group.conditions)].some(({ op }) => op.startsWith('changes')),
  )
  const before = comparesVersions || hasExpression ? await state.before() : undefined
  const changed =
    before &&
    Object.fromEntries(
      Object.entries(before).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(state.data[name])),
    )

  /** What the task sees; the variables of the process where nothing has run yet. */
  async function scopeOfWait(instance: Instance): Promise<{ at: ExpressionScope; defines?: readonly string[] }> {
    if (instance.state === undefined) return { at: { variables: instance.variables } }
    const compiled = await processes.openProcess(tenant, instance.templateId, instance.templateVersion)
    return { at: executionScopes(compiled, instance.state)(wait.executionId), defines: compiled.defines }
  }

  async function evaluate(expression: string): Promise<unknown> {
    const item = await processes.store.get(tenant, instanceKey(tenant, wait.instanceId))
    if (!item) return false
    const instance = await readInstance(item, processes.objects.fetchObject)
    const scope = {
      ...stepScope(processes, tenant, instance, by, changed),
      record: async () => ({ id: recordId, ...state.data }),
      old: async () => ({ id: recordId, ...(before ?? state.data) }),
    }
    const { id, code } = instance
    try {
      const { at, defines } = await scopeOfWait(instance)
      return await stepExpressions(
        processes.openScripts,
        tenant,
        { id, code, model, recordId },
        scope,
        defines,
      )(expression, at)
    } catch (error) {
      if (!(error instanceof Fault)) throw error
      log.warn('the condition of a task failed', {
        tenant_id: tenant.id,
        instance_id: id,
        code,
        element_id: wait.elementId,
        reason: error.message,
      })
      return false
    }
  }

  const result = await evaluateRules(wait.rules, { data: state.data, ...(before && { before }) }, evaluate)
  if (!result.met) return false
  await completeByRecord(processes, tenant, wait, by, {
    outcome: result.outcome ?? null,
    variables: {},
    hops,
    ...(changed && oldUnlessLarge(changed)),
  })
  return true
}

/** Earlier values beyond this are not passed to the next step. */
const oldUnlessLarge = (old: Readonly<Record<string, unknown>>) =>
  Buffer.byteLength(JSON.stringify(old)) > maxRememberedChangeBytes ? {} : { old }
