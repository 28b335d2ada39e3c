import type { RowAccess } from '../../accounts/access/row-access.ts'
import { mayOnTable } from '../../kernel/permissions.ts'
import type { Viewer } from '../../kernel/principal.ts'
import { recordKey } from '../../platform/store/keys/records.ts'
import type { Store } from '../../platform/store/store.ts'
import type { Tables } from '../../tables/tables/read-tables.ts'
import type { MessageHead, RecordRef } from './message.ts'
import type { MessageAnswer } from './schema.ts'

/** What tells which records a viewer may read. */
export interface RecordSight {
  readonly store: Pick<Store, 'getMany'>
  readonly tables: Pick<Tables, 'find'>
  readonly access: Pick<RowAccess, 'isLimited' | 'permitted'>
}

/**
 * Answers what leaves out of messages the records that the viewer may not read. Reads records only for viewers whom row
 * rules limit.
 */
export async function hideRecords(
  sight: RecordSight,
  viewer: Viewer,
  heads: readonly MessageHead[],
): Promise<(message: MessageAnswer) => MessageAnswer> {
  const byModel = Map.groupBy(heads.flatMap(recordsOf), ({ model }) => model)
  const hidden = new Set<string>()
  await Promise.all(
    [...byModel].map(async ([model, refs]) => {
      const ids = [...new Set(refs.map(({ id }) => id))]
      for (const id of await hiddenAmong(sight, viewer, model, ids)) hidden.add(textOf({ model, id }))
    }),
  )
  if (hidden.size === 0) return (message) => message
  const isHidden = (ref: RecordRef): boolean => hidden.has(textOf(ref))
  return (message) => {
    const records = message.records.filter((ref) => !isHidden(ref))
    if (!message.reply_to || !isHidden(message.reply_to)) return { ...message, records }
    const { reply_to: _hidden, ...payload } = message.payload
    return { ...message, records, reply_to: null, payload }
  }
}

async function hiddenAmong(
  { store, tables, access }: RecordSight,
  viewer: Viewer,
  model: string,
  ids: readonly number[],
): Promise<readonly number[]> {
  if (!mayOnTable(viewer, model, 'read')) return ids
  if (!access.isLimited(viewer, model, 'read')) return []
  const { tenant } = viewer
  // Messages outlive tables.
  if (!(await tables.find(tenant, model))) return ids
  const items = await store.getMany(
    tenant,
    ids.map((id) => recordKey(tenant, model, id)),
  )
  const seen = await access.permitted(viewer, model, 'read', items)
  return ids.filter((_, index) => !seen[index])
}

const recordsOf = ({ outcomes, replyTo }: MessageHead): RecordRef[] => [
  ...outcomes.flatMap(({ record }) => record ?? []),
  ...(replyTo ? [replyTo] : []),
]
const textOf = ({ model, id }: RecordRef): string => `${model} ${id}`
