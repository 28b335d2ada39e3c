import { isDeepStrictEqual } from 'node:util'
import { Conflict, type FieldErrors, Invalid } from '../../kernel/failures/faults.ts'
import { maxMailboxes } from '../../kernel/limits/incoming.ts'
import type { Caller } from '../../kernel/principal.ts'
import type { Tenant, TenantRef } from '../../kernel/tenancy.ts'
import {
  type AdministrationDependencies,
  configuredObject,
} from '../../platform/configured-objects/configured-object.ts'
import { onlyDefault } from '../../platform/configured-objects/only-default.ts'
import type { ListQuery } from '../../platform/http/paging/page-query.ts'
import { pageOfWholeList } from '../../platform/http/paging/whole-list.ts'
import type { Page } from '../../platform/http/routing/envelope.ts'
import { mask } from '../../platform/secrets/mask.ts'
import type { SecretBox } from '../../platform/secrets/secret-box.ts'
import { defaultMailboxKey } from '../../platform/store/keys/configuration.ts'
import { readObject } from '../../platform/store/rows/object-row.ts'
import type { Write } from '../../platform/store/store.ts'
import { requireUnused } from '../../tables/tables/administration/require-unused.ts'
import type { Tables } from '../../tables/tables/read-tables.ts'
import { checkMailbox, completeIncoming, mailboxProblem } from './check-mailbox.ts'
import { type Mailbox, mailboxSecretName, maskedIncoming, settingsMailboxId } from './mailbox.ts'
import type { ListedMailbox, MailboxAnswer, MailboxInput } from './schema.ts'
import { describeSettingsMailbox } from './settings-mailbox.ts'

export interface MailboxDependencies extends AdministrationDependencies {
  readonly tables: Pick<Tables, 'find' | 'all'>
  readonly secrets: Pick<SecretBox, 'seal'>
  /** The writes that have a mailbox fetched from now on, or no more. */
  readonly follow: (tenant: TenantRef, before: Mailbox | undefined, after: Mailbox | undefined) => readonly Write[]
}

type MailboxMembers = Omit<MailboxAnswer, 'id' | 'created_at' | 'updated_at' | 'version' | 'problem'>

const keepOneDefault = onlyDefault<Mailbox>({
  kind: 'MAILBOX',
  keyOf: defaultMailboxKey,
  read: readObject<Mailbox>,
  overtaken: 'Somebody else changed the default mailbox at the same time. Try again.',
})

const administered = configuredObject<Mailbox, MailboxMembers, MailboxAnswer, MailboxInput, MailboxDependencies>({
  kind: 'MAILBOX',
  sequence: 'sys_mailboxes',
  called: { one: 'mailbox', list: 'mailboxes' },
  members: {
    name: {},
    address: {},
    aliases: { unset: [] },
    is_enabled: { stored: 'isEnabled', unset: true },
    incoming: {},
    channel_id: { stored: 'channelId', unset: null },
    table: { unset: null },
    values: { unset: null },
    signature: { unset: null },
    is_default: { stored: 'isDefault', unset: false },
  },
  documentOf: shownOf,
  normalize: (draft, { caller, input, before }) => ({
    ...draft,
    aliases: [...new Set(draft.aliases)].filter((alias) => alias !== draft.address),
    ...(input.incoming && { incoming: completeIncoming(input.incoming) }),
    sealed: before?.sealed ?? null,
    savedBy: caller.userId,
  }),
  isSame: (before, after, { input }) =>
    (input.incoming === undefined ||
      givenSecret(input.incoming) === mask ||
      givenSecret(input.incoming) === undefined) &&
    isDeepStrictEqual(
      { ...shownOf(before), incoming: maskedIncoming(before) },
      { ...shownOf(after), incoming: maskedIncoming({ ...after, incoming: withoutSecret(after.incoming) }) },
    ),
  async check(draft, { services, caller, before, input }): Promise<FieldErrors> {
    const errors = await checkMailbox(services, caller.tenant, draft, input.incoming)
    if (before || (await administered.allFresh(services, caller.tenant)).length < maxMailboxes) return errors
    return { ...errors, name: [`There may be ${maxMailboxes} mailboxes: remove one that is not used.`] }
  },
  async seal(one, { services: { secrets }, caller: { tenant }, before, input }) {
    if (input.incoming === undefined) return one
    const incoming = withoutSecret(one.incoming)
    const secret = givenSecret(input.incoming)
    if (secret === undefined) return { ...one, incoming, sealed: null }
    if (secret !== mask)
      return { ...one, incoming, sealed: await secrets.seal(tenant, mailboxSecretName(one.id), secret) }
    if (before?.sealed == null || before.incoming.auth?.kind !== incoming.auth?.kind) throw nothingToKeep(incoming)
    return { ...one, incoming, sealed: before.sealed }
  },
  alsoWrite: async ({ services, caller, before }, after) => [
    ...(await keepOneDefault(services, caller, before, after)),
    ...services.follow(caller.tenant, before, after),
  ],
  requireUnused: async ({ config }, tenant, { id, name }, becomes) =>
    becomes === 'deleted' ? requireUnused(config, tenant, { kind: 'mailbox', name, id }) : undefined,
  problemOf: mailboxProblem,
})

