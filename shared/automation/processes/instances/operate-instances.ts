import { byName } from '../../../kernel/collections/own-members.ts'
import { Conflict, type FieldErrors, Invalid } from '../../../kernel/failures/faults.ts'
import { permissionMissing } from '../../../kernel/failures/permission-missing.ts'
import { maxVariableBytes } from '../../../kernel/limits/processes.ts'
import { mayOnTable } from '../../../kernel/permissions.ts'
import type { Caller } from '../../../kernel/principal.ts'
import { mayFail } from '../../../kernel/runtime/log.ts'
import { instanceKey } from '../../../platform/store/keys/processes.ts'
import type { Item } from '../../../platform/store/values/marshal.ts'
import { TransactionRefused } from '../../../platform/store/writes/refusals.ts'
import { type AnswerCodec, keyedRequest } from '../../../records/records/write/keyed-request.ts'
import type { AdvanceDependencies } from '../dependencies.ts'
import { checkVariables } from '../operations/change-variables.ts'
import { endedAlready, isSuspended } from '../operations/instance-conflicts.ts'
import { planMigration } from '../operations/migrate-instance.ts'
import { hasEnded, type Instance, readInstance, readInstanceHead } from '../rows/instance-row.ts'
import type { Operation } from '../rows/operation-row.ts'
import { advanceInstance, maxRequestMs } from '../runtime/advance-instance.ts'
import type {
  CancelBody,
  InstanceAnswer,
  MigrateBody,
  MigratedAnswer,
  ModifyBody,
  StartBody,
  VariablesBody,
} from '../schema.ts'
import { requireInstance, requireUpdate, type Visibility } from '../sight/visible-records.ts'
import { type Start, startInstance } from '../steps/start-instance.ts'
import { insteadOfStart, startsWithOnly } from '../templates/starts-with.ts'
import { readTemplate, type Template } from '../templates/template.ts'
import { describeInstance } from './describe-instance.ts'
import { giveCommand, operateInstance } from './operate-instance.ts'

/** The row of an `Idempotency-Key` keeps the id of the instance that was started. */
export const startedInstance: AnswerCodec<number> = {
  write: (id) => ({ instance_id: id }),
  read: (item) => Number(item.instance_id),
}

export type OperateDependencies = AdvanceDependencies & Visibility

/**
 * Starts a process for a record and advances it. Of equal requests under an `Idempotency-Key` the first starts an
 * instance, and all answer its current state. Throws Forbidden without update on the record, Invalid for a template,
 * record or variables that cannot be used.
 */
export async function startByRequest(
  services: OperateDependencies,
  caller: Caller,
  body: StartBody,
  key?: string,
): Promise<InstanceAnswer> {
  const { tenant } = caller
  const template = await templateToStart(services, caller, body)
  const { table } = template
  // oxlint-disable-next-line boundaries/recordRights -- before the key, whose answer shows the instance; the record is asked below.
  if (!mayOnTable(caller, table, 'update')) throw permissionMissing(table, 'update')
  const request =
    key === undefined
      ? undefined
      : keyedRequest(services, caller, 'POST /api/sys/process-instances', key, body, startedInstance)
  const earlier = await request?.earlier()
  if (earlier !== undefined) return advanceAndDescribe(services, caller, earlier)
  const { record_id: recordId, model = table, variables = {} } = body
  const errors: FieldErrors = byName()
  if (!template.isActive) errors[templateField(body)] = ['The process template is not active.']
  else if (template.isTriggered)
    errors[templateField(body)] = [`${startsWithOnly(template)}${insteadOfStart(template)}.`]
  if (model !== table) errors.model = [`The selected model is invalid: this process is about ${table}.`]
  else if (!(await recordExists(services, caller, table, recordId)))
    errors.record_id = ['The selected record_id is invalid.']
  if (Buffer.byteLength(JSON.stringify(variables)) > maxVariableBytes)
    errors.variables = ['The variables may not be larger than 64 KB.']
  if (Object.keys(errors).length > 0) throw new Invalid(errors)
  await requireUpdate(services, caller, { model: table, recordId })
  const start: Start = {
    model: table,
    recordId,
    by: caller,
    source: 'api',
    hops: 0,
    variables,
    extraWrite: request && ((id) => request.claim(id)),
  }
  try {
    const { id } = await startInstance(services, tenant, template, start)
    return advanceAndDescribe(services, caller, id)
  } catch (error) {
    const faster = error instanceof TransactionRefused ? await request?.earlier() : undefined
    if (faster !== undefined) return advanceAndDescribe(services, caller, faster)
    throw error
  }
}

/** Cancels an instance and everything it waits for; the operation keeps the reason. Throws Conflict when it has ended already. */
export async function cancelInstance(
  services: OperateDependencies,
  caller: Caller,
  id: number,
  body: CancelBody,
): Promise<InstanceAnswer> {
  const instance = readInstanceHead(await requireInstance(services, caller, id))
  if (hasEnded(instance)) throw endedAlready(instance)
  return sendCommand(services, caller, instance, 'cancel', body?.reason ? { reason: body.reason } : {})
}

