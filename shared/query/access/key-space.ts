import type { TenantRef } from '../../kernel/tenancy.ts'
import { recordPartition, slotPartition } from '../../store/keys/records.ts'
import { slotName } from '../../store/slots.ts'
import type { QueryField } from '../grammar/expression-types.ts'
import type { SortValue } from '../plan/order.ts'
import type { Row } from './row.ts'

/** An ordered list of keys: a slot's, by value and id, or the table's own, by id. */
export interface KeySpace {
  readonly name: string
  readonly pk: string
  /** undefined: the table itself, whose pages have the records, not only their keys. */
  readonly index?: string
}

/** A slot's own list of keys. */
export type SlotSpace = KeySpace & { readonly index: string }

/** A record that may match, from a key space. */
export interface Candidate {
  readonly id: number
  /** Its sort key there; empty when it comes from no key space. */
  readonly sort: string
  readonly row?: Row
  /** Its sort values, where they are known without its record. */
  readonly values?: readonly SortValue[]
}

/** After every id. */
export const lastId = `${'9'.repeat(12)}~`

export const byId = (tenant: TenantRef, model: string): KeySpace => ({ name: 'id', pk: recordPartition(tenant, model) })

/** The keys of a field that has a slot. */
export function spaceOf(tenant: TenantRef, model: string, field: QueryField): KeySpace {
  const slot = field.index?.slot
  return slot === undefined
    ? byId(tenant, model)
    : { name: field.name, pk: slotPartition(tenant, model, field.name), index: slotName(slot) }
}
