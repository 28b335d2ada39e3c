import { isSameMac, macOf, type ThreadKey } from './record-thread.ts'

/** What a link does for the person to whom it was mailed: it decides a task, or ends the notices about a record. */
export type PersonLinkKind = 'decide' | 'unsubscribe'

/** What the link of one person holds: whoever has it does this one thing as that person until then. */
export interface PersonToken {
  readonly tenantId: number
  readonly userId: number
  /** What it is about: `17`, `requests-42`. */
  readonly about: string
  /** Unix milliseconds. */
  readonly expiresAtMs: number
  readonly mac: string
}

/** 160 bits in base32: nobody guesses it. */
const macCharacters = 32

const macFor = (
  key: ThreadKey,
  kind: PersonLinkKind,
  { tenantId, userId, about, expiresAtMs }: Omit<PersonToken, 'mac'>,
  bound: readonly (string | number)[],
): string => macOf(key, [kind, tenantId, userId, about, expiresAtMs, ...bound], macCharacters)

/**
 * The token of a person's link: `<tenant>.<person>.<about>.<expiry>.<mac>`. `bound`: what must be as it was when the link was
 * made, and does not stand in it.
 */
export const personToken = (
  key: ThreadKey,
  kind: PersonLinkKind,
  link: Omit<PersonToken, 'mac'>,
  bound: readonly (string | number)[] = [],
): string => [link.tenantId, link.userId, link.about, link.expiresAtMs, macFor(key, kind, link, bound)].join('.')

/** Reads a token that is not believed yet: `isPersonToken` checks it. Undefined for any other text. */
export function parsePersonToken(text: string): PersonToken | undefined {
  const match = /^(\d{1,12})\.(\d{1,12})\.([a-z0-9_~-]{1,80})\.(\d{1,15})\.([a-z2-7]{32})$/.exec(text)
  if (!match) return undefined
  const [, tenantId, userId, about, expiresAtMs, mac] = match as unknown as [
    string,
    string,
    string,
    string,
    string,
    string,
  ]
  return { tenantId: Number(tenantId), userId: Number(userId), about, expiresAtMs: Number(expiresAtMs), mac }
}

/** Whether the key of the tenant made the token for this, and it has not expired. */
export const isPersonToken = (
  key: ThreadKey,
  kind: PersonLinkKind,
  token: PersonToken,
  nowMs: number,
  bound: readonly (string | number)[] = [],
): boolean => isSameMac(token.mac, macFor(key, kind, token, bound)) && nowMs < token.expiresAtMs
