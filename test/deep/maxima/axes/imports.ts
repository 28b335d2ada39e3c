import { maxImportRows, maxNamedFieldsPerRow } from '../../../../shared/kernel/limits/imports.ts'
import { maxBodyBytes } from '../../../../shared/kernel/limits/requests.ts'
import { type Axis, bytesOf, merged, type Plan, range } from '../plan.ts'

/** How long all rows of an import may take: hooks of 5,000 rows that make 50 calls each would take hours. */
const rowsMs = 4_000

/** As many rows as a body holds. */
function fillImport(plan: Plan): void {
  const bytes = bytesOf(merged(plan.create, 9999)) + 1
  plan.rows = Math.min(maxImportRows, Math.floor((maxBodyBytes - 20) / bytes), Math.ceil(rowsMs / plan.rowMs))
}

const long = (at: number): string => `wrong_${at}_`.padEnd(63, 'n')

export const importAxes: readonly Axis[] = [
  {
    name: 'rows per import',
    apply: ({ finish }) => finish.push(fillImport),
    shows: { step: 'import ended', says: /"total":5000,"created":5000,/ },
    beyond: {
      step: 'import',
      says: /rows.*5,?000/s,
      change: ({ finish }) => finish.push((plan) => (plan.rows += 1)),
    },
  },
  {
    name: 'errors per job',
    apply: ({ fields, wrong }) => {
      fields.push(...range(maxNamedFieldsPerRow, (at) => ({ name: long(at), type: 'integer' })))
      const row = Object.fromEntries(range(maxNamedFieldsPerRow, (at) => [long(at), 'x']))
      wrong.push(...range(Math.min(maxImportRows, Math.floor((maxBodyBytes - 20) / (bytesOf(row) + 1))), () => row))
    },
    // Later rows have only their message.
    shows: { step: 'wrong import ended', says: /"created":0,.*"as":"job"/ },
  },
]
