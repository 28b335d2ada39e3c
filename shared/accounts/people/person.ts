import type { TenantRef } from '../../kernel/tenancy.ts'
import { emailKey } from '../../platform/store/keys/auth.ts'
import type { Key } from '../../platform/store/keys/key.ts'
import { deploymentWide, type Store, type Write } from '../../platform/store/store.ts'
import { readJson } from '../../platform/store/values/json-attribute.ts'
import type { Item } from '../../platform/store/values/marshal.ts'
import { StaleRead, type Step } from '../../platform/store/writes/commit.ts'
import { atVersion, exists, isNew } from '../../platform/store/writes/conditions.ts'
import { readSecondFactor, type SecondFactor, secondFactorAttributes } from '../credentials/second-factor.ts'
import { endVerification } from '../tenants/tenant-row.ts'
import { emailTaken } from './new-user.ts'

/** The user that a person is in one tenant. */
export interface MembershipRef {
  readonly tenantId: number
  readonly userId: number
}

/** An account at an identity provider that signs this person in. */
export interface Identity {
  readonly issuer: string
  readonly subject: string
}

/** Who signs in. Users are the memberships of persons; their name, e-mail address and locale are copies. */
export interface Person {
  /** In lower case; unique across the deployment. */
  readonly email: string
  /** Whether the person has proved to receive mail at the address. */
  readonly emailVerified: boolean
  readonly name: string
  readonly locale: string | null
  /** A PHC string; null for a person who signs in with an identity provider only. */
  readonly passwordHash: string | null
  readonly secondFactor: SecondFactor | null
  readonly identities: readonly Identity[]
  /** At most `maxMemberships`. */
  readonly memberships: readonly MembershipRef[]
  readonly lastTenantId: number
  readonly createdAt: string
  readonly version: number
}

export const readPerson = (item: Item): Person => ({
  email: String(item.email),
  emailVerified: item.email_verified === true,
  name: String(item.name),
  locale: (item.locale ?? null) as string | null,
  passwordHash: (item.password_hash ?? null) as string | null,
  secondFactor: readSecondFactor(item),
  identities: readJson<Identity[]>(item, 'identities'),
  memberships: readJson<[number, number][]>(item, 'memberships').map(([tenantId, userId]) => ({ tenantId, userId })),
  lastTenantId: Number(item.last_tenant_id),
  createdAt: String(item.created_at),
  version: Number(item.version),
})

export const personItem = (person: Person): Item & Key => ({
  ...emailKey(person.email),
  kind: 'person',
  v: 1,
  email: person.email,
  email_verified: person.emailVerified,
  name: person.name,
  locale: person.locale,
  password_hash: person.passwordHash,
  ...secondFactorAttributes(person.secondFactor),
  identities: JSON.stringify(person.identities.map(({ issuer, subject }) => ({ issuer, subject }))),
  memberships: JSON.stringify(person.memberships.map(({ tenantId, userId }) => [tenantId, userId])),
  last_tenant_id: person.lastTenantId,
  created_at: person.createdAt,
  version: person.version,
})

/** Finds the person with an e-mail address, in lower case. */
export async function findPerson(store: Pick<Store, 'get'>, email: string): Promise<Person | undefined> {
  const item = await store.get(deploymentWide, emailKey(email))
  return item && readPerson(item)
}

export const membershipIn = (person: Person | undefined, tenant: TenantRef): MembershipRef | undefined =>
  person?.memberships.find(({ tenantId }) => tenantId === tenant.id)

/** Stores a new person, whose e-mail address must not be taken in the deployment. */
export const putNewPerson = (person: Person): Step => ({
  write: { put: personItem(person), if: isNew },
  refused: emailTaken,
})

/**
 * Stores a change of a person, and moves the row when the e-mail address changed. A tenant that waited for the proof of
 * the address works from then on. Refused with StaleRead.
 */
export function putChangedPerson(before: Person, after: Person): Step[] {
  const unchanged = { if: atVersion(before.version) }
  const refused = () => new StaleRead('the person has changed')
  const proved = after.emailVerified && !before.emailVerified ? before.memberships : []
  const started = proved.map(({ tenantId }): Step => ({ write: endVerification(tenantId), refused }))
  if (after.email === before.email) return [{ write: { put: personItem(after), ...unchanged }, refused }, ...started]
  return [putNewPerson(after), { write: { remove: emailKey(before.email), ...unchanged }, refused }, ...started]
}

/** Makes `tenant` the one that the next login without a tenant enters. Refused when the address has been given up. */
export const rememberTenant = (person: Person, tenant: TenantRef): Write => ({
  update: emailKey(person.email),
  change: { expression: 'SET last_tenant_id = :tenant', values: { ':tenant': tenant.id } },
  if: exists,
})
