import type { Tenant, TenantRef } from '../../../kernel/tenancy.ts'
import type { Clock } from '../../../kernel/time/clock.ts'
import { normalAddress } from '../../../platform/mail/normal-address.ts'
import type { MailRecord } from '../../../platform/mail/record-thread.ts'
import { storedSettings } from '../../../platform/settings/read-settings.ts'
import type { SettingName } from '../../../platform/settings/setting-values.ts'
import type { Config } from '../../../platform/store/config.ts'
import { type Key, keyHash } from '../../../platform/store/keys/key.ts'
import { answersKey } from '../../../platform/store/keys/messages/deliveries.ts'
import type { Store } from '../../../platform/store/store.ts'
import { readJson } from '../../../platform/store/values/json-attribute.ts'
import type { Item } from '../../../platform/store/values/marshal.ts'
import { atRevision, isNew } from '../../../platform/store/writes/conditions.ts'
import { wasApplied } from '../../../platform/store/writes/refusals.ts'
import { retryWithJitter } from '../../../platform/store/writes/retry-with-jitter.ts'
import { channelOf } from '../../channels/channel.ts'
import { addressesOf, mailboxesOf } from '../../mailboxes/mailbox.ts'
import type { Intent } from '../rows/intent-row.ts'
import { recordOfSource } from '../threads/find-delivery.ts'

/** What deciding about automatic answers needs. */
export interface BrakeDependencies {
  readonly store: Pick<Store, 'get' | 'write'>
  readonly clock: Clock
  readonly answerLimits: (tenant: TenantRef) => Promise<AnswerLimits>
  /** Who sent the mails that belong to a record and arrived since a time. `isQuiet`: programs do not answer them. */
  readonly mailSendersOf: (
    tenant: TenantRef,
    record: MailRecord,
    sinceMs: number,
  ) => Promise<readonly { readonly address: string; readonly isQuiet: boolean }[]>
}

/** Decides about the mail with a message id to an address: the reason why it is not sent, else undefined. */
export type AnswerBrake = (address: string, id: string) => Promise<string | undefined>

const hourMs = 60 * 60_000

/**
 * The brake on the mails of an intent that answers mails: whoever sent one gets so many automatic answers an hour, and the
 * company's own addresses none, because programs that answer each other never stop; nor does who wrote through a list or asks
 * for none. Undefined for an intent that answers nobody, which takes no reads.
 */
export async function answerBrake(
  services: BrakeDependencies,
  tenant: TenantRef,
  { channelType, answers, source }: Pick<Intent, 'channelType' | 'answers' | 'source'>,
): Promise<AnswerBrake | undefined> {
  if (channelType !== 'email') return undefined
  const isOfRecord = answers === 'record' || (answers === undefined && source.process_id !== undefined)
  if (!isOfRecord && (answers === undefined || answers.length === 0)) return undefined
  const record = recordOfSource(source)
  const known = record ? await services.mailSendersOf(tenant, record, services.clock.now() - hourMs) : []
  const hashesOf = (senders: typeof known) => answersTo(senders.map(({ address }) => address))
  const senders = isOfRecord || answers === undefined ? hashesOf(known) : answers
  if (senders.length === 0) return undefined
  const quiet = hashesOf(known.filter(({ isQuiet }) => isQuiet))
  const { perHour, ownAddresses } = await services.answerLimits(tenant)
  return async (given, id) => {
    const address = normalAddress(given)
    if (address === null) return undefined
    if (ownAddresses.has(address))
      return 'Not sent: an automatic answer to an address of the own mailbox or of an own mail channel would come back.'
    if (quiet.includes(keyHash(address)))
      return 'Not sent: the mail that it would answer came through a list or a rule of a mailbox, or asks for no automatic answers.'
    if (!senders.includes(keyHash(address)) || (await countAnswer(services, tenant, address, id, perHour)))
      return undefined
    return `Not sent: who sent the mail has had ${perHour} automatic answers within an hour (setting MAIL_ANSWERS_PER_HOUR).`
  }
}

