import { type Clock, isoTime } from '../../kernel/clock.ts'
import { changedMeanwhile, requireCurrentVersion } from '../../kernel/concurrent-change.ts'
import { Invalid, NotFound } from '../../kernel/faults.ts'
import { maxInboundSources } from '../../kernel/limits/incoming.ts'
import type { Caller } from '../../kernel/principal.ts'
import type { TenantRef } from '../../kernel/tenancy.ts'
import type { PageQuery } from '../../platform/http/paging/page-query.ts'
import { pageOfWholeList } from '../../platform/http/paging/whole-list.ts'
import type { Page } from '../../platform/http/routing/envelope.ts'
import { mask } from '../../platform/secrets/mask.ts'
import type { SecretBox } from '../../platform/secrets/secret-box.ts'
import { isNew } from '../../platform/store/conditions.ts'
import { type Config, putConfigRow, removeConfigRow } from '../../platform/store/config.ts'
import { inboundTokenKey } from '../../platform/store/keys/incoming.ts'
import { keyHash } from '../../platform/store/keys/key.ts'
import { uniqueNames } from '../../platform/store/rows/unique-names.ts'
import { reserveIds } from '../../platform/store/sequence/sequence.ts'
import { deploymentWide, type Store, type Write } from '../../platform/store/store.ts'
import { configurationEvent } from '../../platform/trail/service.ts'
import { type Hmac, type SourceAnswer, type SourceChange, type SourceInput, type SourceWithToken } from './schema.ts'
import {
  describeSource,
  type InboundSource,
  secretName,
  sourceOf,
  sourceRow,
  sourceRowName,
  sourceSequence,
  tokenItem,
} from './source.ts'

export interface SourceDependencies {
  readonly store: Store
  readonly config: Config
  readonly clock: Clock
  readonly secrets: Pick<SecretBox, 'seal'>
  /** The base address of the API. */
  readonly publicUrl: string
}

const sourceNames = uniqueNames(sourceSequence)

/** The inbound sources of a tenant, newest first. */
export async function listSources(
  { config }: Pick<SourceDependencies, 'config'>,
  { tenant }: Caller,
  query: PageQuery,
): Promise<Page<SourceAnswer>> {
  const all = (await config.list(tenant, 'INBOUND_SOURCE', sourceOf)).toReversed()
  const page = pageOfWholeList('inbound sources', all, query)
  return { ...page, items: page.items.map(describeSource) }
}

/** Throws NotFound when there is no such source. */
export const findSource = async (
  { config }: Pick<SourceDependencies, 'config'>,
  tenant: TenantRef,
  id: number,
): Promise<InboundSource> => {
  const row = await config.getFresh(tenant, 'INBOUND_SOURCE', sourceRowName(id))
  if (!row) throw new NotFound('inbound_source', { id })
  return sourceOf(row)
}

/** Creates a source and answers its token, which is not answered again. Throws Invalid, and Conflict for a taken name. */
export async function createSource(
  deps: SourceDependencies,
  caller: Caller,
  { name, is_enabled = true, hmac = null }: SourceInput,
): Promise<SourceWithToken> {
  const { tenant } = caller
  const existing = await deps.config.listFresh(tenant, 'INBOUND_SOURCE')
  if (existing.length >= maxInboundSources)
    throw new Invalid({ name: [`There may be ${maxInboundSources} inbound sources: remove one that is not used.`] })
  const id = await reserveIds(deps.store, tenant, sourceSequence, 1)
  const token = newToken(deps.clock)
  const source: InboundSource = {
    id,
    name,
    isEnabled: is_enabled,
    hmac: await sealed(deps, tenant, id, hmac, null),
    tokenHash: keyHash(token),
    version: 1,
  }
  // The token comes first: without its source it opens nothing.
  await deps.store.write(deploymentWide, { put: tokenItem(tenant, source), if: isNew })
  await deps.config.change(
    tenant,
    [
      sourceNames.hold(tenant, name, id),
      putSource(deps, caller, source, null),
      sourceEvent(deps.clock, caller, undefined, source),
    ],
    changedMeanwhile('source'),
  )
  return { ...describeSource(source), token, url: urlOf(deps, token) }
}

