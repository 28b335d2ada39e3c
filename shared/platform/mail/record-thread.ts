import { createHmac, timingSafeEqual } from 'node:crypto'

/** A record that mails are about. */
export interface MailRecord {
  readonly model: string
  readonly id: number
}

/** The secret of a tenant that proves which of these ids are ours. */
export type ThreadKey = Uint8Array

/**
 * The signed ids of a mail. Nobody but its readers knows them, so a bounce that returns one returns this mail; answers to a
 * mail about a record find the record by them.
 */
export interface MailThread {
  /** The part of the `Message-ID` before the @. */
  readonly id: string
  /** The same of an id that all mails about the record refer to, so that mail programs show one conversation. */
  readonly reference?: string
}

/** What an id of ours says. `messageId`: of the mail; undefined for the id that all mails about the record share. */
export interface ReadThread {
  readonly record: MailRecord
  readonly messageId?: string
}

const threadWord = 'thread'
const macCharacters = 16
const tokenCharacters = 8
const alphabet = 'abcdefghijklmnopqrstuvwxyz234567'

/** The ids of a mail about a record: `<message id>.<tenant>.<model>.<record>.<mac>`, in lower case, at most 150 characters. */
export const mailThread = (
  key: ThreadKey,
  tenantId: number,
  record: MailRecord,
  messageId: string,
): Required<MailThread> => ({
  id: signed(key, messageId, tenantId, record),
  reference: signed(key, threadWord, tenantId, record),
})

/** The id of a mail about no record: `<message id>.<tenant>.<mac>`, in lower case. */
export const mailId = (key: ThreadKey, tenantId: number, messageId: string): MailThread => ({
  id: `${messageId}.${tenantId}.${macOf(key, [messageId, tenantId])}`,
})

/**
 * Reads the message id in a signed id of a mail, whether about a record or not, with or without brackets and in any case;
 * undefined when it is not of this tenant, its MAC is wrong, or it is of no single mail.
 */
export function readMailId(key: ThreadKey, tenantId: number, text: string): string | undefined {
  const match = /^<?([a-z0-9_]{1,50})\.(\d{1,12})\.([a-z2-7]{16})(?:@|>?$)/.exec(text.trim().toLowerCase())
  if (!match) return readThread(key, tenantId, text)?.messageId
  const [, id, tenant, mac] = match as unknown as [string, string, string, string]
  return Number(tenant) === tenantId && isSameMac(mac, macOf(key, [id, tenantId])) ? id : undefined
}

/** What a subject carries where a template asks for it: `[#requests-42-x7k2mp9q]`. */
export const recordToken = (key: ThreadKey, tenantId: number, record: MailRecord): string =>
  `[#${record.model}-${record.id}-${macOf(key, [threadWord, tenantId, record.model, record.id]).slice(0, tokenCharacters)}]`

/** What a token looks like, for previews of templates. */
export const sampleRecordToken = '[#requests-42-x7k2mp9q]'

/**
 * Reads a message id, with or without brackets and in any case; undefined when it is not of this tenant or its MAC is
 * wrong.
 */
export function readThread(key: ThreadKey, tenantId: number, text: string): ReadThread | undefined {
  const match = /^<?([a-z0-9_]{1,50})\.(\d{1,12})\.([a-z][a-z0-9_~]{0,65})\.(\d{1,12})\.([a-z2-7]{16})(?:@|>?$)/.exec(
    text.trim().toLowerCase(),
  )
  if (!match) return undefined
  const [, first, tenant, model, id, mac] = match as unknown as [string, string, string, string, string, string]
  const record = { model, id: Number(id) }
  if (Number(tenant) !== tenantId || !isSameMac(mac, macOf(key, [first, tenantId, record.model, record.id])))
    return undefined
  return { record, ...(first !== threadWord && { messageId: first }) }
}

/** The record of the first valid token in a subject. */
export function readRecordToken(key: ThreadKey, tenantId: number, subject: string): MailRecord | undefined {
  for (const [, model, id, token] of subject
    .toLowerCase()
    .matchAll(/\[#\s?([a-z][a-z0-9_~]{0,65})-(\d{1,12})-([a-z2-7]{8})\s?\]/g)) {
    const record = { model: model as string, id: Number(id) }
    const mac = macOf(key, [threadWord, tenantId, record.model, record.id]).slice(0, tokenCharacters)
    if (isSameMac(token as string, mac)) return record
  }
  return undefined
}

const signed = (key: ThreadKey, first: string, tenantId: number, record: MailRecord): string =>
  `${first}.${tenantId}.${record.model}.${record.id}.${macOf(key, [first, tenantId, record.model, record.id])}`

/** 80 bits in base32, unless more are asked for: mail servers may change the case of an id. */
export function macOf(key: ThreadKey, signedParts: readonly (string | number)[], characters = macCharacters): string {
  const digest = createHmac('sha256', key).update(JSON.stringify(signedParts)).digest()
  let bits = ''
  for (const byte of digest.subarray(0, (characters * 5) / 8)) bits += byte.toString(2).padStart(8, '0')
  return (bits.match(/.{5}/g) as string[]).map((five) => alphabet.charAt(Number.parseInt(five, 2))).join('')
}

/** Compares two MACs in a time that tells nothing. */
export const isSameMac = (one: string, other: string): boolean =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other))
