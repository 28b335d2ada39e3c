import type { Tenant } from '../../../kernel/tenancy.ts'
import type { Clock } from '../../../kernel/time/clock.ts'
import type { ObjectListing } from '../../../platform/objects/object-listing.ts'
import type { Config } from '../../../platform/store/config.ts'
import type { Store } from '../../../platform/store/store.ts'
import { relationOf } from '../../../records/relations/relation.ts'
import type { Tables } from '../../../tables/tables/read-tables.ts'
import { accountSources } from './account-sources.ts'
import { filesSource } from './files-source.ts'
import { messageSource } from './message-source.ts'
import { portalSources } from './portal-sources.ts'
import { processSources } from './process-sources.ts'
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
