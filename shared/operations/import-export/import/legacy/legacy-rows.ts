import { byName } from '../../../../kernel/collections/own-members.ts'
import { type FieldErrors, Invalid } from '../../../../kernel/failures/faults.ts'
import { maxLegacyNumber } from '../../../../kernel/limits/imports.ts'
import { shown } from '../../../../kernel/text/did-you-mean.ts'
import { parseDatetime } from '../../../../kernel/time/parse-date.ts'
import { userKey } from '../../../../platform/store/keys/auth.ts'
import { readSequence, reserveIds } from '../../../../platform/store/sequence/sequence.ts'
import type { Actor } from '../../../../records/records/actor.ts'
import type { RecordDependencies } from '../../../../records/records/dependencies.ts'
import type { RecordOrigin } from '../../../../records/records/write/create-record.ts'
import { typeOfField } from '../../../../tables/field-types/read-field.ts'
import type { Table } from '../../../../tables/tables/table.ts'

/** What a row of legacy data may say of its record beside the fields: when and by whom it was made and changed. */
const moments = ['created_at', 'updated_at'] as const
const people = ['created_by', 'updated_by'] as const

/** Reads where and when legacy records come from. Users are looked up once for an import. */
export function openOrigins({ store, clock }: Pick<RecordDependencies, 'store' | 'clock'>, { tenant }: Actor) {
  const known = new Map<number, Promise<boolean>>()
  const isUser = (id: number): Promise<boolean> => {
    const before = known.get(id)
    if (before) return before
    const found = store.get(tenant, userKey(tenant, id)).then((item) => item !== undefined)
    known.set(id, found)
    return found
  }

  /** Throws Invalid for bad dates and unknown users. */
  return async (row: Readonly<Record<string, unknown>>): Promise<RecordOrigin> => {
    const errors: FieldErrors = byName()
    const origin: { -readonly [name in keyof RecordOrigin]: RecordOrigin[name] } = {}
    for (const name of moments) {
      const given = row[name]
      if (given === undefined || given === null || given === '') continue
      const at = typeof given === 'string' ? parseDatetime(given.trim()) : undefined
      if (at === undefined) errors[name] = [`The ${name} is not a valid date: write 2019-03-31T09:00:00Z.`]
      else if (Date.parse(at) > clock.now()) errors[name] = [`The ${name} lies in the future.`]
      else origin[name] = at
    }
    for (const name of people) {
      const given = row[name]
      if (given === undefined || given === null || given === '') continue
      const id = typeof given === 'string' && /^\d{1,15}$/.test(given.trim()) ? Number(given) : given
      if (typeof id === 'number' && Number.isSafeInteger(id) && id > 0 && (await isUser(id))) origin[name] = id
      else errors[name] = [`The selected ${name} is invalid: there is no user ${shown(String(given))}.`]
    }
    if (origin.created_at && origin.updated_at && origin.updated_at < origin.created_at)
      errors.updated_at = ['The updated_at lies before the created_at.']
    if (Object.keys(errors).length > 0) throw new Invalid(errors)
    return { ...origin, ...(origin.created_at && !origin.updated_at && { updated_at: origin.created_at }) }
  }
}

/**
 * Moves the ids of a table past the auto numbers that legacy rows bring, so that no record gets one of them again. Numbers
 * follow from ids.
 */
export async function passNumbers(
  { store }: Pick<RecordDependencies, 'store'>,
  { tenant }: Actor,
  table: Table,
  rows: readonly unknown[],
): Promise<void> {
  let highest = 0
  for (const field of table.table_fields) {
    if (!typeOfField(field).generate) continue
    for (const row of rows)
      highest = Math.max(highest, idOfNumber(field, (row as Record<string, unknown> | null)?.[field.name]))
  }
  if (highest === 0) return
  const { last } = await readSequence(store, tenant, table.name)
  if (highest > last) await reserveIds(store, tenant, table.name, highest - last)
}

/** The id whose record would get a number; 0 for none, and for numbers that are refused. */
function idOfNumber(field: Table['table_fields'][number], value: unknown): number {
  if (typeof value !== 'string') return 0
  const digits = /\d{1,15}$/.exec(value.trim())?.[0]
  if (digits === undefined) return 0
  const { start = 1 } = field as { readonly start?: number }
  const id = Number(digits) - start + 1
  return id > 0 && id <= maxLegacyNumber ? id : 0
}

/** Why a number of a legacy row is refused. Throws Invalid. */
export function requireNumbers(table: Table, row: Readonly<Record<string, unknown>>): void {
  const errors: FieldErrors = byName()
  for (const field of table.table_fields) {
    const value = row[field.name]
    if (!typeOfField(field).generate || typeof value !== 'string') continue
    const digits = /\d+$/.exec(value.trim())?.[0]
    if (digits !== undefined && (digits.length > 15 || Number(digits) > maxLegacyNumber))
      errors[field.name] = [`The number ${shown(value)} is too high: it may be at most ${maxLegacyNumber}.`]
  }
  if (Object.keys(errors).length > 0) throw new Invalid(errors)
}
