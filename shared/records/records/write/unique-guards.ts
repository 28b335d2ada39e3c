import type { FieldErrors } from '../../../kernel/failures/faults.ts'
import { say } from '../../../kernel/failures/sentence.ts'
import type { TenantRef } from '../../../kernel/tenancy.ts'
import { foldCase } from '../../../lists/columns/scalar.ts'
import { type Key, keyOfItem } from '../../../platform/store/keys/key.ts'
import { uniqueKey } from '../../../platform/store/keys/records.ts'
import { storedName } from '../../../platform/store/rows/stored-names.ts'
import { readHolder, uniqueItem } from '../../../platform/store/rows/unique-row.ts'
import type { Store, Write } from '../../../platform/store/store.ts'
import { equals, isNew, or } from '../../../platform/store/writes/conditions.ts'
import type { Table } from '../../../tables/tables/table.ts'
import type { RecordData } from '../record-item.ts'

export interface GuardWrite {
  readonly field: string
  readonly write: Write
}

/**
 * The writes of guard rows that a change from `before` to `after` needs. A guard row reserves a unique value for one
 * record; empty values have none. `undefined` stands for no record.
 */
export function guardWrites(
  tenant: TenantRef,
  table: Table,
  id: number,
  before: RecordData | undefined,
  after: RecordData | undefined,
): GuardWrite[] {
  return table.uniqueFields.flatMap((field) => {
    const [textBefore, textAfter] = [
      guardedText(table, field, before?.[field]),
      guardedText(table, field, after?.[field]),
    ]
    if (textBefore === textAfter) return []
    const isOwn = or(isNew, equals('id', id))
    const writes: GuardWrite[] = []
    if (textBefore !== undefined)
      writes.push({ field, write: { remove: guardKey(tenant, table, field, textBefore), if: isOwn } })
    if (textAfter !== undefined) {
      writes.push({
        field,
        write: { put: uniqueItem(guardKey(tenant, table, field, textAfter), id), if: isOwn },
      })
    }
    return writes
  })
}

/**
 * An error for each unique value of `after` that another record has. For messages only: the guard's condition decides.
 */
export async function findTaken(
  store: Store,
  tenant: TenantRef,
  table: Table,
  id: number,
  before: RecordData | undefined,
  after: RecordData,
): Promise<FieldErrors> {
  const wanted = guardWrites(tenant, table, id, before, after).flatMap(({ field, write }) =>
    'put' in write ? [{ field, key: keyOfItem(write.put) }] : [],
  )
  if (wanted.length === 0) return {}
  const found = await store.getMany(
    tenant,
    wanted.map(({ key }) => key),
    ['pk', 'sk', 'id'],
  )
  return takenErrors(
    wanted.flatMap(({ field }, index) => {
      const guard = found[index]
      return guard && readHolder(guard) !== id ? [field] : []
    }),
  )
}

export const takenErrors = (fields: readonly string[]): FieldErrors =>
  Object.fromEntries(fields.map((field) => [field, [say('taken', { field })]]))

/**
 * The key of a guard row. A field that became unique later has new guards: old ones may reserve values that no record
 * has.
 */
export function guardKey(
  tenant: TenantRef,
  table: Pick<Table, 'name' | 'unique_since' | 'storedNames'>,
  field: string,
  text: string,
): Key {
  const stored = storedName(table, field)
  const since = table.unique_since?.[stored]
  return uniqueKey(tenant, table.name, since === undefined ? stored : `${stored}@${since}`, text)
}

/** The value as its guard stores it: in lower case where case makes no difference. Undefined when it is empty. */
export function guardedText(
  { foldedFields }: Pick<Table, 'foldedFields'>,
  field: string,
  value: unknown,
): string | undefined {
  if (value === undefined || value === null || value === '') return undefined
  return JSON.stringify(typeof value === 'string' && foldedFields.has(field) ? foldCase(value) : value)
}
