import { type Clock, isoTime } from '../../kernel/clock.ts'
import { Conflict, Invalid, NotFound } from '../../kernel/faults.ts'
import { maxIncomingRules } from '../../kernel/limits/incoming.ts'
import type { Principal } from '../../kernel/principal.ts'
import type { TenantRef } from '../../kernel/tenancy.ts'
import type { Step } from '../../store/commit.ts'
import { isNew } from '../../store/conditions.ts'
import { type Config, putConfigRow, removeConfigRow } from '../../store/config.ts'
import { uniqueKey } from '../../store/keys/records.ts'
import { uniqueItem } from '../../store/rows/unique-row.ts'
import { reserveIds } from '../../store/sequence/sequence.ts'
import type { Store, Write } from '../../store/store.ts'
import { documentChanges, trailEvent } from '../../trail/service.ts'
import { type CheckDependencies, checkIncomingAction, problemOf } from '../check-incoming-action.ts'
import {
  describeIncomingAction,
  type IncomingAction,
  incomingActionOf,
  incomingActionRow,
  incomingActionRowName,
  incomingActionSequence,
} from '../incoming-action.ts'
import type { IncomingActionAnswer, IncomingActionChange, IncomingActionInput } from '../schema.ts'

export interface IncomingActionAdministration extends CheckDependencies {
  readonly store: Store
  readonly config: Config
  readonly clock: Clock
}

/** Creates a rule. Throws Invalid naming every path that is wrong, Conflict for a taken name. */
export async function createIncomingAction(
  deps: IncomingActionAdministration,
  caller: Principal,
  input: IncomingActionInput,
): Promise<IncomingActionAnswer> {
  const { store, config, clock } = deps
  const { tenant } = caller
  const given = {
    name: input.name,
    channel: input.channel,
    isAutomatic: input.is_automatic ?? false,
    targetModel: input.target_model,
    fieldMapping: input.field_mapping ?? {},
    script: input.script ?? null,
    buttonLabel: input.button_label ?? null,
    buttonColor: input.button_color ?? null,
    condition: input.condition ?? null,
    onReply: input.on_reply ?? ('comment' as const),
    position: input.position ?? 0,
    isActive: input.is_active ?? true,
    sendComments: input.send_comments ?? false,
    savedBy: caller.userId,
  }
  await requireValid(deps, caller, given)
  if ((await config.listFresh(tenant, 'INCOMING_ACTION')).length >= maxIncomingRules)
    throw new Invalid(
      {},
      { message: `There are ${maxIncomingRules} rules, and there may not be more. Delete one first.` },
    )
  const rule: IncomingAction = {
    id: await reserveIds(store, tenant, incomingActionSequence, 1),
    ...given,
    version: 1,
  }
  await config.change(
    tenant,
    [
      holdName(tenant, rule.name, rule.id),
      putConfigRow(tenant, 'INCOMING_ACTION', incomingActionRow(rule), null, audit(clock, caller)),
      ruleEvent(clock, caller, undefined, rule),
    ],
    changedMeanwhile,
  )
  return describeIncomingAction(rule, null)
}

/**
 * Changes a rule; members that are left out stay, null clears. `version`, when given, must be the current one. Throws
 * NotFound, Invalid and Conflict.
 */
