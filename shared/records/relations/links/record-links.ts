import type { Tenant } from '../../../kernel/tenancy.ts'
import { linkPartition, otherIdOf } from '../../../platform/store/keys/relations.ts'
import type { RelationDependencies } from '../dependencies.ts'
import { relationOf, sidesOf } from '../relation.ts'
import { linkBetween, type Link } from './link-rows.ts'
import { countLinks, moveLinks, type MovedBetween, returnLinks } from './merge-links.ts'
import { removeLinks } from './remove-links.ts'

type Dependencies = Pick<RelationDependencies, 'store' | 'config' | 'clock'>

/** Links removed between two checks of the time. */
const batch = 500

export type RecordLinks = ReturnType<typeof createRecordLinks>

/** The links of one record, as a delete of the record and a merge need them. */
export const createRecordLinks = (services: Dependencies) => ({
  linksOfRecord: (tenant: Tenant, model: string, id: number, limit: number) =>
    linksOfRecord(services, tenant, model, id, limit),
  removeLinksOfRecord: (tenant: Tenant, model: string, id: number, timeIsUp: () => boolean) =>
    removeLinksOfRecord(services, tenant, model, id, timeIsUp),
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
  { store, config }: Pick<Dependencies, 'store' | 'config'>,
  tenant: Tenant,
  model: string,
  id: number,
  limit: number,
): Promise<Link[]> {
  const relations = await config.list(tenant, 'RELATION', relationOf)
  const sides = relations.flatMap((relation) => sidesOf(relation, model).map((side) => ({ relation, side })))
  const found = await Promise.all(
    sides.map(async ({ relation, side }) => {
      const { items } = await store.query(tenant, { pk: linkPartition(tenant, relation.id, side, id), limit })
      return items.map((item) => linkBetween(relation.id, side, id, otherIdOf(item)))
    }),
  )
  return found.flat()
}

/**
 * Removes every link of a record whose delete has begun, so that no new ones appear. Answers false when `timeIsUp`
 * answered true before the last was removed.
 */
async function removeLinksOfRecord(
  services: Dependencies,
  tenant: Tenant,
  model: string,
  id: number,
  timeIsUp: () => boolean,
): Promise<boolean> {
  for (;;) {
    const links = await linksOfRecord(services, tenant, model, id, batch)
    if (links.length === 0) return true
    if (timeIsUp()) return false
    await removeLinks(services.store, tenant, links, services.clock.uuid)
  }
}
