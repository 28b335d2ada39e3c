import { sampleRecord, sampleTable } from './sample-table.ts'

/** What a customer of some size does in a month. */
export interface Customer {
  readonly name: string
  readonly agents: number
  /** In the table at the end of the month. */
  readonly records: number
  readonly operations: Readonly<Record<OperationName, number>>
}

/** Reads are told apart as in the service's own lists: most are single records, a third are lists. */
const reads = (all: number) => ({
  get: all * 0.6,
  list: all * 0.25,
  'filtered list': all * 0.12,
  search: all * 0.03,
})

export const customers: readonly Customer[] = [
  {
    name: 'small',
    agents: 10,
    records: 10_000,
    operations: { create: 1_000, patch: 5_000, ...reads(100_000), 'import row': 500, delete: 50 },
  },
  {
    name: 'medium',
    agents: 100,
    records: 200_000,
    operations: { create: 20_000, patch: 100_000, ...reads(2_000_000), 'import row': 10_000, delete: 1_000 },
  },
  {
    name: 'large',
    agents: 1_000,
    records: 5_000_000,
    operations: { create: 300_000, patch: 1_500_000, ...reads(30_000_000), 'import row': 200_000, delete: 15_000 },
  },
]

/** What a user of the service does. `importRow` is one row of an import. */
export type OperationName = 'create' | 'patch' | 'get' | 'list' | 'filtered list' | 'search' | 'import row' | 'delete'

interface Operation {
  readonly name: OperationName
  /** The n-th request, from 0, on a table with records 1 to the size of the mixture. */
  request(n: number): { readonly method: string; readonly path: string; readonly body?: unknown }
  /** How often the operation happens in one request. */
  readonly count: number
}

export interface Mixture {
  /** Records in the table before the first operation. At least as many as `repeats` + 1. */
  readonly records: number
  /** Requests that are measured, after one that warms up. */
  readonly repeats: number
  readonly rowsPerImport: number
}

export const fixedMixture: Mixture = { records: 1000, repeats: 20, rowsPerImport: 500 }

const path = `/api/e/${sampleTable.name}`
const filter = encodeURIComponent(JSON.stringify({ source: 'mail', priority: { _gte: 3 } }))

export function operationsOf({ rowsPerImport }: Mixture): readonly Operation[] {
  const one = (name: OperationName, request: Operation['request']): Operation => ({ name, request, count: 1 })
  return [
    one('create', (n) => ({ method: 'POST', path, body: sampleRecord(n) })),
    one('patch', (n) => ({ method: 'PATCH', path: `${path}/${1 + n}`, body: { priority: 1 + ((1 + n) % 5) } })),
    one('get', (n) => ({ method: 'GET', path: `${path}/${1 + n}` })),
    one('list', () => ({ method: 'GET', path: `${path}?per_page=25` })),
    one('filtered list', () => ({ method: 'GET', path: `${path}?filter=${filter}&sort=-due_at&per_page=25` })),
    one('search', () => ({ method: 'GET', path: `${path}?search=printer%20floor&per_page=25` })),
    {
      name: 'import row',
      count: rowsPerImport,
      request: (n) => ({ method: 'POST', path: `${path}/import`, body: { rows: sampleRows(rowsPerImport, n) } }),
    },
    one('delete', (n) => ({ method: 'DELETE', path: `${path}/${1 + n}` })),
  ]
}

export const sampleRows = (count: number, from = 0) =>
  Array.from({ length: count }, (_, index) => sampleRecord(from * count + index))
