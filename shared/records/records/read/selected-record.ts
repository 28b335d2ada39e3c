import type { Viewer } from '../../../kernel/principal.ts'
import type { Row } from '../../../lists/query/read/row.ts'
import type { ListedRecord, RawQuery } from '../../../lists/query/schema.ts'
import type { Queries } from '../../../lists/query/service.ts'
import type { Key } from '../../../platform/store/keys/key.ts'
import { recordKey } from '../../../platform/store/keys/records.ts'
import { conversationAttribute } from '../../../platform/store/rows/conversation-state.ts'
import type { Table } from '../../../tables/tables/table.ts'
import type { RecordDependencies } from '../dependencies.ts'
import type { EntityRecord } from '../schema.ts'
import { listedRecords } from './listed-records.ts'

/**
 * One record that a viewer may see, with the `fields` and the expanded references of lists. The references are read as
 * they are now. Throws Invalid naming a wrong field.
 */
export async function selectedRecord(
  { tables, queries }: Pick<RecordDependencies, 'tables'> & { readonly queries: Pick<Queries, 'parse' | 'related'> },
  viewer: Viewer,
  model: string,
  record: EntityRecord,
  { fields, expand }: Pick<RawQuery, 'fields' | 'expand'>,
): Promise<ListedRecord> {
  const { tenant } = viewer
  const table = await tables.require(tenant, model)
  const { selection } = await queries.parse(viewer, table, { fields, expand })
  const related = queries.related(tenant)
  const [selected] = await listedRecords(
    [rowOf(record, recordKey(tenant, model, record.id))],
    table,
    selection,
    related,
    (name) => tables.find(tenant, name),
  )
  return selected as ListedRecord
}

/** A record as it was answered, as a row of a list. */
const rowOf = (
  { id, data, merged_into: _into, merged_from: _from, conversation, ...standard }: EntityRecord,
  key: Key,
): Row => ({
  id,
  data,
  item: { ...key, ...standard, ...asOnePart(id, conversation), data: JSON.stringify(data) },
})

/** Conversations that were answered as one. */
const asOnePart = (id: number, conversation: EntityRecord['conversation']): { readonly conversation?: string } =>
  conversation
    ? conversationAttribute({
        [id]: {
          at: conversation.last_at,
          by: conversation.last_by,
          awaits: conversation.awaits,
          messages: conversation.messages,
        },
      })
    : {}

const number = /^#?(\d{1,15})$/
const prefixed = /^(.*\D)(\d{1,15})$/u

/** Whether a text is nothing but a number, which may be the id of a record: `42`, `#42`. */
export const isNumber = (text: string): boolean => number.test(text.trim())

/**
 * The ids that a text may stand for in a table: itself, and that of a record whose `auto_number` it is, with its prefix
 * and zeros or without them. `readable`: the fields that a caller may read; undefined: all.
 */
export function idsNamed(
  { table_fields: fields }: Pick<Table, 'table_fields'>,
  readable: ReadonlySet<string> | undefined,
  text: string,
): readonly number[] {
  const asked = text.trim()
  const bare = number.exec(asked)?.[1]
  const [, before = '', digits = ''] = prefixed.exec(asked) ?? []
  const ids = fields.flatMap((field) => {
    if (field.type !== 'auto_number' || readable?.has(field.name) === false) return []
    const { prefix = '', start = 1 } = field
    if (bare !== undefined) return [Number(bare) - start + 1]
    // The number of a record is its id, counted from the start of the field.
    return digits && before.toLowerCase() === prefix.toLowerCase() ? [Number(digits) - start + 1] : []
  })
  return [...new Set([...(bare === undefined ? [] : [Number(bare)]), ...ids])].filter((id) => id > 0)
}