/** Repeats what failed in an instance. Throws Conflict when nothing has failed. */
export async function retryInstance(
  services: OperateDependencies,
  caller: Caller,
  id: number,
): Promise<InstanceAnswer> {
  const instance = readInstanceHead(await requireInstance(services, caller, id))
  const { status } = instance
  if (status === 'suspended') throw isSuspended(id, 'nothing of it is retried')
  if (status !== 'incident') throw new Conflict('no_incident', 'The process instance has no incident.')
  return sendCommand(services, caller, instance, 'retry')
}

/** Sets and removes variables. Throws Invalid, Conflict when it has ended. */
export async function setVariables(
  services: OperateDependencies,
  caller: Caller,
  id: number,
  { set = {}, remove = [] }: VariablesBody,
): Promise<InstanceAnswer> {
  await requireInstance(services, caller, id)
  checkVariables(set, remove)
  return operateAndDescribe(services, caller, id, { action: 'set_variables', set, remove })
}

/** Moves and cancels tokens. Throws Invalid, Conflict when it has ended or is suspended. */
export async function modifyInstance(
  services: OperateDependencies,
  caller: Caller,
  id: number,
  { move = [], cancel = [] }: ModifyBody,
): Promise<InstanceAnswer> {
  await requireInstance(services, caller, id)
  return operateAndDescribe(services, caller, id, { action: 'modify', move, cancel })
}

/** Moves an instance to another version of its template, or says what that would do. Throws Invalid, Conflict. */
export async function migrateInstance(
  services: OperateDependencies,
  caller: Caller,
  id: number,
  { version, mapping = {}, dry_run = false }: MigrateBody,
): Promise<MigratedAnswer> {
  const item = await requireInstance(services, caller, id)
  if (dry_run) {
    const instance = await readInstance(item, services.objects.fetchObject)
    if (hasEnded(instance)) throw endedAlready(instance)
    const { details } = await planMigration(services, caller.tenant, instance, { version, mapping })
    return { ...(await describeNow(services, caller, id)), migration: details }
  }
  const { details } = await operateInstance(services, caller, id, { action: 'migrate', version, mapping })
  return { ...(await describeNow(services, caller, id)), migration: details as MigratedAnswer['migration'] }
}

/** Suspends an instance. Throws Conflict when it has ended, or is suspended already. */
export const suspendInstance = (services: OperateDependencies, caller: Caller, id: number): Promise<InstanceAnswer> =>
  pauseOrResume(services, caller, id, 'suspend')

/** Resumes an instance. Throws Conflict when it has ended, or is not suspended. */
export const resumeInstance = (services: OperateDependencies, caller: Caller, id: number): Promise<InstanceAnswer> =>
  pauseOrResume(services, caller, id, 'resume')

async function pauseOrResume(
  services: OperateDependencies,
  caller: Caller,
  id: number,
  action: 'suspend' | 'resume',
): Promise<InstanceAnswer> {
  await requireInstance(services, caller, id)
  return operateAndDescribe(services, caller, id, { action })
}

async function operateAndDescribe(
  services: OperateDependencies,
  caller: Caller,
  id: number,
  operation: Operation,
): Promise<InstanceAnswer> {
  await operateInstance(services, caller, id, operation)
  return describeNow(services, caller, id)
}

async function sendCommand(
  services: OperateDependencies,
  caller: Caller,
  instance: Instance,
  kind: 'cancel' | 'retry',
  details: Readonly<Record<string, unknown>> = {},
): Promise<InstanceAnswer> {
  await giveCommand(services, caller, instance, kind, undefined, details)
  return advanceAndDescribe(services, caller, instance.id)
}

/** Advances the instance and describes it. When advancing fails, the sweeper has the runner do it. */
export async function advanceAndDescribe(
  services: OperateDependencies,
  caller: Caller,
  id: number,
): Promise<InstanceAnswer> {
  await mayFail('advance a process', () => advanceInstance(services, caller.tenant, id, maxRequestMs))
  return describeNow(services, caller, id)
}

const describeNow = async (services: OperateDependencies, caller: Caller, id: number): Promise<InstanceAnswer> =>
  describeInstance(services, caller, (await services.store.get(caller.tenant, instanceKey(caller.tenant, id))) as Item)

async function templateToStart(
  { config }: Pick<OperateDependencies, 'config'>,
  { tenant }: Caller,
  body: StartBody,
): Promise<Template> {
  const { template_id, template_code } = body
  const template = (await config.list(tenant, 'PROCESS', readTemplate)).find(
    (one) =>
      (template_id === undefined || one.id === template_id) &&
      (template_code === undefined || one.code === template_code),
  )
  if (!template) throw new Invalid({ [templateField(body)]: [`The selected ${templateField(body)} is invalid.`] })
  return template
}

const templateField = ({ template_id }: StartBody): 'template_id' | 'template_code' =>
  template_id === undefined ? 'template_code' : 'template_id'

const recordExists = async (
  { tables, findRecords }: Visibility,
  caller: Caller,
  table: string,
  recordId: number,
): Promise<boolean> =>
  (await tables.find(caller.tenant, table)) !== undefined &&
  (await findRecords(caller, table, [recordId]))[0] !== undefined
