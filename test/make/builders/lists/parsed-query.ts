import { parseQuery } from '../../../../shared/lists/query/grammar/parse-query.ts'
import type { FieldNames } from '../../../../shared/lists/query/grammar/resolve-field.ts'
import type { RawQuery } from '../../../../shared/lists/query/schema.ts'
import { clientsTable, tableOf, thingsTable } from './query-records.ts'

const table = tableOf(103, 'tickets', [
  ...thingsTable.table_fields,
  { name: 'owner', type: 'user' },
  { name: 'unit', type: 'org_unit' },
  { name: 'place', type: 'point' },
  { name: 'files', type: 'file', multiple: true },
])
const targets = new Map([
  ['clients', clientsTable],
  ['sys_org_units', tableOf(2, 'sys_org_units', [{ name: 'name', type: 'text' }])],
])
/** Somebody who may read every table. */
export const everybody: FieldNames = { table, targets, mayRead: () => true }
const variables = {
  nowMs: Date.parse('2026-03-29T23:30:15.250Z'),
  timeZone: 'Europe/Berlin',
  userId: 3,
  orgUnitIds: [4, 5],
}
/** Parses a query on tickets, on a night in Berlin, for the user 3. */
export const parse = (raw: RawQuery, fieldNames = everybody) => parseQuery(raw, fieldNames, variables)
