import type { TenantRef } from '../../../kernel/tenancy.ts'
import { idText, type Key, tenantPrefix } from './key.ts'

/** The manifest of a table's columns, and the folds in flight. */
export const columnsPartition = (tenant: TenantRef, model: string): string => `${tenantPrefix(tenant)}X#${model}`
export const columnManifestKey = (tenant: TenantRef, model: string): Key => ({
  pk: columnsPartition(tenant, model),
  sk: 'MANIFEST',
})
export const manifestPartPrefix = 'MANIFEST#'
/** One part of a manifest that is too long for one item. */
export const manifestPartKey = (tenant: TenantRef, model: string, generation: string, part: number): Key => ({
  pk: columnsPartition(tenant, model),
  sk: `${manifestPartPrefix}${generation}#${part}`,
})
export const foldPrefix = 'FOLD#'
export const foldKey = (tenant: TenantRef, model: string, generation: string): Key => ({
  pk: columnsPartition(tenant, model),
  sk: `${foldPrefix}${generation}`,
})

/** The log of a table's changes, oldest first. */
export const columnLogPartition = (tenant: TenantRef, model: string): string => `${tenantPrefix(tenant)}XL#${model}`
export const columnLogSort = idText
export const columnLogKey = (tenant: TenantRef, model: string, seq: number): Key => ({
  pk: columnLogPartition(tenant, model),
  sk: columnLogSort(seq),
})

/** The blocks of one chunk of ids. */
export const blockPartition = (tenant: TenantRef, model: string, chunk: number): string =>
  `${tenantPrefix(tenant)}XB#${model}#${chunk}`
/** One part of the block of a column for one chunk of ids. */
export const blockKey = (
  tenant: TenantRef,
  model: string,
  chunk: number,
  column: string,
  generation: string,
  part: number,
): Key => ({
  pk: blockPartition(tenant, model, chunk),
  sk: `${column}#${generation}#${part}`,
})
/** The fold that made a part of a block or of a manifest. */
export const generationOf = ({ sk }: Key): string => sk.split('#').at(-2) as string

/** How many partitions share the changes of a table. */
const changeShards = 4

const changePartition = (tenant: TenantRef, model: string, shard: number): string =>
  `${tenantPrefix(tenant)}C#${model}#${shard}`
/** The latest change of each record of a table by time (slot 02), spread over several partitions. */
export const changePartitions = (tenant: TenantRef, model: string): readonly string[] =>
  Array.from({ length: changeShards }, (_, shard) => changePartition(tenant, model, shard))
/** The name of the table in such a partition. */
export const modelOfChangePartition = (partition: string): string => partition.split('#').at(-2) as string
export const changePartitionOf = (tenant: TenantRef, model: string, id: number): string =>
  changePartition(tenant, model, id % changeShards)

/** The latest change of a record, as a key of the change slot tells it. */
export interface ChangeSort {
  /** ISO 8601 in UTC. */
  readonly at: string
  readonly id: number
  readonly version: number
  readonly isGone: boolean
}
export const changeSort = ({ at, id, version, isGone }: ChangeSort): string =>
  `${at}#${idText(id)}#${String(version).padStart(10, '0')}#${isGone ? 'd' : 'a'}`
export function parseChangeSort(sort: string): ChangeSort {
  const [at = '', id, version, life] = sort.split('#')
  return { at, id: Number(id), version: Number(version), isGone: life === 'd' }
}
