import type { OperationName } from './mixture.ts'

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