/** Counts an answer to an address, once however often it is asked. Answers false when there were enough of them. */
const countAnswer = (
  { store, clock }: Pick<BrakeDependencies, 'store' | 'clock'>,
  tenant: TenantRef,
  address: string,
  id: string,
  perHour: number,
): Promise<boolean> =>
  retryWithJitter(clock, async (again) => {
    const key = answersKey(tenant, address)
    const { answers, rev } = readAnswers(await store.get(tenant, key))
    const now = clock.now()
    const counted = answers.filter(([, atMs]) => atMs > now - hourMs)
    if (counted.some(([one]) => one === id)) return true
    if (counted.length >= perHour) return false
    const put = answersItem(key, { answers: [...counted, [id, now]], rev: rev + 1 }, now)
    if (await wasApplied(store.write(tenant, { put, if: rev === 0 ? isNew : atRevision(rev) }))) return true
    return again(new Error('another answer to the address was counted meanwhile'))
  })

/** An hour counts; what is older says nothing, whenever the row is deleted. */
const keptSeconds = 2 * 60 * 60

/** An automatic answer: its message id, and when it was counted (Unix milliseconds). */
type CountedAnswer = readonly [id: string, atMs: number]

interface StoredAnswers {
  readonly answers: readonly CountedAnswer[]
  /** 0 when there is no row yet. */
  readonly rev: number
}

/** The row of the automatic answers to an address, as it is at `nowMs`. */
const answersItem = (key: Key, { answers, rev }: StoredAnswers, nowMs: number): Item & Key => ({
  ...key,
  kind: 'automatic_answers',
  v: 1,
  rev,
  answers: JSON.stringify(answers),
  expires_at: Math.ceil(nowMs / 1000) + keptSeconds,
})

/** Reads the row of automatic answers. */
const readAnswers = (item: Item | undefined): StoredAnswers =>
  item ? { answers: readJson<CountedAnswer[]>(item, 'answers'), rev: Number(item.rev) } : { answers: [], rev: 0 }

/** Whom a company answers automatically, and how often. */
export interface AnswerLimits {
  readonly perHour: number
  /** The addresses of its mailboxes and of its mail channels, as `normalAddress` makes them. */
  readonly ownAddresses: ReadonlySet<string>
}

const defaultAnswersPerHour = 5
/** Settings that may hold the address of the mailbox, or of what the company sends from. */
const addressSettings = ['IMAP_USERNAME', 'MAIL_USERNAME', 'MAIL_FROM_ADDRESS'] as const satisfies SettingName[]

/** What bounds the automatic answers of a company, cached with its configuration. */
export async function answerLimits(config: Pick<Config, 'list'>, tenant: Tenant): Promise<AnswerLimits> {
  const [settings, channels, boxes] = await Promise.all([
    storedSettings(config, tenant),
    config.list(tenant, 'CHANNEL', channelOf),
    mailboxesOf(config, tenant),
  ])
  const addresses = [
    ...boxes.flatMap(addressesOf),
    ...addressSettings.map((name) => settings.get(name)?.value),
    ...channels.map(({ config: { from_address: address } }) => address),
  ]
  const perHour = settings.get('MAIL_ANSWERS_PER_HOUR')?.value
  return {
    perHour: typeof perHour === 'number' ? perHour : defaultAnswersPerHour,
    ownAddresses: new Set(
      addresses.flatMap((address) => (typeof address === 'string' ? (normalAddress(address) ?? []) : [])),
    ),
  }
}

/** Whose mails an intent answers, as it keeps them: only whether an address is one of them matters. */
export const answersTo = (addresses: readonly string[]): readonly string[] =>
  addresses.flatMap((address) => {
    const known = normalAddress(address)
    return known === null ? [] : [keyHash(known)]
  })
