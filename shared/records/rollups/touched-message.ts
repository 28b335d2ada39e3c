import { readRecordHead } from '../../platform/store/rows/record-row.ts'
import type { Item } from '../../platform/store/values/marshal.ts'
import type { TouchedRollups } from './schema.ts'

/** The message about a record's row that names rollups. */
export const touchedMessage = (item: Item): TouchedRollups => ({
  v: 1,
  tenant_id: Number(item.tenant_id),
  model: String(item.model),
  id: readRecordHead(item).id,
  ...(item.touched_to !== undefined && { to: Number(item.touched_to) }),
  touched: String(item.touched),
})

/** The message about a record's row whose rollups were just written: they are made once more. */
export const onceMoreMessage = (item: Item): TouchedRollups => ({
  v: 1,
  tenant_id: Number(item.tenant_id),
  touched: `${String(item.model)}#${readRecordHead(item).id}`,
})
