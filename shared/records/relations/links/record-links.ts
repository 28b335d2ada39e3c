import type { Tenant } from '../../../kernel/tenancy.ts'
import { linkPartition, otherIdOf } from '../../../platform/store/keys/relations.ts'
import { linkBetween, type Link } from './link-rows.ts'
import { countLinks, endsOf, type LinkDependencies, moveLinks, type MovedBetween, returnLinks } from './merge-links.ts'
import { countRetainedLinks, removeRetainedLinks, retainLinks } from './retained-links.ts'
import { returnRetainedLinks } from './return-retained-links.ts'

export type RecordLinks = ReturnType<typeof createRecordLinks>

/** The links of one record, as a delete of the record and a merge need them. */
export const createRecordLinks = (services: LinkDependencies) => ({
  linksOfRecord: (tenant: Tenant, model: string, id: number, limit: number) =>
    linksOfRecord(services, tenant, model, id, limit),
  retainLinks: (tenant: Tenant, model: string, id: number, untilMs: number, timeIsUp: () => boolean) =>
    retainLinks(services, tenant, { model, id }, untilMs, timeIsUp),
  returnRetainedLinks: (tenant: Tenant, model: string, id: number, timeIsUp: () => boolean) =>
    returnRetainedLinks(services, tenant, { model, id }, timeIsUp),
  countRetainedLinks: (tenant: Tenant, model: string, id: number, limit: number) =>
    countRetainedLinks(services.store, tenant, { model, id }, limit),
  removeRetainedLinks: (tenant: Tenant, model: string, id: number, timeIsUp: () => boolean) =>
    removeRetainedLinks(services.store, tenant, { model, id }, timeIsUp),
  countLinks: (tenant: Tenant, model: string, id: number) => countLinks(services, tenant, model, id),
  moveLinks: (tenant: Tenant, between: MovedBetween, timeIsUp: () => boolean) =>
    moveLinks(services, tenant, between, timeIsUp),
  returnLinks: (tenant: Tenant, between: MovedBetween, timeIsUp: () => boolean) =>
    returnLinks(services, tenant, between, timeIsUp),
})

/**
 * Up to `limit` links of a record in each relation and side of its table. Reads no links for a table without relations.
 */
async function linksOfRecord(
  services: LinkDependencies,
  tenant: Tenant,
  model: string,
  id: number,
  limit: number,
): Promise<Link[]> {
  const found = await Promise.all(
    (await endsOf(services, tenant, model)).map(async ({ relation, side }) => {
      const { items } = await services.store.query(tenant, {
        pk: linkPartition(tenant, relation.id, side, id),
        limit,
      })
      return items.map((item) => linkBetween(relation.id, side, id, otherIdOf(item)))
    }),
  )
  return found.flat()
}
