import { maxMailedNameCharacters } from '../../kernel/limits/accounts.ts'
import type { Tenant } from '../../kernel/tenancy.ts'
import type { Clock } from '../../kernel/time/clock.ts'
import type { Store } from '../../platform/store/store.ts'
import { tenantSince } from '../tenants/find-tenant.ts'

/** For so long a company is new: nobody knows yet what it calls itself for. */
const newForMs = 30 * 86_400_000

/** Words that mail programs make links of: with a scheme, an `@`, a domain or an IP address. */
const addressLike = /@|:\/\/|\bwww\.|\S[.\u3002]\p{M}*(?:\p{L}\p{M}*){2}|\d+\.\d+\.\d+\.\d+/iu

/** A text in one line, without what cannot be seen. */
const oneLine = (text: string): string =>
  text
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .replaceAll(/\p{Cf}/gu, '')
    .trim()

/**
 * A name that its owner chose, as a mail to strangers says it: short, in one line, and without addresses, because whoever
 * gets the mail trusts its sender. `otherwise`: when nothing is left.
 */
export function mailedName(name: string, otherwise: string): string {
  const words = oneLine(name.normalize('NFKC')).split(' ')
  const kept = words.filter((word) => !addressLike.test(word)).join(' ') || otherwise
  const characters = [...kept]
  return characters.length > maxMailedNameCharacters
    ? `${characters.slice(0, maxMailedNameCharacters - 1).join('')}…`
    : kept
}

/** How mails to strangers say the names that a company and its people chose: as they are once it is no longer new. */
export async function namesInMails(
  { store, clock }: { readonly store: Pick<Store, 'get'>; readonly clock: Pick<Clock, 'now'> },
  tenant: Tenant,
): Promise<{ readonly company: string; readonly person: (name: string) => string }> {
  const since = await tenantSince(store, tenant)
  const isNew = tenant.awaitsVerification === true || since === undefined || clock.now() < since + newForMs
  return isNew
    ? { company: mailedName(tenant.name, tenant.slug), person: (name) => mailedName(name, 'Somebody') }
    : { company: oneLine(tenant.name), person: oneLine }
}
