import type { Tenant } from '../kernel/tenancy.ts'
import type { RelationDependencies } from './dependencies.ts'
import { linksOfRecord, removeLinksOfRecord } from './remove-links.ts'

export type RecordLinks = ReturnType<typeof createRecordLinks>

/** The links of one record, as a delete of the record needs them. */
export const createRecordLinks = (deps: Pick<RelationDependencies, 'store' | 'config' | 'clock'>) => ({
  linksOfRecord: (tenant: Tenant, model: string, id: number, limit: number) =>
    linksOfRecord(deps, tenant, model, id, limit),
  removeLinksOfRecord: (tenant: Tenant, model: string, id: number, timeIsUp: () => boolean) =>
    removeLinksOfRecord(deps, tenant, model, id, timeIsUp),
})
