import { type Clock, isoTime } from '../../../kernel/clock.ts'
import { changedMeanwhile, requireCurrentVersion } from '../../../kernel/concurrent-change.ts'
import { Invalid, NotFound } from '../../../kernel/faults.ts'
import { maxIncomingRules } from '../../../kernel/limits/incoming.ts'
import type { Principal } from '../../../kernel/principal.ts'
import type { TenantRef } from '../../../kernel/tenancy.ts'
import { type Config, putConfigRow, removeConfigRow } from '../../../platform/store/config.ts'
import { uniqueNames } from '../../../platform/store/rows/unique-names.ts'
import { reserveIds } from '../../../platform/store/sequence/sequence.ts'
import type { Store, Write } from '../../../platform/store/store.ts'
import { configurationEvent, documentChanges } from '../../../platform/trail/service.ts'
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

const ruleNames = uniqueNames(incomingActionSequence)

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
      ruleNames.hold(tenant, rule.name, rule.id),
      putConfigRow(tenant, 'INCOMING_ACTION', incomingActionRow(rule), null, audit(clock, caller)),
      ruleEvent(clock, caller, undefined, rule),
    ],
    changedMeanwhile('rule'),
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
  requireCurrentVersion('rule', before, input.version)
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
      ...ruleNames.rename(tenant, id, before.name, after.name),
      putConfigRow(tenant, 'INCOMING_ACTION', incomingActionRow(after), before.version, audit(clock, caller)),
      ruleEvent(clock, caller, before, after),
    ],
    changedMeanwhile('rule'),
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
      ruleNames.free(tenant, before.name),
      removeConfigRow(tenant, 'INCOMING_ACTION', incomingActionRowName(id), before.version),
      ruleEvent(clock, caller, before, undefined),
    ],
    changedMeanwhile('rule'),
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

const ruleEvent = (
  clock: Clock,
  caller: Principal,
  before: IncomingAction | undefined,
  after: IncomingAction | undefined,
): Write =>
  configurationEvent(clock, caller, {
    model: incomingActionSequence,
    before,
    after,
    nameOf: ({ name }) => name,
    documentOf: (rule) => {
      const { id: _id, version: _version, problem: _problem, ...document } = describeIncomingAction(rule, null)
      return document
    },
  })
