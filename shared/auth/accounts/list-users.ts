import { afterId, cursorCodec } from '../../http/paging/cursor.ts'
import type { PageQuery } from '../../http/paging/page-query.ts'
import type { Page } from '../../http/routing/envelope.ts'
import type { TenantRef } from '../../kernel/tenancy.ts'
import { idText, userPartition } from '../../store/keys/records.ts'
import type { Item } from '../../store/marshal.ts'
import { readSequence } from '../../store/sequence.ts'
import type { Store } from '../../store/table.ts'
import { userOf, userSequence, type User } from './user.ts'

const cursors = cursorCodec('users', afterId)

type StartKey = Readonly<Record<string, string>> | undefined

/** The users of a tenant, newest first, a page at a time. */
export async function listUsers(
  store: Store,
  tenant: TenantRef,
  { page, per_page, cursor }: PageQuery,
): Promise<Page<User>> {
  const position = cursor ? cursors.read(cursor) : undefined
  const offset = position ? position.seen : (page - 1) * per_page
  const [{ live }, start] = await Promise.all([
    readSequence(store, tenant, userSequence),
    position ? { pk: userPartition(tenant), sk: idText(position.lastId) } : skip(store, tenant, offset),
  ])
  const items = start === 'past the end' ? [] : await read(store, tenant, start, per_page + 1)
  const users = items.slice(0, per_page).map(userOf)
  return {
    items: users,
    total: live,
    perPage: per_page,
    page: position ? null : page,
    offset,
    nextCursor:
      items.length > per_page ? cursors.write({ lastId: (users.at(-1) as User).id, seen: offset + per_page }) : null,
  }
}

/** Users who may sign in and hold one of the roles, newest first, at most `limit`. */
export async function findUsersWithRole(
  store: Pick<Store, 'query'>,
  tenant: TenantRef,
  roles: readonly string[],
  limit: number,
): Promise<User[]> {
  const found: User[] = []
  let after: StartKey
  do {
    const page = await store.query(tenant, { pk: userPartition(tenant), reverse: true, after })
    found.push(
      ...page.items.map(userOf).filter((user) => user.isActive && user.roles.some((role) => roles.includes(role))),
    )
    after = page.last
  } while (after && found.length < limit)
  return found.slice(0, limit)
}

/** Counting keys is how the table skips: it sends none of them. */
async function skip(store: Store, tenant: TenantRef, count: number): Promise<StartKey | 'past the end'> {
  let after: StartKey
  for (let left = count; left > 0;) {
    const counted = await store.countPage(tenant, { pk: userPartition(tenant), reverse: true, limit: left, after })
    if (!counted.last) return 'past the end'
    left -= counted.count
    after = counted.last
  }
  return after
}

async function read(store: Store, tenant: TenantRef, start: StartKey, count: number): Promise<Item[]> {
  const items: Item[] = []
  let after = start
  do {
    const page = await store.query(tenant, {
      pk: userPartition(tenant),
      reverse: true,
      limit: count - items.length,
      after,
    })
    items.push(...page.items)
    after = page.last
  } while (after && items.length < count)
  return items
}