/**
 * Changes a source; members that are left out stay. `version`, when given, must be the current one. Answers the token
 * when a new one was asked for. Throws NotFound, Invalid and Conflict.
 */
export async function changeSource(
  deps: SourceDependencies,
  caller: Caller,
  id: number,
  { name, is_enabled, hmac, version, new_token: isNewToken = false }: SourceChange,
): Promise<SourceAnswer | SourceWithToken> {
  const { tenant } = caller
  const before = await findSource(deps, tenant, id)
  requireCurrentVersion('source', before, version)
  const token = isNewToken ? newToken(deps.clock) : undefined
  const after: InboundSource = {
    ...before,
    name: name ?? before.name,
    isEnabled: is_enabled ?? before.isEnabled,
    hmac: hmac === undefined ? before.hmac : await sealed(deps, tenant, id, hmac, before.hmac),
    tokenHash: token === undefined ? before.tokenHash : keyHash(token),
    version: before.version + 1,
  }
  if (token !== undefined) await deps.store.write(deploymentWide, { put: tokenItem(tenant, after), if: isNew })
  await deps.config.change(
    tenant,
    [
      ...sourceNames.rename(tenant, id, before.name, after.name),
      putSource(deps, caller, after, before.version),
      sourceEvent(deps.clock, caller, before, after),
    ],
    changedMeanwhile('source'),
  )
  if (token === undefined) return describeSource(after)
  await deps.store.write(deploymentWide, { remove: inboundTokenKey(before.tokenHash) })
  return { ...describeSource(after), token, url: urlOf(deps, token) }
}

/** Deletes a source; its messages stay. Throws NotFound and Conflict. */
export async function removeSource(
  deps: Pick<SourceDependencies, 'store' | 'config' | 'clock'>,
  caller: Caller,
  id: number,
): Promise<void> {
  const { tenant } = caller
  const before = await findSource(deps, tenant, id)
  await deps.config.change(
    tenant,
    [
      sourceNames.free(tenant, before.name),
      removeConfigRow(tenant, 'INBOUND_SOURCE', sourceRowName(id), before.version),
      sourceEvent(deps.clock, caller, before, undefined),
    ],
    changedMeanwhile('source'),
  )
  await deps.store.write(deploymentWide, { remove: inboundTokenKey(before.tokenHash) })
}

const newToken = (clock: Pick<Clock, 'bytes'>): string => clock.bytes(32).toString('base64url')
const urlOf = ({ publicUrl }: Pick<SourceDependencies, 'publicUrl'>, token: string): string =>
  `${publicUrl}/api/in/${token}`

async function sealed(
  { secrets }: Pick<SourceDependencies, 'secrets'>,
  tenant: TenantRef,
  id: number,
  given: Hmac | null,
  before: InboundSource['hmac'],
): Promise<InboundSource['hmac']> {
  if (given === null) return null
  const { secret, ...scheme } = given
  if (secret !== mask) return { ...scheme, sealed: await secrets.seal(tenant, secretName(id), secret) }
  if (before?.scheme !== scheme.scheme)
    throw new Invalid({ 'hmac.secret': ['There is no secret to keep: send the secret itself.'] })
  return { ...scheme, sealed: before.sealed }
}

const putSource = (
  { clock }: Pick<SourceDependencies, 'clock'>,
  { tenant, userId }: Caller,
  source: InboundSource,
  before: number | null,
) => putConfigRow(tenant, 'INBOUND_SOURCE', sourceRow(source), before, { userId, at: isoTime(clock.now()) })

const sourceEvent = (
  clock: SourceDependencies['clock'],
  caller: Caller,
  before: InboundSource | undefined,
  after: InboundSource | undefined,
): Write =>
  configurationEvent(clock, caller, {
    model: sourceSequence,
    before,
    after,
    nameOf: ({ name }) => name,
    documentOf: (source) => {
      const { id: _id, version: _version, ...document } = describeSource(source)
      return document
    },
  })
