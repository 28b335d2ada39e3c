import type { TenantRef } from '../../../kernel/tenancy.ts'
import type { Change, Write } from '../client/write.ts'
import { recordKey } from '../keys/records.ts'
import { changeEntry } from '../slots.ts'
import type { Item } from '../values/marshal.ts'
import { and, atVersion, isUndeleted } from '../writes/conditions.ts'
import { conversationAttribute, type ConversationParts, type Side } from './conversation-state.ts'
import { readEditedVersion, type RecordData } from './record-row.ts'
import { touchedRollups } from './touched-rollups.ts'
import type { RecordTable } from './write-record-row.ts'

/** The update that makes a version of a record with other derived values, which only lists and history receive. */
export function derivedUpdate(
  tenant: TenantRef,
  table: RecordTable,
  current: Item,
  { data, text, source, at, writeId }: DerivedVersion,
): Change {
  // What a rollup is made of names no rollup, so it needs not be told of one.
  const told = source === 'rollup' ? {} : touchedRollups(table, data)
  return quietUpdate(tenant, table, current, { set: { data: text, ...told }, source, at, writeId })
}

/** The source of versions that messages make. */
export const conversationSource = 'conversation'

/**
 * The write of a message: it makes a version of the record that holds the conversations, and changes no field. A message of
 * the team is no change for whoever snoozed the record; one of a customer ends that. Refused when the record has changed
 * since it was read, or does not live any more.
 */
export function conversationWrite(
  tenant: TenantRef,
  table: { readonly name: string },
  current: Item,
  { parts, by, at, writeId }: ConversationVersion,
): Write {
  const version = Number(current.version)
  const isQuiet = by !== 'customer'
  const set = {
    ...conversationAttribute(parts),
    ...(isQuiet && { same_since: current.same_since ?? version }),
  }
  const lost = [...(set.conversation === undefined ? ['conversation'] : []), ...(isQuiet ? [] : ['same_since'])]
  return {
    update: recordKey(tenant, table.name, Number(current.sk)),
    change: quietUpdate(tenant, table, current, { set, lost, source: conversationSource, at, writeId }),
    if: and(atVersion(version), isUndeleted),
  }
}

interface ConversationVersion {
  readonly parts: ConversationParts | undefined
  /** Who wrote; left out where a message was taken away. */
  readonly by?: Side
  readonly at: string
  readonly writeId: string
}

/** The update of a record's row to a version of nobody (docs/decisions/0087). */
function quietUpdate(
  tenant: TenantRef,
  table: { readonly name: string },
  current: Item,
  { set: values, lost = [], source, at, writeId }: QuietVersion,
): Change {
  const version = Number(current.version) + 1
  const slot = changeEntry(tenant, table.name, { at, id: Number(current.sk), version, isGone: false })
  const set: Item = {
    ...values,
    version,
    edited_version: readEditedVersion(current),
    derived_at: at,
    source,
    write_id: writeId,
    ...slot,
  }
  const gone = [
    'processes',
    'subscriptions',
    'watched',
    'logged',
    'hops',
    'batch_id',
    'split',
    'written_at',
    'written_by',
    'impersonator_id',
    'touched',
    'touched_to',
    ...lost,
  ]
  const removed = gone.filter((name) => !Object.hasOwn(set, name))
  const names = [...Object.keys(set), ...removed]
  return {
    expression: `SET ${Object.keys(set)
      .map((name) => `#${name} = :${name}`)
      .join(', ')} REMOVE ${removed.map((name) => `#${name}`).join(', ')}`,
    names: Object.fromEntries(names.map((name) => [`#${name}`, name])),
    values: Object.fromEntries(Object.entries(set).map(([name, value]) => [`:${name}`, value])) as Change['values'],
  }
}

interface QuietVersion extends Pick<DerivedVersion, 'source' | 'at' | 'writeId'> {
  readonly set: Item
  /** The attributes that it loses beside those that tell of its last change. */
  readonly lost?: readonly string[]
}

interface DerivedVersion {
  readonly data: RecordData
  /** The data as JSON. */
  readonly text: string
  readonly source: string
  readonly at: string
  readonly writeId: string
}
