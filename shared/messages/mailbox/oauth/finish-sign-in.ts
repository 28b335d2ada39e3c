import { findUser, isActiveAdministrator } from '../../../accounts/people/user.ts'
import { findTenant } from '../../../accounts/tenants/find-tenant.ts'
import { Invalid, Unauthenticated } from '../../../kernel/failures/faults.ts'
import type { Caller } from '../../../kernel/principal.ts'
import type { Tenant } from '../../../kernel/tenancy.ts'
import { oneLine } from '../../../platform/mail/mail-address.ts'
import { keyHash } from '../../../platform/store/keys/key.ts'
import { mailboxSignInKey } from '../../../platform/store/keys/messages/mailbox.ts'
import { deploymentWide } from '../../../platform/store/store.ts'
import { exists } from '../../../platform/store/writes/conditions.ts'
import { wasApplied } from '../../../platform/store/writes/refusals.ts'
import { mailboxSecretName, tokenUseOf } from '../../mailboxes/mailbox.ts'
import type { SignedInMailbox } from '../../mailboxes/schema.ts'
import { MailboxFailure } from '../imap/mailbox-failure.ts'
import { unreachable } from '../mailbox-fault.ts'
import { changeMailbox } from '../mailbox-row.ts'
import { requestTokens } from './access-token.ts'
import { callbackUrl, requireSignIn, type SignInDependencies } from './begin-sign-in.ts'
import { keepRefreshToken } from './refresh-token.ts'
import { oauthSettings } from './sign-in-settings.ts'

/** What the browser brings back from the provider. */
interface Arrival {
  readonly parameters: {
    readonly state?: string | undefined
    readonly code?: string | undefined
    readonly error?: string | undefined
    readonly error_description?: string | undefined
  }
  /** Who is signed in, where a program brings it. */
  readonly caller: Caller | undefined
  /** The secret in the cookie of the browser that began it. */
  readonly browserSecret: string | undefined
}

/**
 * Finishes the sign-in at the provider of a mailbox: keeps its refresh token, and has the mailbox fetched. It works once, and
 * only for the administrator who began it. Throws Unauthenticated where it does not, and Invalid for what the provider refused.
 */
export async function finishSignIn(
  services: SignInDependencies,
  { parameters, caller, browserSecret }: Arrival,
): Promise<SignedInMailbox> {
  const { store, clock, config, secrets, fetchPublic, publicUrl } = services
  const { tenant, mailboxId, verifier } = await takeState(services, parameters.state, caller, browserSecret)
  const { code, error, error_description: description = '' } = parameters
  if (code === undefined) {
    const said = oneLine(`${error ?? 'no code'}${description && `: ${description}`}`)
      .slice(0, 300)
      .toWellFormed()
    throw new Invalid({}, { code: 'mailbox_unreachable', message: `The provider did not let you in: ${said}` })
  }
  const mailbox = await requireSignIn({ config }, tenant, mailboxId)
  const { signIn, address, sealed, incoming, isEnabled } = mailbox
  const secret = sealed === null ? '' : await (await secrets()).open(tenant, mailboxSecretName(mailboxId), sealed)
  try {
    const settings = await oauthSettings(fetchPublic, signIn, secret, tokenUseOf(incoming), mailboxId)
    const { next } = await requestTokens(services, settings.tokenUrl, {
      grant_type: 'authorization_code',
      client_id: settings.clientId,
      client_secret: secret,
      code,
      redirect_uri: callbackUrl(publicUrl),
      code_verifier: verifier,
    })
    if (next === undefined)
      throw new MailboxFailure('The provider answered no refresh token: let the application have offline access.')
    await keepRefreshToken({ store, secrets }, tenant, settings, next)
  } catch (failure) {
    throw failure instanceof MailboxFailure ? unreachable(failure) : failure
  }
  if (isEnabled)
    await store.write(
      tenant,
      changeMailbox(tenant, mailboxId, { set: { failures: 0, told: undefined }, dueMs: clock.now() }),
    )
  return {
    mailbox_id: mailboxId,
    address,
    message: `The mailbox ${mailbox.name} is connected. You can close this page.`,
  }
}

/** The sign-in with this state. It works once, for the administrator who began it, who must still be one. */
async function takeState(
  { store, clock }: SignInDependencies,
  state: string | undefined,
  caller: Caller | undefined,
  browserSecret: string | undefined,
): Promise<{ readonly tenant: Tenant; readonly mailboxId: number; readonly verifier: string }> {
  const key = state === undefined ? undefined : mailboxSignInKey(keyHash(state))
  const item = key && (await store.get(deploymentWide, key))
  if (!key || !item || clock.now() >= Number(item.expires_at_ms)) throw unknownSignIn()
  const isOwn = caller
    ? caller.isAdministrator &&
      caller.impersonatorId === undefined &&
      caller.tenant.id === item.tenant_id &&
      caller.userId === item.user_id
    : browserSecret !== undefined && keyHash(browserSecret) === item.browser_hash
  if (!isOwn || !(await wasApplied(store.write(deploymentWide, { remove: key, if: exists })))) throw unknownSignIn()
  const tenant = await findTenant(store, Number(item.tenant_id))
  if (!tenant || tenant.deleteAt !== undefined) throw unknownSignIn()
  if (!isActiveAdministrator(await findUser(store, tenant, Number(item.user_id)))) throw unknownSignIn()
  return { tenant, mailboxId: Number(item.mailbox_id), verifier: String(item.verifier) }
}

/** The same for everything that may be wrong. */
const unknownSignIn = (): Unauthenticated =>
  new Unauthenticated(
    'unauthenticated',
    'This sign-in is not known, was used, has expired, or was begun by somebody else or in another browser. Begin it again.',
  )
