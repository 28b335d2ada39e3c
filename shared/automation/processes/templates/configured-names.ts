import { userOfAddress } from '../../../accounts/people/lookup/user-of-address.ts'
import { maxCandidates } from '../../../kernel/limits/processes.ts'
import type { TenantRef } from '../../../kernel/tenancy.ts'
import { channelOf } from '../../../messages/channels/channel.ts'
import { placeholdersByCode } from '../../../messages/notification-templates/placeholders-by-code.ts'
import type { Config } from '../../../platform/store/config.ts'
import { userKey } from '../../../platform/store/keys/auth.ts'
import type { Store } from '../../../platform/store/store.ts'
import { freshDecisions } from '../../decisions/decision.ts'
import type { UserReference } from '../people/task-people.ts'
import type { KnownNames, KnownProcess } from './known-names.ts'
import { readTemplate } from './template.ts'

/** Each takes two reads. */
const maxAddressesLookedUp = 100

/** What a configuration document adds to what exists. */
export interface NamesToBe {
  readonly roles?: readonly string[]
  readonly channels?: readonly string[]
  /** The placeholders of notification templates, by code. */
  readonly templates?: ReadonlyMap<string, readonly string[]>
  readonly processes?: readonly KnownProcess[]
  /** The codes of decisions. */
  readonly decisions?: readonly string[]
}

/** The roles, users, channels and templates that a document may name: those that exist, and `also` those that will. */
export const configuredNames = (
  { store, config }: { readonly store: Pick<Store, 'get' | 'getMany'>; readonly config: Pick<Config, 'listFresh'> },
  tenant: TenantRef,
  also: NamesToBe = {},
): Omit<KnownNames, 'findTable'> => ({
  roles: async () => [...(await config.listFresh(tenant, 'ROLE')).map(({ name }) => name), ...(also.roles ?? [])],
  channels: async () => [
    ...(await config.listFresh(tenant, 'CHANNEL')).map(channelOf).flatMap(({ id, name }) => [name, String(id)]),
    ...(also.channels ?? []),
  ],
  templates: async () => new Map([...(await placeholdersByCode(config, tenant)), ...(also.templates ?? [])]),
  processes: async () => [
    // Those of the document come first: it may change the others.
    ...(also.processes ?? []),
    ...(await config.listFresh(tenant, 'PROCESS'))
      .map(readTemplate)
      .map(({ code, table, isActive, isTriggered = false }) => ({ code, table, isActive, isTriggered })),
  ],
  decisions: async () => [...(await freshDecisions(config, tenant)).map(({ code }) => code), ...(also.decisions ?? [])],
  missingUsers: async (named) => {
    const distinct = [...new Set(named)]
    // As many as a task may have.
    const ids = distinct.filter((one) => typeof one === 'number').slice(0, maxCandidates)
    const addresses = distinct.filter((one) => typeof one === 'string').slice(0, maxAddressesLookedUp)
    const [users, members] = await Promise.all([
      store.getMany(
        tenant,
        ids.map((id) => userKey(tenant, id)),
      ),
      Promise.all(addresses.map((address) => userOfAddress(store, tenant, address))),
    ])
    return new Set<UserReference>([
      ...ids.filter((_, index) => users[index] === undefined),
      ...addresses.filter((_, index) => members[index] === undefined),
    ])
  },
})
