import type { Tenant, TenantRef } from '../../../kernel/tenancy.ts'
import type { Clock } from '../../../kernel/time/clock.ts'
import { archivedMessages } from '../../../messages/incoming-messages/archived-messages.ts'
import type { ReadingDependencies } from '../../../messages/incoming-messages/find-message.ts'
import { messageSequence } from '../../../messages/incoming-messages/message.ts'
import type { ListedObject, ObjectListing } from '../../../platform/objects/object-listing.ts'
import type { Config } from '../../../platform/store/config.ts'
import { articleCountKey, articleVotesRange, portalRequestKey } from '../../../platform/store/keys/portal.ts'
import { readPages } from '../../../platform/store/ranges/read-all.ts'
import type { Store } from '../../../platform/store/store.ts'
import { exportedRequest, portalRequestSequence } from '../../../records/portal-requests/request-row.ts'
import { relationOf } from '../../../records/relations/relation.ts'
import { describeFile } from '../../../tables/files/describe-file.ts'
import type { Tables } from '../../../tables/tables/read-tables.ts'
import { accountSources } from './account-sources.ts'
import { byId, processSources } from './process-sources.ts'
import { discussionSources, linksSource, recordsSource } from './record-sources.ts'
import type { Source } from './source.ts'
import { trailSource } from './trail-source.ts'

export interface SourceDependencies {
  readonly store: Store
  readonly clock: Pick<Clock, 'now'>
  readonly config: Pick<Config, 'list'>
  readonly tables: Pick<Tables, 'all'>
  readonly listing: Pick<ObjectListing, 'list'>
  readonly fetchObject: (key: string) => Promise<Uint8Array>
}

/**
 * Everything that a tenant has. Left out are rows that only repeat it or that the service needs for a while: indexes,
 * guards, sequences, tokens, invitations, jobs, the log of script runs.
 */
export async function exportSources(services: SourceDependencies, tenant: Tenant): Promise<Source[]> {
  const [tables, relations] = await Promise.all([
    services.tables.all(tenant),
    services.config.list(tenant, 'RELATION', relationOf),
  ])
  return [
    ...accountSources(services, tenant),
    ...tables.map((table) => recordsSource(services.store, tenant, table)),
    ...relations.map(({ id }) => linksSource(services.store, tenant, id)),
    ...discussionSources(services.store, tenant),
    messageSource(services, tenant),
    ...portalSources(services, tenant),
    ...processSources(services, tenant),
    trailSource(services, tenant, tables),
    filesSource(services, tenant),
  ]
}

/** The messages that came in, with what became of them. */
const messageSource = (services: ReadingDependencies, tenant: TenantRef): Source =>
  byId(services, tenant, 'incoming_messages', messageSequence, (ids) => archivedMessages(services, tenant, ids))

const perPage = 50
/** A page ends with the file that reaches this size, so that it takes some seconds. */
const pageBytes = 64 * 1024 * 1024

/** The files of records: who uploaded them, which records hold them, and their content. */
const filesSource = (
  { store, listing }: { readonly store: Pick<Store, 'query'>; readonly listing: Pick<ObjectListing, 'list'> },
  tenant: TenantRef,
): Source => ({
  name: 'files',
  async read(cursor) {
    const objects = firstOf(await listing.list(`files/${tenant.id}/`, cursor?.after?.key ?? null, perPage))
    const last = objects.at(-1)
    const found = await Promise.all(objects.map(({ key }) => describeFile(store, tenant, key)))
    const rows = found.filter((row) => row !== undefined)
    return {
      rows: [{ file: 'files', rows }],
      files: rows.map(({ path }) => ({ path })),
      next: last ? { at: 0, after: { key: last.key } } : null,
    }
  },
})

function firstOf(objects: readonly ListedObject[]): ListedObject[] {
  let bytes = 0
  return objects.filter(({ sizeBytes }) => {
    const fits = bytes < pageBytes
    bytes += sizeBytes
    return fits
  })
}

const articlesTable = 'sys_articles'

/** The requests that were sent in the portal, with their records, and what people said of articles. */
const portalSources = (
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
