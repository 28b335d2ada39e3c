import type { Tenant } from '../kernel/tenancy.ts'
import type { RelationDependencies } from './dependencies.ts'
import { linksOfRecord, removeLinksOfRecord } from './remove-links.ts'

export type RecordLinks = ReturnType<typeof createRecordLinks>

/** The links of a record whose delete has begun: what a delete of a record knows of relations. */
export const createRecordLinks = (deps: Pick<RelationDependencies, 'store' | 'config' | 'clock'>) => ({
  linksOfRecord: (tenant: Tenant, model: string, id: number, limit: number) =>
    linksOfRecord(deps, tenant, model, id, limit),
  removeLinksOfRecord: (tenant: Tenant, model: string, id: number, timeIsUp: () => boolean) =>
    removeLinksOfRecord(deps, tenant, model, id, timeIsUp),
})
