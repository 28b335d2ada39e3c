import { namesOf } from '../../../accounts/people/user.ts'
import { own } from '../../../kernel/collections/own-members.ts'
import type { Caller } from '../../../kernel/principal.ts'
import type { RecordData, StoredRecord } from '../../../platform/store/rows/record-row.ts'
import { isVisible } from '../../../records/records/rules/check-conditions.ts'
import { openStoredRules } from '../../../records/records/rules/open-rules.ts'
import { typeOfField } from '../../../tables/field-types/read-field.ts'
import type { Field } from '../../../tables/tables/schema.ts'
import type { Table } from '../../../tables/tables/table.ts'
import { conditionIsAbout, type PortalItem, shownFields } from '../../portal-items/portal-item.ts'
import type { PortalDependencies } from '../dependencies.ts'
import type { ShownField } from '../schema.ts'

/** A record as its requester knows it. */
interface Shown {
  readonly id: number
  readonly data: RecordData
}

const shows = (item: PortalItem | undefined, field: string): boolean => item?.public_fields?.includes(field) ?? true

/** The title of the record, or what was asked for when the item does not show it. */
export function titleOf({ title_field }: Table, item: PortalItem | undefined, { id, data }: Shown): string {
  const title = title_field !== null && shows(item, title_field) ? data[title_field] : undefined
  return typeof title === 'string' && title !== '' ? title : (item?.name ?? `#${id}`)
}

/** The number of the record by which people know it. */
export function numberOf({ table_fields }: Table, item: PortalItem | undefined, { data }: Shown): string | null {
  const field = table_fields.find((one) => typeOfField(one).generate)
  const number = field && shows(item, field.name) ? data[field.name] : undefined
  return typeof number === 'string' ? number : null
}

/** The state as requesters read it. */
export function stateText(state: Field | undefined, item: PortalItem | undefined, { data }: Shown): string | null {
  const slug = state && data[state.name]
  if (!state || typeof slug !== 'string') return null
  return own(item?.public_states ?? {}, slug) ?? labelOf(state, slug)
}

const labelOf = (field: Field, slug: unknown): string =>
  typeOfField(field)
    .choices?.of(field)
    .find((one) => one.slug === slug)?.label ?? String(slug)

/**
 * The fields that an item shows of a record as it is: those whose `visible_if` it meets. A condition that names fields which
 * requesters do not see decides nothing, because it would tell of them.
 */
export async function visibleFields(
  { records }: Pick<PortalDependencies, 'records'>,
  caller: Caller,
  table: Table,
  item: PortalItem | undefined,
  record: StoredRecord,
): Promise<readonly Field[]> {
  const fields = item ? shownFields(table, item) : []
  const known = new Set([...(item?.fields ?? []), ...(item?.public_fields ?? [])])
  const decided = fields.filter(({ visible_if }) => visible_if && conditionIsAbout(known, visible_if))
  if (decided.length === 0) return fields
  const rules = (await openStoredRules(records, caller, table))(record)
  return fields.filter((field) => !decided.includes(field) || isVisible(rules, field, record.data))
}

/** The fields of a record that an item shows, with their values. */
export async function describeFields(
  services: Pick<PortalDependencies, 'records'>,
  caller: Caller,
  table: Table,
  item: PortalItem | undefined,
  record: StoredRecord,
): Promise<ShownField[]> {
  const { data } = record
  const fields = await visibleFields(services, caller, table, item, record)
  const people = fields.flatMap((field) => (typeOfField(field).refersToPeople ? idsOf(data[field.name]) : []))
  const names =
    people.length > 0 ? await namesOf(services.records.store, caller.tenant, people) : new Map<number, string>()
  return fields.map((field) => {
    const { name, label = name, type } = field
    const value = data[name] ?? null
    return { name, label, type, value, text: textOf(field, value, names) }
  })
}

const idsOf = (value: unknown): number[] => [value].flat().filter((one): one is number => typeof one === 'number')

/** What people read in place of slugs and ids; null where the value speaks for itself. */
function textOf(field: Field, value: unknown, names: ReadonlyMap<number, string>): string | null {
  const { choices, refersToPeople } = typeOfField(field)
  if (value === null) return null
  if (choices)
    return [value]
      .flat()
      .map((slug) => labelOf(field, slug))
      .join(', ')
  if (refersToPeople)
    return idsOf(value)
      .map((id) => names.get(id) ?? 'Unknown user')
      .join(', ')
  return null
}
