import { maxArticlesRead } from '../../../kernel/limits/portal.ts'
import type { Caller } from '../../../kernel/principal.ts'
import type { ListQuery } from '../../../platform/http/paging/page-query.ts'
import { pageOfWholeList } from '../../../platform/http/paging/whole-list.ts'
import type { Page } from '../../../platform/http/routing/envelope.ts'
import type { StoredRecord } from '../../../platform/store/rows/record-row.ts'
import { actingFor, type PortalDependencies } from '../dependencies.ts'
import type { ArticleHead } from '../schema.ts'
import { articlesTable, describeArticleHead, publishedArticles, readArticle } from './article.ts'

/** Published articles that the caller may read: the best matches of a search first, else the newest. */
export async function findArticles(
  { records: { tables }, queries }: PortalDependencies,
  caller: Caller,
  search: string | undefined,
  limit: number,
): Promise<StoredRecord[]> {
  const table = await tables.require(caller.tenant, articlesTable)
  const query = await queries.parse(actingFor(caller), table, { filter: publishedArticles, search })
  const { rows } = await queries.page(caller.tenant, table, query, { offset: 0, limit })
  return rows.flatMap(({ item }) => readArticle(item, table, caller) ?? [])
}

/** One page of the articles that the caller may read. */
export async function listArticles(
  services: PortalDependencies,
  caller: Caller,
  { search, ...query }: ListQuery,
): Promise<Page<ArticleHead>> {
  const found = await findArticles(services, caller, search?.words.join(' '), maxArticlesRead)
  return pageOfWholeList(`articles ${search?.words.join(' ') ?? ''}`, found.map(describeArticleHead), query)
}
