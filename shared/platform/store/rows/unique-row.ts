import { Conflict } from '../../../kernel/failures/faults.ts'
import type { TenantRef } from '../../../kernel/tenancy.ts'
import type { Key } from '../keys/key.ts'
import { uniqueKey } from '../keys/records.ts'
import type { Write } from '../store.ts'
import type { Item } from '../values/marshal.ts'
import type { Step } from '../writes/commit.ts'
import { isNew } from '../writes/conditions.ts'

/** The guard row of a unique value: the record or relation with this id has the value. */
export const uniqueItem = (key: Key, id: number): Item & Key => ({ ...key, kind: 'unique', v: 1, id })

/** The id of the record or relation that has the value. */
export const readHolder = (item: Item): number => Number(item.id)

/**
 * The names of the configuration objects of one kind. They are unique, because scripts and configuration as code refer
 * to objects by name; a guard row reserves each. `sequence`: that of the ids of the objects.
 */
export function uniqueNames(sequence: string) {
  const keyOf = (tenant: TenantRef, name: string) => uniqueKey(tenant, sequence, 'name', name)

  /** Reserves a name for an object; refused with Conflict when another one has it. */
  const hold = (tenant: TenantRef, name: string, id: number): Step => ({
    write: { put: uniqueItem(keyOf(tenant, name), id), if: isNew },
    refused: nameTaken,
  })

  const free = (tenant: TenantRef, name: string): Write => ({ remove: keyOf(tenant, name) })

  /** Gives an object another name; nothing is written when it keeps its name. */
  const rename = (tenant: TenantRef, id: number, before: string, after: string): (Write | Step)[] =>
    before === after ? [] : [hold(tenant, after, id), free(tenant, before)]

  return { hold, free, rename }
}

export const nameTaken = (): Conflict => new Conflict('name_taken', 'The name has already been taken.')
