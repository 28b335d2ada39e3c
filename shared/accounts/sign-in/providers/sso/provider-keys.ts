import type { JWTVerifyGetKey } from 'jose'
import * as z from 'zod'
import { lruMap } from '../../../../kernel/collections/lru-map.ts'
import type { Clock } from '../../../../kernel/time/clock.ts'
import type { FetchPublic } from '../../../../platform/net/guarded-request.ts'
import { strongKeys } from '../strong-keys.ts'

const freshMs = 10 * 60_000
/** A token with an unknown key fetches the keys again, but not more often than this: anybody can send such tokens. */
const coolDownMs = 30_000
/** While the provider does not answer, its last keys stay in use for so long. */
const usableMs = 60 * 60_000
const maxProviders = 100

/** Where the keys of a provider are. */
interface KeySource {
  readonly issuer: string
  /** undefined: the metadata of the issuer says it (OpenID Connect Discovery §4). */
  readonly jwksUrl: string | undefined
}

const Metadata = z.object({ issuer: z.string(), jwks_uri: z.url() })

/** The keys of identity providers, cached per instance of the function. */
export type ProviderKeys = ReturnType<typeof createProviderKeys>

interface KeySet {
  find: JWTVerifyGetKey | undefined
  fetchedAtMs: number
  triedAtMs: number
  fetching: Promise<void> | undefined
}

/** Opens the cache. Nothing is fetched but what the source names. */
export function createProviderKeys({
  fetchPublic,
  clock,
}: {
  readonly fetchPublic: FetchPublic
  readonly clock: Pick<Clock, 'now'>
}) {
  const sets = lruMap<string, KeySet>(maxProviders)

  async function fetchJson(address: string): Promise<unknown> {
    const answer = await fetchPublic(address, { headers: { accept: 'application/json' } })
    if (answer.status !== 200) throw new Error(`the provider answered ${answer.status}`)
    return answer.json()
  }

  async function discover(issuer: string): Promise<string> {
    const metadata = Metadata.parse(await fetchJson(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`))
    if (metadata.issuer !== issuer) throw new Error('the metadata names another issuer')
    return metadata.jwks_uri
  }

  async function load({ issuer, jwksUrl }: KeySource, set: KeySet): Promise<void> {
    set.triedAtMs = clock.now()
    const keys = strongKeys(await fetchJson(jwksUrl ?? (await discover(issuer))))
    const { createLocalJWKSet } = await import('jose')
    set.find = createLocalJWKSet(keys as Parameters<typeof createLocalJWKSet>[0])
    set.fetchedAtMs = clock.now()
  }

  /** Fetches the keys unless that was tried a moment ago; requests at the same time share one fetch. */
  async function refresh(source: KeySource, set: KeySet): Promise<void> {
    if (!set.fetching && clock.now() < set.triedAtMs + coolDownMs) return
    set.fetching ??= load(source, set).finally(() => (set.fetching = undefined))
    await set.fetching
  }

  function setOf({ issuer, jwksUrl }: KeySource): KeySet {
    const name = `${issuer}\n${jwksUrl ?? ''}`
    const known = sets.get(name)
    if (known) return known
    const made: KeySet = { find: undefined, fetchedAtMs: -Infinity, triedAtMs: -Infinity, fetching: undefined }
    sets.set(name, made)
    return made
  }

  /** Answers how jose finds the key of a token. Rejects when the keys cannot be fetched. */
  return async function keysOf(source: KeySource): Promise<JWTVerifyGetKey> {
    const set = setOf(source)
    if (clock.now() >= set.fetchedAtMs + freshMs) {
      try {
        await refresh(source, set)
      } catch (error) {
        if (clock.now() >= set.fetchedAtMs + usableMs) throw error
      }
    }
    return async (header, token) => {
      const { errors } = await import('jose')
      if (!set.find || clock.now() >= set.fetchedAtMs + usableMs) throw new errors.JWKSNoMatchingKey()
      try {
        return await set.find(header, token)
      } catch (error) {
        if (!(error instanceof errors.JWKSNoMatchingKey)) throw error
        await refresh(source, set)
        return set.find(header, token)
      }
    }
  }
}
