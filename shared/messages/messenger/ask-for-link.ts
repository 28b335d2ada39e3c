import type { Caller } from '../../kernel/principal.ts'
import type { Tenant } from '../../kernel/tenancy.ts'
import type { Clock } from '../../kernel/time/clock.ts'
import type { Store } from '../../platform/store/store.ts'
import { makeCode } from './link-code.ts'
import type { MessengerLink } from './schema.ts'

/** A code for the caller, and the address that opens the bot with it when the name of the bot is known. */
export async function askForLink(
  {
    store,
    clock,
    botName,
  }: {
    readonly store: Pick<Store, 'write'>
    readonly clock: Pick<Clock, 'now' | 'bytes'>
    readonly botName: (tenant: Tenant) => Promise<string | undefined>
  },
  { tenant, userId }: Caller,
): Promise<MessengerLink> {
  const [{ code, expiresAt }, bot] = await Promise.all([makeCode({ store, clock }, tenant, userId), botName(tenant)])
  return { code, url: bot === undefined ? null : `https://t.me/${bot}?start=${code}`, expires_at: expiresAt }
}
