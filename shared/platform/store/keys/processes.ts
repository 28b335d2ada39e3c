import type { TenantRef } from '../../../kernel/tenancy.ts'
import {
  bucketKey,
  dueKey,
  duePartitions,
  idKey,
  idText,
  type Key,
  keyHash,
  shardOf,
  shardsOf,
  singleKey,
  tenantPrefix,
  timeIdText,
  versionText,
} from './key.ts'

export const processVersionsPartition = (tenant: TenantRef, templateId: number): string =>
  `${tenantPrefix(tenant)}PV#${templateId}`
export const processVersionKey = (tenant: TenantRef, templateId: number, version: number): Key => ({
  pk: processVersionsPartition(tenant, templateId),
  sk: versionText(version),
})

export const decisionVersionsPartition = (tenant: TenantRef, decisionId: number): string =>
  `${tenantPrefix(tenant)}DV#${decisionId}`
export const decisionVersionKey = (tenant: TenantRef, decisionId: number, version: number): Key => ({
  pk: decisionVersionsPartition(tenant, decisionId),
  sk: versionText(version),
})

const instances = (tenant: TenantRef): string => `${tenantPrefix(tenant)}PI`
export const instanceKey = (tenant: TenantRef, id: number): Key => bucketKey(instances(tenant), id)
/** What instances are listed by. */
export type InstanceGroup = { readonly status: string } | { readonly templateId: number }
const instanceGroup = (tenant: TenantRef, group: InstanceGroup): string =>
  'status' in group ? `${instances(tenant)}#S#${group.status}` : `${instances(tenant)}#T#${group.templateId}`
export const instancePartitions = (tenant: TenantRef, group: InstanceGroup): readonly string[] =>
  shardsOf(instanceGroup(tenant, group))
/** The one of `instancePartitions` that holds an instance. */
export const instancePartitionOf = (tenant: TenantRef, group: InstanceGroup, id: number): string =>
  shardOf(instanceGroup(tenant, group), id)

export const instanceRowsPartition = (tenant: TenantRef, instanceId: number): string =>
  `${tenantPrefix(tenant)}PX#${instanceId}`
/** Commands and timers of an instance. */
export const commandRowsPrefix = 'Q#'
/** Its commands alone. */
export const commandsPrefix = 'Q#C#'
/** Commands run in the order in which they were given. */
export const processCommandKey = (tenant: TenantRef, instanceId: number, atMs: number, uuid: string): Key => ({
  pk: instanceRowsPartition(tenant, instanceId),
  sk: `Q#C#${timeIdText(atMs)}#${uuid}`,
})
/** The time of a command; 0 of what else an instance has to do. */
export const commandTimeOf = (sk: string): number =>
  sk.startsWith(commandsPrefix) ? Number(sk.slice(commandsPrefix.length).split('#')[0]) : 0
/** What a called instance says to its caller, in the order in which it was said; carried out after commands. */
export const processReportKey = (tenant: TenantRef, callerId: number, calledId: number, seq: number): Key => ({
  pk: instanceRowsPartition(tenant, callerId),
  sk: `Q#R#${idText(calledId)}#${versionText(seq)}`,
})
export const processTimerKey = (tenant: TenantRef, instanceId: number, executionId: string): Key => ({
  pk: instanceRowsPartition(tenant, instanceId),
  sk: `Q#T#${executionId}`,
})
export const activitiesPrefix = 'A#'
export const activitiesKey = (tenant: TenantRef, instanceId: number, step: number): Key => ({
  pk: instanceRowsPartition(tenant, instanceId),
  sk: `${activitiesPrefix}${versionText(step)}`,
})
/** The steps of all instances of a record, in the order of their times (slot 15). */
export const stepsOfRecordPartition = (tenant: TenantRef, model: string, recordId: number): string =>
  `${tenantPrefix(tenant)}PX#R#${model}#${recordId}`
/** `at`: ISO time. */
export const stepSort = (at: string, instanceId: number, step: number): string =>
  `${at}#${idText(instanceId)}#${versionText(step)}`
export const calledInstancePrefix = 'K#'
/** The instances that an instance has called. */
export const calledInstanceKey = (tenant: TenantRef, instanceId: number, calledId: number): Key => ({
  pk: instanceRowsPartition(tenant, instanceId),
  sk: `${calledInstancePrefix}${idText(calledId)}`,
})
export const operationsPrefix = 'O#'
/** What an operator did to an instance, in the order of the times. */
export const operationKey = (tenant: TenantRef, instanceId: number, operationId: string): Key => ({
  pk: instanceRowsPartition(tenant, instanceId),
  sk: `${operationsPrefix}${operationId}`,
})
/** What operators did to all instances of a record, in the order of the times (slot 15). */
export const operationsOfRecordPartition = (tenant: TenantRef, model: string, recordId: number): string =>
  `${tenantPrefix(tenant)}PX#O#${model}#${recordId}`
