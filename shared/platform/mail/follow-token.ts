import { isSameMac, macOf, type MailRecord, type ThreadKey } from './record-thread.ts'

/** What the link of a record holds: whoever has it sees the public state of the record. */
export interface FollowToken {
  readonly tenantId: number
  readonly record: MailRecord
  readonly mac: string
}

/** 160 bits in base32: nobody guesses it. */
const macCharacters = 32

const macFor = (key: ThreadKey, tenantId: number, { model, id }: MailRecord): string =>
  macOf(key, ['follow', tenantId, model, id], macCharacters)

/** The token of a record's link, the same each time: `<tenant>.<model>.<record>.<mac>`. */
export const followToken = (key: ThreadKey, tenantId: number, record: MailRecord): string =>
  `${tenantId}.${record.model}.${record.id}.${macFor(key, tenantId, record)}`

/** Reads a token that is not believed yet: `isFollowToken` checks it. Undefined for any other text. */
export function parseFollowToken(text: string): FollowToken | undefined {
  const match = /^(\d{1,12})\.([a-z][a-z0-9_~]{0,65})\.(\d{1,12})\.([a-z2-7]{32})$/.exec(text)
  if (!match) return undefined
  const [, tenantId, model, id, mac] = match as unknown as [string, string, string, string, string]
  return { tenantId: Number(tenantId), record: { model, id: Number(id) }, mac }
}

/** Whether the key of the tenant made the token. */
export const isFollowToken = (key: ThreadKey, { tenantId, record, mac }: FollowToken): boolean =>
  isSameMac(mac, macFor(key, tenantId, record))
