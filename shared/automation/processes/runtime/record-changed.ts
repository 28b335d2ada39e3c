import { findTenantOfMessage } from '../../../accounts/tenants/find-tenant.ts'
import type { PrincipalRef } from '../../../kernel/principal.ts'
import { log } from '../../../kernel/runtime/log.ts'
import type { Tenant, TenantRef } from '../../../kernel/tenancy.ts'
import { isActiveFor } from '../../../platform/configured-objects/active-since.ts'
import type { ChangeEvent } from '../../../platform/queue/change-feed/change-event.ts'
import {
  instanceKey,
  instanceOfRecordPrefix,
  processesOfRecordPartition,
  waitOfRecordPrefix,
} from '../../../platform/store/keys/processes.ts'
import { recordKey } from '../../../platform/store/keys/records.ts'
import { readAll } from '../../../platform/store/ranges/read-all.ts'
import { isLiving } from '../../../platform/store/rows/record-row.ts'
import type { Store } from '../../../platform/store/store.ts'
import type { Item } from '../../../platform/store/values/marshal.ts'
import type { AdvanceDependencies } from '../dependencies.ts'
import { matchCondition } from '../evaluate/match-conditions.ts'
import { recordAtVersion } from '../evaluate/record-at-version.ts'
import { stepExpressions } from '../evaluate/step-expressions.ts'
import { stepScope } from '../evaluate/step-scope.ts'
import { commandItem } from '../rows/command-rows.ts'
import { isConditionWait, readConditionWait } from '../rows/event-rows.ts'
import { readInstanceOfRecord } from '../rows/start-rows.ts'
import { readWait } from '../rows/wait-row.ts'
import { completeWhenMet } from '../steps/match-waiting-tasks.ts'
import { autoStart, startInstance } from '../steps/start-instance.ts'
import { readTemplate, type Template } from '../templates/template.ts'
import { advanceInstance } from './advance-instance.ts'

/**
 * Handles a change of a record: a create starts the auto-start processes of its table, an update completes tasks that
 * wait for it, a delete or a merge into another record cancels the instances. Idempotent; `isRepeat` resumes what an earlier attempt may have left
 * unfinished. An update that no task waits for costs one Query.
 */
export async function recordChanged(
  services: AdvanceDependencies,
  event: ChangeEvent,
  isRepeat = false,
): Promise<void> {
  const ref = { id: event.tenant_id }
  if (isRepeat) await resumeInstances(services, ref, event)
  if (event.action === 'create') return startProcesses(services, ref, event)
  if (event.action === 'delete' || event.merged) return cancelProcesses(services, ref, event)
  const rows = await rowsOf(services.store, ref, event, waitOfRecordPrefix)
  const isLater = ({ seenVersion }: { readonly seenVersion: number }): boolean => seenVersion < event.version
  const waits = rows
    .filter((row) => !isConditionWait(row))
    .map(readWait)
    .filter(isLater)
  const conditions = rows.filter(isConditionWait).map(readConditionWait).filter(isLater)
  if (waits.length + conditions.length === 0) return
  const tenant = await findTenantOfMessage(services.store, ref.id)
  const state = tenant && (await recordAtVersion(services, tenant, event.model, event.id, event.version))
  if (!state) return
  const record = { model: event.model, recordId: event.id }
  const hops = event.hops === undefined ? 0 : event.hops + 1
  for (const wait of waits) {
    if (await completeWhenMet(services, tenant, record, wait, state, authorOf(event), hops))
      await advanceInstance(services, tenant, wait.instanceId)
  }
  for (const wait of conditions) {
    if (await matchCondition(services, tenant, wait, state, authorOf(event), hops))
      await advanceInstance(services, tenant, wait.instanceId)
  }
}

/** Advances the instances of a record. */
async function resumeInstances(services: AdvanceDependencies, ref: TenantRef, event: ChangeEvent): Promise<void> {
  const instances = await instancesOf(services.store, ref, event)
  if (instances.length === 0) return
  const tenant = await findTenantOfMessage(services.store, ref.id)
  if (!tenant) return
  for (const id of instances) await advanceInstance(services, tenant, id)
}

