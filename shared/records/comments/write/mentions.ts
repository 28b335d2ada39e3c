import { findPeople } from '../../../accounts/people/lookup/find-people.ts'
import { Invalid } from '../../../kernel/failures/faults.ts'
import { say } from '../../../kernel/failures/sentence.ts'
import { maxMentions } from '../../../kernel/limits/comments.ts'
import type { TenantRef } from '../../../kernel/tenancy.ts'
import type { Store } from '../../../platform/store/store.ts'

const mention = /@\[(\d{1,12})\]/g

/** The ids that `@[id]` names in a text, each once. */
export const idsIn = (body: string): number[] => [...new Set([...body.matchAll(mention)].map(([, id]) => Number(id)))]

/**
 * The active people whom a body mentions. What names nobody is plain text. Throws Invalid when there are more than 50.
 */
export async function mentionsIn(
  store: Pick<Store, 'get' | 'getMany' | 'query'>,
  tenant: TenantRef,
  body: string,
): Promise<number[]> {
  const ids = idsIn(body)
  if (ids.length > maxMentions) throw new Invalid({ body: [say('too_many_mentions', { max: maxMentions })] })
  if (ids.length === 0) return []
  const found = await findPeople(store, tenant, { ids }, { searchesEmail: false })
  const known = new Set(found.map(({ id }) => id))
  return ids.filter((id) => known.has(id))
}

/** A body as a person reads it: names in place of ids. */
export const withNames = (body: string, names: ReadonlyMap<number, string>): string =>
  body.replaceAll(mention, (text, id: string) => {
    const name = names.get(Number(id))
    return name === undefined ? text : `@${name}`
  })