/** A mailbox as answers and the trail show it. */
function shownOf(
  one: Pick<Mailbox, Exclude<keyof Mailbox, 'id' | 'version' | 'createdAt' | 'updatedAt'>>,
): MailboxMembers {
  const { name, address, aliases, isEnabled, channelId, table, values, signature, isDefault } = one
  return {
    name,
    address,
    aliases: [...aliases],
    is_enabled: isEnabled,
    incoming: maskedIncoming(one),
    channel_id: channelId,
    table,
    values: values && { ...values },
    signature,
    is_default: isDefault,
  }
}

const givenSecret = ({ auth }: MailboxInput['incoming']): string | undefined =>
  auth ? (auth.kind === 'password' ? auth.password : auth.client_secret) : undefined

function withoutSecret(incoming: Mailbox['incoming']): Mailbox['incoming'] {
  if (!incoming.auth) return incoming
  const { password: _password, client_secret: _secret, ...auth } = { password: '', client_secret: '', ...incoming.auth }
  return { ...incoming, auth: auth as Mailbox['incoming']['auth'] }
}

const nothingToKeep = ({ auth }: Mailbox['incoming']): Invalid => {
  const name = `incoming.auth.${auth?.kind === 'oauth' ? 'client_secret' : 'password'}`
  return new Invalid({ [name]: ['There is no secret to keep: send the secret itself.'] })
}

/** The mailbox of the settings belongs to them. */
const ofSettings = (): Conflict =>
  new Conflict(
    'mailbox_of_settings',
    'This is the mailbox of the settings IMAP_* and MAIL_*: change it by PUT /api/sys/settings.',
  )

/** The mailboxes of a tenant, the one of its settings among them. Messages of a deleted one stay. */
export const mailboxes = {
  ...administered,

  /** The mailbox of the settings first, then the newest. Only administrators see more than id, name and address. */
  async list(services: MailboxDependencies, caller: Caller, query: ListQuery): Promise<Page<ListedMailbox>> {
    const { tenant } = caller
    const own = (await administered.all(services, tenant)).toReversed()
    const described = await Promise.all(
      own.map(async (one) => administered.describe(one, await mailboxProblem(services, tenant, one))),
    )
    const ofTheSettings = await describeSettingsMailbox(services, tenant, own)
    const all: MailboxAnswer[] = [...(ofTheSettings ? [ofTheSettings] : []), ...described]
    const shown = caller.isAdministrator ? all : all.map(({ id, name, address }) => ({ id, name, address }))
    return pageOfWholeList<ListedMailbox>('mailboxes', shown, query)
  },

  async get(services: MailboxDependencies, caller: { readonly tenant: Tenant }, id: number): Promise<MailboxAnswer> {
    const { tenant } = caller
    if (id !== settingsMailboxId) return administered.get(services, caller, id)
    const found = await describeSettingsMailbox(services, tenant, await administered.all(services, tenant))
    return found ?? administered.get(services, caller, id)
  },

  change: (services: MailboxDependencies, caller: Caller, id: number, ...given: ChangeParameters) => {
    if (id === settingsMailboxId) throw ofSettings()
    return administered.change(services, caller, id, ...given)
  },

  remove: (services: MailboxDependencies, caller: Caller, id: number, ...given: RemoveParameters) => {
    if (id === settingsMailboxId) throw ofSettings()
    return administered.remove(services, caller, id, ...given)
  },
}

type AfterId<P extends readonly unknown[]> = P extends readonly [unknown, unknown, unknown, ...infer Rest]
  ? Rest
  : never
type ChangeParameters = AfterId<Parameters<typeof administered.change>>
type RemoveParameters = AfterId<Parameters<typeof administered.remove>>