export async function changeIncomingAction(
  deps: IncomingActionAdministration,
  caller: Principal,
  id: number,
  input: IncomingActionChange,
): Promise<IncomingActionAnswer> {
  const { config, clock } = deps
  const { tenant } = caller
  const before = await requireRule(config, tenant, id)
  if (input.version !== undefined && input.version !== before.version)
    throw new Conflict('stale_version', `The rule has changed: its version is ${before.version}.`)
  const kept = <T>(value: T | undefined, current: T): T => (value === undefined ? current : value)
  const after: IncomingAction = {
    id,
    name: kept(input.name, before.name),
    channel: kept(input.channel, before.channel),
    isAutomatic: kept(input.is_automatic, before.isAutomatic),
    targetModel: kept(input.target_model, before.targetModel),
    fieldMapping: kept<IncomingAction['fieldMapping']>(input.field_mapping, before.fieldMapping),
    script: kept(input.script, before.script),
    buttonLabel: kept(input.button_label, before.buttonLabel),
    buttonColor: kept(input.button_color, before.buttonColor),
    condition: kept<IncomingAction['condition']>(input.condition, before.condition),
    onReply: kept(input.on_reply, before.onReply),
    position: kept(input.position, before.position),
    isActive: kept(input.is_active, before.isActive),
    sendComments: kept(input.send_comments, before.sendComments),
    savedBy: caller.userId,
    version: before.version + 1,
  }
  const changes = documentChanges(
    describeIncomingAction(before, null),
    describeIncomingAction({ ...after, version: before.version }, null),
  )
  if (Object.keys(changes).length === 0) return describeIncomingAction(before, await problemOf(deps, tenant, before))
  // One that names what was removed since can still be switched off.
  if (Object.keys(changes).some((name) => name !== 'is_active') || after.isActive)
    await requireValid(deps, caller, after)
  await config.change(
    tenant,
    [
      ...(after.name === before.name ? [] : [holdName(tenant, after.name, id), freeName(tenant, before.name)]),
      putConfigRow(tenant, 'INCOMING_ACTION', incomingActionRow(after), before.version, audit(clock, caller)),
      ruleEvent(clock, caller, before, after),
    ],
    changedMeanwhile,
  )
  return describeIncomingAction(after, after.isActive ? null : await problemOf(deps, tenant, after))
}

/** Deletes a rule; the records that it made stay. Throws NotFound and Conflict. */
export async function removeIncomingAction(
  { config, clock }: Pick<IncomingActionAdministration, 'config' | 'clock'>,
  caller: Principal,
  id: number,
): Promise<void> {
  const { tenant } = caller
  const before = await requireRule(config, tenant, id)
  await config.change(
    tenant,
    [
      freeName(tenant, before.name),
      removeConfigRow(tenant, 'INCOMING_ACTION', incomingActionRowName(id), before.version),
      ruleEvent(clock, caller, before, undefined),
    ],
    changedMeanwhile,
  )
}

async function requireValid(
  deps: CheckDependencies,
  { tenant }: Principal,
  rule: Parameters<typeof checkIncomingAction>[2],
): Promise<void> {
  const errors = await checkIncomingAction(deps, tenant, rule)
  if (Object.keys(errors).length > 0) throw new Invalid(errors)
}

async function requireRule(config: Pick<Config, 'getFresh'>, tenant: TenantRef, id: number): Promise<IncomingAction> {
  const row = await config.getFresh(tenant, 'INCOMING_ACTION', incomingActionRowName(id))
  if (!row) throw new NotFound('incoming_action', { id })
  return incomingActionOf(row)
}

const audit = (clock: Clock, { userId }: Principal) => ({ userId, at: isoTime(clock.now()) })

function ruleEvent(
  clock: Clock,
  caller: Principal,
  before: IncomingAction | undefined,
  after: IncomingAction | undefined,
): Write {
  const { id, name, version } = (after ?? before) as IncomingAction
  const described = (rule: IncomingAction | undefined) => {
    if (!rule) return undefined
    const { id: _id, version: _version, problem: _problem, ...document } = describeIncomingAction(rule, null)
    return document
  }
  return trailEvent(clock, caller.tenant, caller, {
    action: !before ? 'create' : after ? 'update' : 'delete',
    model: incomingActionSequence,
    id,
    name,
    version,
    changes: documentChanges(described(before), described(after)),
  })
}

/** Names are unique, because configuration as code refers to rules by name. */
const nameKey = (tenant: TenantRef, name: string) => uniqueKey(tenant, incomingActionSequence, 'name', name)
const holdName = (tenant: TenantRef, name: string, id: number): Step => ({
  write: { put: uniqueItem(nameKey(tenant, name), id), if: isNew },
  refused: () => new Conflict('name_taken', 'The name has already been taken.'),
})
const freeName = (tenant: TenantRef, name: string): Write => ({ remove: nameKey(tenant, name) })

const changedMeanwhile = (): Conflict =>
  new Conflict('write_conflict', 'Somebody else changed this rule at the same time. Read it again.')
