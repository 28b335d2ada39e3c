import type { Key } from '../../../shared/store/keys/key.ts'
import { parseRecordKey, recordPartition } from '../../../shared/store/keys/records.ts'
import { linkPartition, parseLinkKey } from '../../../shared/store/keys/relations.ts'
import type { Item } from '../../../shared/store/marshal.ts'
import type { Store } from '../../../shared/store/store.ts'

const tenant = { id: 1 }

export interface LinkRow {
  readonly relation: number
  readonly side: 'l' | 'r'
  readonly l: number
  readonly r: number
}

/** Every row of a relation, read under each possible record id of the first tenant, without any index. */
export async function linkRows(store: Store, relation: number, ids?: readonly number[]): Promise<LinkRow[]> {
  const upTo = Math.max(
    ...(await Promise.all((await tablesWithRecords(store)).map((model) => lastId(store, model)))),
    0,
  )
  const wanted = ids ?? Array.from({ length: upTo }, (_, index) => index + 1)
  const pages = await Promise.all(
    [...new Set(wanted)].flatMap((id) =>
      (['l', 'r'] as const).map(async (side) => ({
        side,
        items: await all(store, linkPartition(tenant, relation, side, id)),
      })),
    ),
  )
  return pages.flatMap(({ side, items }) =>
    items.map((item) => ({ relation, side, ...parseLinkKey(item as unknown as Key) })),
  )
}

/** Rows of these relations under one record. */
export const linkRowsOf = async (store: Store, relations: readonly number[], id: number): Promise<LinkRow[]> =>
  (await Promise.all(relations.map((relation) => linkRows(store, relation, [id])))).flat()

/** Rows whose mirror is missing. */
export async function orphanedLinkRows(
  store: Store,
  relations: readonly number[],
  ids?: readonly number[],
): Promise<LinkRow[]> {
  const rows = (await Promise.all(relations.map((relation) => linkRows(store, relation, ids)))).flat()
  const known = new Set(rows.map(({ relation, side, l, r }) => `${relation} ${side} ${l} ${r}`))
  return rows.filter(({ relation, side, l, r }) => !known.has(`${relation} ${side === 'l' ? 'r' : 'l'} ${l} ${r}`))
}

async function all(store: Store, pk: string): Promise<Item[]> {
  const items: Item[] = []
  let after: Readonly<Record<string, string>> | undefined
  do {
    const page = await store.query(tenant, { pk, after })
    items.push(...page.items)
    after = page.last
  } while (after)
  return items
}

async function tablesWithRecords(store: Store): Promise<string[]> {
  const { items } = await store.query(tenant, { pk: 'T#1#SEQ' })
  return items
    .map(({ sk }) => String(sk))
    .filter((name) => parseRecordKey({ pk: recordPartition(tenant, name), sk: '1' }) !== undefined)
}

const lastId = async (store: Store, model: string): Promise<number> =>
  Number((await store.query(tenant, { pk: 'T#1#SEQ', prefix: model })).items.find(({ sk }) => sk === model)?.next ?? 0)
