import type { TenantRef } from '../../../kernel/tenancy.ts'
import { articleCountKey, articleVotesRange, portalRequestKey } from '../../../platform/store/keys/portal.ts'
import { readPages } from '../../../platform/store/ranges/read-all.ts'
import type { Store } from '../../../platform/store/store.ts'
import { exportedRequest, portalRequestSequence } from '../../../records/portal-requests/request-row.ts'
import { byId } from './process-sources.ts'
import type { Source } from './source.ts'

const articlesTable = 'sys_articles'

/** The requests that were sent in the portal, with their records, and what people said of articles. */
export const portalSources = (
  services: { readonly store: Pick<Store, 'get' | 'getMany' | 'query'> },
  tenant: TenantRef,
): Source[] => {
  const { store } = services

  async function* votesOn(articles: readonly number[]): AsyncGenerator<object, void, undefined> {
    const counts = await store.getMany(
      tenant,
      articles.map((id) => articleCountKey(tenant, id)),
    )
    for (const id of articles.filter((_, index) => counts[index]))
      for await (const { items } of readPages(store, tenant, articleVotesRange(tenant, id)))
        for (const vote of items)
          yield { article_id: id, user_id: Number(vote.user_id), is_helpful: vote.is_helpful === true }
  }
  return [
    byId(services, tenant, 'portal/requests', portalRequestSequence, async (ids) => {
      const rows = await store.getMany(
        tenant,
        ids.map((id) => portalRequestKey(tenant, id)),
      )
      return rows.flatMap((row) => (row ? [exportedRequest(row)] : []))
    }),
    byId(services, tenant, 'portal/votes', articlesTable, votesOn),
  ]
}
