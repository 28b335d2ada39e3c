import type { Clock } from '../../../../kernel/time/clock.ts'
import { ownedPartition, signInCodeKey, signInStateKey } from '../../../../platform/store/keys/auth.ts'
import type { Key } from '../../../../platform/store/keys/key.ts'
import { personEntry } from '../../../../platform/store/slots.ts'
import { deploymentWide, type Store } from '../../../../platform/store/store.ts'
import type { Item } from '../../../../platform/store/values/marshal.ts'
import { exists, isNew } from '../../../../platform/store/writes/conditions.ts'
import { wasApplied } from '../../../../platform/store/writes/refusals.ts'
import { hashSecret } from '../../../credentials/token.ts'
import type { VouchedKind } from '../sign-in-external.ts'

type RowDependencies = {
  readonly store: Pick<Store, 'get' | 'write'>
  readonly clock: Pick<Clock, 'now'>
}

/** How long somebody may take to sign in at the provider. */
export const stateLifeMs = 10 * 60_000
/** How long an app may take to exchange the code of a finished sign-in. */
const codeLifeMs = 60_000

/** A sign-in that is on its way through a provider. */
export interface SignInState {
  readonly provider: string
  readonly tenantId: number
  /** Hash of the secret in the cookie of the browser that began it. */
  readonly browserHash: string
  readonly nonce: string
  readonly verifier: string
  /** The path in the app to return to. */
  readonly redirect: string | null
}

/** A sign-in that an app may finish. */
export interface FinishedSignIn {
  readonly tenantId: number
  readonly userId: number
  readonly kind: VouchedKind
  /** The credential version of the user at the time: what ends sessions ends this too. */
  readonly credentialVersion: number
}

export const hashOf = (secret: string): string => hashSecret(secret).toString('base64url')

export const keepState = (services: RowDependencies, secret: string, state: SignInState): Promise<void> =>
  keep(services, signInStateKey(hashOf(secret)), stateLifeMs, {
    kind: 'sign_in_state',
    provider: state.provider,
    tenant_id: state.tenantId,
    browser_hash: state.browserHash,
    nonce: state.nonce,
    verifier: state.verifier,
    redirect: state.redirect,
  })

/** The state with this secret, unless it is unknown or expired. */
export async function findState(services: RowDependencies, secret: string): Promise<SignInState | undefined> {
  const item = await find(services, signInStateKey(hashOf(secret)))
  return item && readState(item)
}

/** Ends the state; false when another request has ended it. */
export const endState = ({ store }: Pick<RowDependencies, 'store'>, secret: string): Promise<boolean> =>
  wasApplied(store.write(deploymentWide, { remove: signInStateKey(hashOf(secret)), if: exists }))

export function keepCode(services: RowDependencies, code: string, finished: FinishedSignIn): Promise<void> {
  const key = signInCodeKey(hashOf(code))
  return keep(services, key, codeLifeMs, {
    kind: 'sign_in_code',
    tenant_id: finished.tenantId,
    user_id: finished.userId,
    session_kind: finished.kind,
    credential_version: finished.credentialVersion,
    ...personEntry(ownedPartition({ id: finished.tenantId }, finished.userId), key),
  })
}

/** Takes the code, which works once; undefined when it is unknown, used or expired. */
export async function takeCode(services: RowDependencies, code: string): Promise<FinishedSignIn | undefined> {
  const key = signInCodeKey(hashOf(code))
  const item = await find(services, key)
  if (!item || !(await wasApplied(services.store.write(deploymentWide, { remove: key, if: exists })))) return undefined
  return readCode(item)
}

async function keep({ store, clock }: RowDependencies, key: Key, lifeMs: number, attributes: Item): Promise<void> {
  const endsAtMs = clock.now() + lifeMs
  const put = { ...key, v: 1, ...attributes, expires_at_ms: endsAtMs, expires_at: Math.ceil(endsAtMs / 1000) }
  await store.write(deploymentWide, { put, if: isNew })
}

async function find({ store, clock }: RowDependencies, key: Key): Promise<Item | undefined> {
  const item = await store.get(deploymentWide, key)
  return item && clock.now() < Number(item.expires_at_ms) ? item : undefined
}

const readState = (item: Item): SignInState => ({
  provider: String(item.provider),
  tenantId: Number(item.tenant_id),
  browserHash: String(item.browser_hash),
  nonce: String(item.nonce),
  verifier: String(item.verifier),
  redirect: (item.redirect ?? null) as string | null,
})

const readCode = (item: Item): FinishedSignIn => ({
  tenantId: Number(item.tenant_id),
  userId: Number(item.user_id),
  kind: item.session_kind as VouchedKind,
  credentialVersion: Number(item.credential_version),
})
