import { parseLinkKey } from '../../../shared/platform/store/keys/relations.ts'
import type { TestService } from '../services/service.ts'
import { itemsOf } from '../services/stores/items-of.ts'

type Service = Pick<TestService, 'cloud' | 'tenant'>

export interface LinkRow {
  readonly relation: number
  readonly side: 'l' | 'r'
  readonly l: number
  readonly r: number
}

/** Every row of a relation of the service's company, or those under these records, read without any index. */
export async function linkRows(service: Service, relation: number, ids?: readonly number[]): Promise<LinkRow[]> {
  const rows = (await itemsOf(service, `T#${service.tenant.id}#L#${relation}#`)).map((item) => {
    const side = item.pk.split('#')[4] as 'l' | 'r'
    return { relation, side, ...parseLinkKey(item) }
  })
  return rows.filter(({ side, l, r }) => ids === undefined || ids.includes(side === 'l' ? l : r))
}

/** Rows of these relations under one record. */
export const linkRowsOf = async (service: Service, relations: readonly number[], id: number): Promise<LinkRow[]> =>
  (await Promise.all(relations.map((relation) => linkRows(service, relation, [id])))).flat()

/** Rows whose mirror is missing. */
export async function orphanedLinkRows(
  service: Service,
  relations: readonly number[],
  ids?: readonly number[],
): Promise<LinkRow[]> {
  const rows = (await Promise.all(relations.map((relation) => linkRows(service, relation, ids)))).flat()
  const known = new Set(rows.map(({ relation, side, l, r }) => `${relation} ${side} ${l} ${r}`))
  return rows.filter(({ relation, side, l, r }) => !known.has(`${relation} ${side === 'l' ? 'r' : 'l'} ${l} ${r}`))
}