/** `at`: ISO time. */
export const operationSort = (at: string, instanceId: number, operationId: string): string =>
  `${at}#${idText(instanceId)}#${operationId}`
/** The id of an operation, by its time. */
export const operationIdOf = (atMs: number, uuid: string): string => `${timeIdText(atMs)}#${uuid}`
/** `effect`: an effect of an activity, numbered within it. */
export const processEffectKey = (tenant: TenantRef, instanceId: number, effect: string): Key => ({
  pk: instanceRowsPartition(tenant, instanceId),
  sk: `M#${effect}`,
})

export const allTaskPeoplePrefix = 'F#'
/** The element and the task in the sort key of a `taskPeopleKey`. */
export function parseTaskPeople(sk: string): { readonly elementId: string; readonly taskId: number } {
  const end = sk.lastIndexOf('#')
  return { elementId: sk.slice(allTaskPeoplePrefix.length, end), taskId: Number(sk.slice(end + 1)) }
}
/** Who has completed the tasks of an element that `wf:fourEyes` names. */
export const taskPeoplePrefix = (elementId: string): string => `${allTaskPeoplePrefix}${elementId}#`
export const taskPeopleKey = (tenant: TenantRef, instanceId: number, elementId: string, taskId: number): Key => ({
  pk: instanceRowsPartition(tenant, instanceId),
  sk: `${taskPeoplePrefix(elementId)}${idText(taskId)}`,
})

export const processesOfRecordPartition = (tenant: TenantRef, model: string, recordId: number): string =>
  `${tenantPrefix(tenant)}PR#${model}#${recordId}`
export const instanceOfRecordPrefix = 'I#'
export const waitOfRecordPrefix = 'W#'
export const instanceOfRecordKey = (tenant: TenantRef, model: string, recordId: number, instanceId: number): Key => ({
  pk: processesOfRecordPartition(tenant, model, recordId),
  sk: `${instanceOfRecordPrefix}${idText(instanceId)}`,
})
/** The instance id in the sort key of an `instanceOfRecordKey`. */
export const instanceIdOf = (sk: string): number => Number(sk.slice(instanceOfRecordPrefix.length))
/** Guards that one `cause` starts at most one instance of the template for this record. */
export const startGuardKey = (
  tenant: TenantRef,
  model: string,
  recordId: number,
  templateId: number,
  cause: string,
): Key => ({
  pk: processesOfRecordPartition(tenant, model, recordId),
  sk: `S#${idText(templateId)}#${cause}`,
})
export const waitOfRecordKey = (tenant: TenantRef, model: string, recordId: number, taskId: number): Key => ({
  pk: processesOfRecordPartition(tenant, model, recordId),
  sk: `${waitOfRecordPrefix}${idText(taskId)}`,
})
/** The task id in the sort key of a `waitOfRecordKey`. */
export const waitingTaskIdOf = (sk: string): number => Number(sk.slice(waitOfRecordPrefix.length))

/** The condition of an event, among what waits for a change of the record. */
export const conditionOfRecordKey = (
  tenant: TenantRef,
  model: string,
  recordId: number,
  instanceId: number,
  executionId: string,
): Key => ({
  pk: processesOfRecordPartition(tenant, model, recordId),
  sk: `${waitOfRecordPrefix}C#${idText(instanceId)}#${executionId}`,
})

/** What waits for messages of a name, and messages that nothing waited for. */
export const messagesPartition = (tenant: TenantRef, name: string): string => `${tenantPrefix(tenant)}PM#${name}`
/** `key` undefined: with any key. */
export const messageWaitPrefix = (key: string | undefined): string => (key === undefined ? 'W#' : `W#${keyHash(key)}#`)
export const messageWaitKey = (
  tenant: TenantRef,
  name: string,
  key: string,
  instanceId: number,
  executionId: string,
): Key => ({
  pk: messagesPartition(tenant, name),
  sk: `${messageWaitPrefix(key)}${idText(instanceId)}#${executionId}`,
})
/** Counts the waits that began under a name and key. */
export const messageHeadKey = (tenant: TenantRef, name: string, key: string): Key => ({
  pk: messagesPartition(tenant, name),
  sk: `H#${keyHash(key)}`,
})
/** `key` undefined: of messages without one. */
export const keptMessagePrefix = (key: string | undefined): string => (key === undefined ? 'M##' : `M#${keyHash(key)}#`)
export const keptMessageKey = (
  tenant: TenantRef,
  name: string,
  key: string | undefined,
  atMs: number,
  uuid: string,
): Key => ({
  pk: messagesPartition(tenant, name),
  sk: `${keptMessagePrefix(key)}${timeIdText(atMs)}#${uuid}`,
})
/** Guards that a message is taken once. */
export const messageIdKey = (tenant: TenantRef, messageId: string): Key =>
  singleKey(`${tenantPrefix(tenant)}PMI#${keyHash(messageId)}`)

