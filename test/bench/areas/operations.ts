import type { BenchRequest } from '../world/load.ts'
import { requestRecord } from '../world/request-record.ts'
import { addToModel, type World } from '../world/world.ts'

/** What one client does again and again, with its goal at 16 connections. */
export interface Operation {
  readonly name: string
  readonly requestAt: (n: number, world: World) => BenchRequest
  /** Per second. */
  readonly goal?: number
  /** The cost must not grow with the table. */
  readonly isFlat?: boolean
  /** Tells the model what a write has made. */
  readonly learn?: (world: World, n: number, answer: any) => void
}

const idAt = (n: number, { records }: World): number => 1 + ((n * 7919) % records)
/** The numbers of created records begin behind those of all imported ones. */
const createdNumber = (n: number): number => 100_000_000 + n

export const operations: readonly Operation[] = [
  {
    name: 'create',
    goal: 400,
    isFlat: true,
    requestAt: (n, { table, surroundings }) => ({
      method: 'POST',
      path: `/api/e/${table}`,
      body: requestRecord(createdNumber(n), surroundings),
    }),
    learn: (world, n, { data }) =>
      addToModel(world, data.id, createdNumber(n), { createdBy: world.administrator.id, importCall: undefined }),
  },
  {
    name: 'get',
    goal: 2500,
    isFlat: true,
    requestAt: (n, world) => ({ method: 'GET', path: `/api/e/${world.table}/${idAt(n, world)}` }),
  },
  {
    name: 'patch',
    goal: 400,
    requestAt: (n, world) => ({
      method: 'PATCH',
      path: `/api/e/${world.table}/${idAt(n, world)}`,
      // The model does not know this field.
      body: { solution: `changed ${n} ${Date.now()}` },
    }),
  },
  {
    name: 'list of 25',
    goal: 800,
    isFlat: true,
    requestAt: (_, { table }) => ({ method: 'GET', path: `/api/e/${table}?per_page=25` }),
  },
  {
    name: 'history',
    requestAt: (n, world) => ({ method: 'GET', path: `/api/sys/history/${world.table}/${idAt(n, world)}` }),
  },
]
