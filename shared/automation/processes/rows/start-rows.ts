import type { TenantRef } from '../../../kernel/tenancy.ts'
import type { Key } from '../../../platform/store/keys/key.ts'
import { calledInstanceKey, instanceIdOf, instanceOfRecordKey } from '../../../platform/store/keys/processes.ts'
import type { Item } from '../../../platform/store/values/marshal.ts'

/** The row under a record that refers to an instance about it. */
export const instanceOfRecordItem = (
  tenant: TenantRef,
  model: string,
  recordId: number,
  instanceId: number,
): Item & Key => ({
  ...instanceOfRecordKey(tenant, model, recordId, instanceId),
  kind: 'process_of_record',
  v: 1,
})

/** The id of that instance. */
export const readInstanceOfRecord = (item: Item): number => instanceIdOf(String(item.sk))

/** The row under an instance that refers to one that it has called. */
export const calledInstanceItem = (tenant: TenantRef, instanceId: number, calledId: number): Item & Key => ({
  ...calledInstanceKey(tenant, instanceId, calledId),
  kind: 'process_called',
  v: 1,
  called_id: calledId,
})

/** The id of that instance. */
export const readCalledInstance = ({ called_id }: Item): number => Number(called_id)

/** The guard row that lets only the first of equal starts make an instance. */
export const startItem = (key: Key, instanceId: number): Item & Key => ({
  ...key,
  kind: 'process_start',
  v: 1,
  instance_id: instanceId,
})

/** The id of the instance that the first start made. */
export const readStart = (item: Item): number => Number(item.instance_id)
