import { isDeepStrictEqual } from 'node:util'
import type { VersionMatch } from '../../kernel/failures/concurrent-change.ts'
import { type FieldErrors, Invalid } from '../../kernel/failures/faults.ts'
import { maxInboundSources } from '../../kernel/limits/incoming.ts'
import type { Caller, Principal } from '../../kernel/principal.ts'
import type { TenantRef } from '../../kernel/tenancy.ts'
import type { Clock } from '../../kernel/time/clock.ts'
import {
  type AdministrationDependencies,
  configuredObject,
} from '../../platform/configured-objects/configured-object.ts'
import { mask } from '../../platform/secrets/mask.ts'
import type { SecretBox } from '../../platform/secrets/secret-box.ts'
import { keyHash } from '../../platform/store/keys/key.ts'
import { inboundTokenKey } from '../../platform/store/keys/messages/incoming.ts'
import { deploymentWide } from '../../platform/store/store.ts'
import { isNew } from '../../platform/store/writes/conditions.ts'
import type { Hmac, SourceAnswer, SourceChange, SourceInput, SourceWithToken } from './schema.ts'
import { type InboundSource, secretName, tokenItem } from './source.ts'

export interface SourceDependencies extends AdministrationDependencies {
  readonly secrets: Pick<SecretBox, 'seal'>
  /** The base address of the API. */
  readonly publicUrl: string
}
/** `token`: the new one, if there is one. */
type SavingDependencies = Omit<SourceDependencies, 'publicUrl'> & { readonly token?: string }

/** The inbound sources. Messages of a deleted one stay. */
export const inboundSources = configuredObject<
  InboundSource,
  Omit<SourceAnswer, 'id' | 'created_at' | 'updated_at' | 'version'>,
  SourceAnswer,
  SourceInput,
  SavingDependencies
>({
  kind: 'INBOUND_SOURCE',
  isReadFresh: true,
  sequence: 'sys_inbound_sources',
  called: { one: 'source', list: 'inbound sources' },
  members: { name: {}, is_active: { stored: 'isEnabled', unset: true }, hmac: { unset: null } },
  documentOf: shownOf,
  // A secret or a token may be new.
  isSame: (before, after, { services, input }) =>
    services.token === undefined &&
    (input.hmac === undefined || input.hmac === null || input.hmac.secret === mask) &&
    isDeepStrictEqual(shownOf(before), shownOf(after)),
  async check(_, { services, caller, before }): Promise<FieldErrors> {
    if (before || (await inboundSources.allFresh(services, caller.tenant)).length < maxInboundSources) return {}
    return { name: [`There may be ${maxInboundSources} inbound sources: remove one that is not used.`] }
  },
  async seal(one, { services, caller: { tenant }, before, input }) {
    const hmac = input.hmac === undefined ? one.hmac : await sealed(services, tenant, one.id, input.hmac, before?.hmac)
    if (services.token === undefined) return { ...one, hmac }
    const after = { ...one, hmac, tokenHash: keyHash(services.token) }
    // The token comes first: without its source it opens nothing.
    await services.store.write(deploymentWide, { put: tokenItem(tenant, after), if: isNew })
    return after
  },
  async afterwards({ services, before }, after) {
    if (before && before.tokenHash !== after?.tokenHash)
      await services.store.write(deploymentWide, { remove: inboundTokenKey(before.tokenHash) })
  },
})

/** A source as answers and the trail show it. */
function shownOf({ name, isEnabled, hmac }: Pick<InboundSource, 'name' | 'isEnabled' | 'hmac'>) {
  const { sealed: _sealed, secret: _secret, ...scheme } = { sealed: '', secret: '', ...hmac }
  return { name, is_active: isEnabled, hmac: hmac && { ...scheme, secret: mask } }
}

/** Creates a source and answers its token, which is not answered again. Throws Invalid, and Conflict for a taken name. */
export async function createSource(
  services: SourceDependencies,
  caller: Caller,
  input: SourceInput,
): Promise<SourceWithToken> {
  const token = newToken(services.clock)
  return withToken(services, await inboundSources.create({ ...services, token }, caller, input), token)
}

/** Changes a source as `inboundSources.change` does. Answers the token when a new one was asked for. */
export async function changeSource(
  services: SourceDependencies,
  caller: Principal,
  id: number,
  { new_token: isNewToken = false, ...input }: SourceChange,
  ifMatch?: VersionMatch,
): Promise<SourceAnswer | SourceWithToken> {
  if (!isNewToken) return inboundSources.change(services, caller, id, input, ifMatch)
  const token = newToken(services.clock)
  return withToken(services, await inboundSources.change({ ...services, token }, caller, id, input, ifMatch), token)
}

const newToken = (clock: Pick<Clock, 'bytes'>): string => clock.bytes(32).toString('base64url')
const withToken = (
  { publicUrl }: Pick<SourceDependencies, 'publicUrl'>,
  source: SourceAnswer,
  token: string,
): SourceWithToken => ({ ...source, token, url: `${publicUrl}/api/in/${token}` })

async function sealed(
  { secrets }: Pick<SourceDependencies, 'secrets'>,
  tenant: TenantRef,
  id: number,
  given: Hmac | null,
  before: InboundSource['hmac'] | undefined,
): Promise<InboundSource['hmac']> {
  if (given === null) return null
  const { secret, ...scheme } = given
  if (secret !== mask) return { ...scheme, sealed: await secrets.seal(tenant, secretName(id), secret) }
  if (before?.scheme !== scheme.scheme)
    throw new Invalid({ 'hmac.secret': ['There is no secret to keep: send the secret itself.'] })
  return { ...scheme, sealed: before.sealed }
}
