import type { TenantRef } from '../../kernel/tenancy.ts'
import { afterId, cursorCodec } from '../../platform/http/paging/cursor.ts'
import type { ListQuery } from '../../platform/http/paging/page-query.ts'
import { pageOfWholeList } from '../../platform/http/paging/whole-list.ts'
import type { Page } from '../../platform/http/routing/envelope.ts'
import { userKey, userPartition } from '../../platform/store/keys/auth.ts'
import { readAll, readPages } from '../../platform/store/ranges/read-all.ts'
import { skipKeys } from '../../platform/store/ranges/record-range.ts'
import { readSequence } from '../../platform/store/sequence/sequence.ts'
import type { Store } from '../../platform/store/store.ts'
import { describeUser, readUser, type User, userSequence } from './user.ts'

const cursors = cursorCodec('users', afterId)

/**
 * Answers one page of a tenant's users, newest first unless asked otherwise. A search or another order reads all users of the
 * tenant.
 */
export async function listUsers(store: Store, tenant: TenantRef, query: ListQuery): Promise<Page<User>> {
  const { page, per_page, cursor, sort, search } = query
  if (sort || search) {
    const all = await readAll(store, tenant, { pk: userPartition(tenant), reverse: true })
    return pageOfWholeList('users', all.map(readUser), query, describeUser)
  }
  const position = cursor ? cursors.read(cursor) : undefined
  const offset = position ? position.seen : (page - 1) * per_page
  const range = { pk: userPartition(tenant), reverse: true }
  const [{ live }, start] = await Promise.all([
    readSequence(store, tenant, userSequence),
    position ? { ...userKey(tenant, position.lastId) } : skipKeys(store, tenant, range, offset),
  ])
  const items = start === 'past the end' ? [] : await readAll(store, tenant, { ...range, after: start }, per_page + 1)
  const users = items.slice(0, per_page).map(readUser)
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

/** Answers up to `limit` active people with one of the roles, newest first. */
export async function findUsersWithRole(
  store: Pick<Store, 'query'>,
  tenant: TenantRef,
  roles: readonly string[],
  limit: number,
): Promise<User[]> {
  const found: User[] = []
  for await (const page of readPages(store, tenant, { pk: userPartition(tenant), reverse: true })) {
    found.push(
      ...page.items
        .map(readUser)
        .filter((user) => user.isActive && user.kindOf === 'person' && user.roles.some((role) => roles.includes(role))),
    )
    if (found.length >= limit) break
  }
  return found.slice(0, limit)
}
