import { NotFound } from '../../../kernel/failures/faults.ts'
import type { Caller } from '../../../kernel/principal.ts'
import { articleCountKey, articleVoteKey } from '../../../platform/store/keys/portal.ts'
import { recordKey } from '../../../platform/store/keys/records.ts'
import type { StoredRecord } from '../../../platform/store/rows/record-row.ts'
import type { Item } from '../../../platform/store/values/marshal.ts'
import { atRevision, isNew } from '../../../platform/store/writes/conditions.ts'
import { TransactionRefused } from '../../../platform/store/writes/refusals.ts'
import { retryWithJitter } from '../../../platform/store/writes/retry-with-jitter.ts'
import type { PortalDependencies } from '../dependencies.ts'
import type { ArticleAnswer } from '../schema.ts'
import { articlesTable, bodyOfArticle, categoryOfArticle, readArticle, titleOfArticle } from './article.ts'

/** An article with what people say of it. Throws NotFound for one that is a draft, or not for the caller. */
export async function getArticle(services: PortalDependencies, caller: Caller, id: number): Promise<ArticleAnswer> {
  const { store } = services.records
  const { tenant, userId } = caller
  const record = await requireArticle(services, caller, id)
  const [count, vote] = await store.getMany(tenant, [articleCountKey(tenant, id), articleVoteKey(tenant, id, userId)])
  return {
    id,
    title: titleOfArticle(record),
    category: categoryOfArticle(record),
    body: bodyOfArticle(record),
    updated_at: record.updated_at,
    votes: { helpful: countOf(count, 'helpful'), not_helpful: countOf(count, 'not_helpful') },
    my_vote: vote ? (vote.is_helpful === true ? 'helpful' : 'not_helpful') : null,
  }
}

async function requireArticle({ records }: PortalDependencies, caller: Caller, id: number): Promise<StoredRecord> {
  const { tenant } = caller
  const table = await records.tables.require(tenant, articlesTable)
  const article = readArticle(await records.store.get(tenant, recordKey(tenant, articlesTable, id)), table, caller)
  if (!article) throw new NotFound('article', { id })
  return article
}

const countOf = (row: Item | undefined, name: 'helpful' | 'not_helpful'): number => Number(row?.[name] ?? 0)

/** Says whether an article helped: once a person, who may change it. Throws NotFound. */
export async function voteOnArticle(
  services: PortalDependencies,
  caller: Caller,
  id: number,
  isHelpful: boolean,
): Promise<void> {
  const { store, clock } = services.records
  const { tenant, userId } = caller
  await requireArticle(services, caller, id)
  const keys = [articleCountKey(tenant, id), articleVoteKey(tenant, id, userId)] as const
  await retryWithJitter(clock, async (again) => {
    const [count, vote] = await store.getMany(tenant, keys)
    const before = vote && vote.is_helpful === true
    if (before === isHelpful) return
    const by = (name: 'helpful' | 'not_helpful', is: boolean): number =>
      countOf(count, name) + (isHelpful === is ? 1 : 0) - (before === is ? 1 : 0)
    const rev = count ? Number(count.rev) : 0
    const counted = {
      ...keys[0],
      kind: 'article_votes',
      v: 1,
      helpful: by('helpful', true),
      not_helpful: by('not_helpful', false),
      rev: rev + 1,
    }
    const voted = { ...keys[1], kind: 'article_vote', v: 1, user_id: userId, is_helpful: isHelpful }
    try {
      // The count is written with every vote, so its revision stands for those of all.
      await store.transact(
        tenant,
        [{ put: counted, if: count ? atRevision(rev) : isNew }, { put: voted }],
        clock.uuid(),
      )
    } catch (error) {
      if (error instanceof TransactionRefused) return again(error)
      throw error
    }
  })
}