/** What waits for signals of a name. */
export const signalWaitsPartition = (tenant: TenantRef, name: string): string => `${tenantPrefix(tenant)}PG#${name}`
export const signalWaitKey = (tenant: TenantRef, name: string, instanceId: number, executionId: string): Key => ({
  pk: signalWaitsPartition(tenant, name),
  sk: `${idText(instanceId)}#${executionId}`,
})

/** The work of a tenant that belongs to no instance stands under this id: signals on their way, and start timers. */
export const tenantWorkId = 0
/** The timers by which processes start, of one template or of all. */
export const startTimerPrefix = (templateId?: number): string =>
  templateId === undefined ? 'Q#S#' : `Q#S#${idText(templateId)}#`
/** `index`: which of the triggers of the start event it is. */
export const startTimerKey = (tenant: TenantRef, templateId: number, elementId: string, index: number): Key => ({
  pk: instanceRowsPartition(tenant, tenantWorkId),
  sk: `${startTimerPrefix(templateId)}${elementId}#${index}`,
})

const tasks = (tenant: TenantRef): string => `${tenantPrefix(tenant)}PT`
export const taskKey = (tenant: TenantRef, id: number): Key => bucketKey(tasks(tenant), id)
export const tasksOfRecordPartition = (tenant: TenantRef, model: string, recordId: number): string =>
  `${tasks(tenant)}#R#${model}#${recordId}`
/** The sort key of a task in `tasksOfRecordPartition` and under its assignee. */
export const taskSort = (status: string, id: number): string => `${status}#${idText(id)}`
/** What tasks are listed by, besides their record. */
export type TaskGroup = { readonly status: string } | { readonly assignee: number }
const taskGroup = (tenant: TenantRef, group: TaskGroup): string =>
  'status' in group ? `${tasks(tenant)}#S#${group.status}` : `${tasks(tenant)}#A#${group.assignee}`
export const taskPartitions = (tenant: TenantRef, group: TaskGroup): readonly string[] =>
  shardsOf(taskGroup(tenant, group))
/** The one of `taskPartitions` that holds a task. */
export const taskPartitionOf = (tenant: TenantRef, group: TaskGroup, id: number): string =>
  shardOf(taskGroup(tenant, group), id)
/** A user (U), role (R) or organisational unit (O) to which tasks are offered. */
export type Candidate = { readonly kind: 'U' | 'O'; readonly id: number } | { readonly kind: 'R'; readonly id: string }
export const candidatePartition = (tenant: TenantRef, { kind, id }: Candidate): string =>
  `${tenantPrefix(tenant)}PC#${kind}#${id}`
export const candidateKey = (tenant: TenantRef, candidate: Candidate, taskId: number): Key =>
  idKey(candidatePartition(tenant, candidate), taskId)

const incidents = (tenant: TenantRef): string => `${tenantPrefix(tenant)}PN`
export const incidentKey = (tenant: TenantRef, id: number): Key => bucketKey(incidents(tenant), id)
export const incidentsOfInstancePartition = (tenant: TenantRef, instanceId: number): string =>
  `${incidents(tenant)}#I#${instanceId}`
/** The incidents of all instances of a record, in the order of their times (slot 17). */
export const incidentsOfRecordPartition = (tenant: TenantRef, model: string, recordId: number): string =>
  `${incidents(tenant)}#R#${model}#${recordId}`
/** `at`: ISO time. */
export const incidentOfRecordSort = (at: string, id: number): string => `${at}#${idText(id)}`
const incidentsByStatus = (tenant: TenantRef, status: string): string => `${incidents(tenant)}#S#${status}`
export const incidentPartitions = (tenant: TenantRef, status: string): readonly string[] =>
  shardsOf(incidentsByStatus(tenant, status))
/** The one of `incidentPartitions` that holds an incident. */
export const incidentPartitionOf = (tenant: TenantRef, status: string, id: number): string =>
  shardOf(incidentsByStatus(tenant, status), id)

/** Instances of all tenants with a command or timer, by the time at which it is due. */
export const processDuePartitions = duePartitions('process')
export const processDueKey = (dueAt: string, tenant: TenantRef, instanceId: number): Key =>
  dueKey(processDuePartitions, instanceId, dueAt, `${tenant.id}#${instanceId}`)
/** The same for a timer by which a process starts: those of a tenant are spread over the shards. */
export const startTimerDueKey = (dueAt: string, tenant: TenantRef, templateId: number): Key =>
  dueKey(processDuePartitions, templateId, dueAt, `${tenant.id}#${tenantWorkId}`)
/** Parses a sort key of `processDuePartitions`; undefined for any other. */
export function parseProcessDue(sort: string): { dueAt: string; tenant: TenantRef; instanceId: number } | undefined {
  const match = /^(.+)#(\d+)#(\d+)$/.exec(sort)
  return match
    ? { dueAt: match[1] as string, tenant: { id: Number(match[2]) }, instanceId: Number(match[3]) }
    : undefined
}
