import { NotFound } from '../../../kernel/failures/faults.ts'
import { permittedFields } from '../../../kernel/permissions.ts'
import type { Viewer } from '../../../kernel/principal.ts'
import type { TenantRef } from '../../../kernel/tenancy.ts'
import type { Item } from '../../../platform/store/values/marshal.ts'
import type { Table } from '../../../tables/tables/table.ts'
import { lastState } from '../../history/last-state.ts'
import { type RecordState, stateAt, stateItem } from '../../history/state-at.ts'
import type { RecordDependencies } from '../dependencies.ts'
import { answerRecord } from '../record-item.ts'
import type { EntityRecord } from '../schema.ts'

/** Reads an object of the files bucket, where large history entries are stored. */
export type FetchObject = (key: string) => Promise<Uint8Array>

export type PointInTimeDependencies = Pick<RecordDependencies, 'store' | 'clock' | 'access'> & {
  readonly fetchObject: FetchObject
}

/**
 * The record at a point in time (ISO 8601, UTC). Throws NotFound when it did not exist then, or when row rules hide its
 * current state (of a deleted record: its last one) or its state then from the viewer.
 */
export async function recordAt(
  services: PointInTimeDependencies,
  viewer: Viewer,
  table: Table,
  id: number,
  at: string,
  rows: readonly (Item | null | undefined)[],
): Promise<EntityRecord> {
  const { tenant } = viewer
  const state = await stateVisibleAt(services, viewer, table, id, at, rows)
  return answerRecord(table, { id, tenant_id: tenant.id, ...state }, permittedFields(viewer, table.name, 'read'))
}

/**
 * The state of a record at a point in time, for a viewer who may `action` the record. Throws NotFound, as `recordAt`
 * does.
 */
export async function stateVisibleAt(
  services: PointInTimeDependencies,
  viewer: Viewer,
  table: Table,
  id: number,
  at: string,
  rows: readonly (Item | null | undefined)[],
  action: 'read' | 'update' = 'read',
): Promise<RecordState> {
  const { access } = services
  const { tenant } = viewer
  const model = table.name
  const isLimited = access.isLimited(viewer, model, 'read') || access.isLimited(viewer, model, action)
  if (isLimited) await access.require(viewer, model, id, action, await currentItem(services, tenant, table, id, rows))
  const state = await stateAt(services, tenant, table, id, at, rows)
  if (!state) throw new NotFound('record', { model, id })
  if (isLimited) await access.require(viewer, model, id, 'read', stateItem(tenant, table, id, state))
  return state
}

/** The item that row rules judge: the current record, or the last state of a deleted one. */
export async function currentItem(
  services: Omit<PointInTimeDependencies, 'access'>,
  tenant: TenantRef,
  table: Table,
  id: number,
  [record, tombstone]: readonly (Item | null | undefined)[],
): Promise<Item | undefined> {
  if (record) return { ...record, deleted_at: undefined, merged_into: undefined }
  return tombstone ? stateItem(tenant, table, id, await lastState(services, tenant, table, id, tombstone)) : undefined
}