/** Who made a change, as commands of processes record it. */
const authorOf = ({ actor, impersonator }: ChangeEvent): PrincipalRef => ({
  userId: actor,
  ...(impersonator !== undefined && { impersonatorId: impersonator }),
})

async function startProcesses(services: AdvanceDependencies, ref: TenantRef, event: ChangeEvent): Promise<void> {
  const tenant = await findTenantOfMessage(services.store, ref.id)
  if (!tenant) return
  const templates = await services.config.list(tenant, 'PROCESS', readTemplate)
  for (const template of templates) {
    if (!isActiveFor(template, event.at) || !template.isAutoStart || template.table !== event.model) continue
    if (!(await mayStart(services, tenant, template, event))) continue
    const { id } = await startInstance(services, tenant, template, {
      model: event.model,
      recordId: event.id,
      by: authorOf(event),
      source: 'auto',
      hops: event.hops === undefined ? 0 : event.hops + 1,
      startName: autoStart,
    })
    await advanceInstance(services, tenant, id)
  }
}

/** Whether the start condition holds. One that fails is logged and starts nothing. */
async function mayStart(
  services: AdvanceDependencies,
  tenant: Tenant,
  template: Template,
  event: ChangeEvent,
): Promise<boolean> {
  if (template.startCondition === null) return true
  const subject = { id: 0, code: template.code, model: event.model, recordId: event.id, lastTask: null }
  const scope = stepScope(services, tenant, subject, authorOf(event), undefined)
  if (!(await scope.record())) return false
  try {
    return Boolean(
      await stepExpressions(services.openScripts, tenant, subject, scope)(template.startCondition, { variables: {} }),
    )
  } catch (error) {
    log.error('the start condition of a process failed', error, {
      tenant_id: tenant.id,
      code: template.code,
      model: event.model,
      id: event.id,
    })
    return false
  }
}

async function cancelProcesses(services: AdvanceDependencies, ref: TenantRef, event: ChangeEvent): Promise<void> {
  const { store, clock } = services
  const instances = await startedBefore(store, ref, event, await instancesOf(store, ref, event))
  if (instances.length === 0) return
  const tenant = await findTenantOfMessage(store, ref.id)
  if (!tenant) return
  for (const instanceId of instances) {
    await store.write(tenant, {
      put: commandItem(tenant, instanceId, { kind: 'cancel' }, authorOf(event), {
        nowMs: clock.now(),
        uuid: clock.uuid(),
      }),
    })
    await advanceInstance(services, tenant, instanceId)
  }
}

/** Those of the instances that did not start after the record was brought back, which may be before the event of the delete arrives. */
async function startedBefore(
  store: Pick<Store, 'getMany'>,
  ref: TenantRef,
  { model, id, at }: ChangeEvent,
  instances: readonly number[],
): Promise<readonly number[]> {
  if (instances.length === 0 || at === undefined) return instances
  const [record, ...rows] = await store.getMany(ref, [
    recordKey(ref, model, id),
    ...instances.map((one) => instanceKey(ref, one)),
  ])
  return isLiving(record) ? instances.filter((_, index) => String(rows[index]?.started_at) <= at) : instances
}

/** The instances about a record that have not ended. */
export const instancesOf = async (
  store: Pick<Store, 'query'>,
  ref: TenantRef,
  event: Pick<ChangeEvent, 'model' | 'id'>,
): Promise<number[]> => (await rowsOf(store, ref, event, instanceOfRecordPrefix)).map(readInstanceOfRecord)

const rowsOf = (
  store: Pick<Store, 'query'>,
  ref: TenantRef,
  { model, id }: Pick<ChangeEvent, 'model' | 'id'>,
  prefix: string,
): Promise<Item[]> => readAll(store, ref, { pk: processesOfRecordPartition(ref, model, id), prefix })
