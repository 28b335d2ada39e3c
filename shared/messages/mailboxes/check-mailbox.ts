import type { FieldErrors } from '../../kernel/failures/faults.ts'
import { environment } from '../../kernel/runtime/environment.ts'
import type { Tenant } from '../../kernel/tenancy.ts'
import { didYouMean } from '../../kernel/text/did-you-mean.ts'
import type { Config } from '../../platform/store/config.ts'
import { idText } from '../../platform/store/keys/key.ts'
import type { Tables } from '../../tables/tables/read-tables.ts'
import { channelOf } from '../channels/channel.ts'
import { signInErrors } from '../channels/config/oauth-sign-in.ts'
import type { Mailbox } from './mailbox.ts'
import type { Incoming } from './schema.ts'

interface CheckDependencies {
  readonly config: Pick<Config, 'get'>
  readonly tables: Pick<Tables, 'find' | 'all'>
}

/** What is usual where it was left out. Only members that the protocol has. */
export function completeIncoming({ protocol, host, port, encryption, folder, auth }: Incoming): Incoming {
  if (protocol === 'local') return { protocol, folder: 'INBOX' }
  if (protocol === 'graph')
    return {
      protocol,
      ...(host && { host }),
      ...(port && { port }),
      ...(encryption && { encryption }),
      folder: folder ?? 'inbox',
      auth,
    }
  const secure = encryption ?? 'ssl'
  return {
    protocol,
    host: host ?? (auth?.kind === 'oauth' ? usualHosts[auth.provider] : host),
    port: port ?? (secure === 'ssl' ? 993 : 143),
    encryption: secure,
    folder: folder ?? 'INBOX',
    auth,
  }
}

const usualHosts = { google: 'imap.gmail.com', microsoft: 'outlook.office365.com' } as const

/** The errors of a mailbox, by path. `given`: how its mails are fetched, where that was sent. */
export async function checkMailbox(
  services: CheckDependencies,
  tenant: Tenant,
  { incoming, channelId, table, values }: Pick<Mailbox, 'incoming' | 'channelId' | 'table' | 'values'>,
  given: Incoming | undefined,
): Promise<FieldErrors> {
  return {
    ...(given && incomingErrors(incoming as Incoming, given)),
    ...(await channelErrors(services, tenant, channelId)),
    ...(await tableErrors(services, tenant, table, values)),
  }
}

const noLocal =
  'The protocol local is that of the mailboxes which npm start embeds, and which this deployment does not have. Use imap or graph.'

function incomingErrors({ protocol, host, auth }: Incoming, given: Incoming): FieldErrors {
  if (protocol === 'local') {
    if (environment().LOCAL_MAILBOX_PORT === undefined) return { 'incoming.protocol': [noLocal] }
    const unused = (['host', 'port', 'encryption', 'auth'] as const).filter((name) => given[name] != null)
    return Object.fromEntries(
      unused.map((name) => [
        `incoming.${name}`,
        [`The protocol local takes no ${name}: the local cloud knows its server.`],
      ]),
    )
  }
  if (!auth) return { 'incoming.auth': [`The incoming.auth field is required for the protocol ${protocol}.`] }
  if (protocol === 'graph' && (auth.kind !== 'oauth' || auth.provider !== 'microsoft'))
    return { 'incoming.auth': ['The protocol graph needs auth of the kind oauth at the provider microsoft.'] }
  if (!host && protocol === 'imap') return { 'incoming.host': ['The incoming.host field is required with a password.'] }
  if (auth.kind !== 'oauth') return {}
  return signInErrors(auth, 'incoming.auth')
}

async function channelErrors({ config }: CheckDependencies, tenant: Tenant, id: number | null): Promise<FieldErrors> {
  if (id === null) return {}
  const channel = await config.get(tenant, 'CHANNEL', idText(id), channelOf)
  if (!channel) return { channel_id: [`There is no channel ${id}.`] }
  return channel.type === 'email'
    ? {}
    : {
        channel_id: [
          `The channel ${channel.name} is of type ${channel.type}: answers to mails need one of type email.`,
        ],
      }
}

async function tableErrors(
  { tables }: CheckDependencies,
  tenant: Tenant,
  name: string | null,
  values: Mailbox['values'],
): Promise<FieldErrors> {
  if (name === null)
    return values && Object.keys(values).length > 0
      ? { values: ['Values are for records of a table: name the table, or leave them out.'] }
      : {}
  const table = await tables.find(tenant, name)
  if (!table || name.startsWith('sys_')) {
    const names = (await tables.all(tenant)).flatMap((one) => (one.is_system ? [] : [one.name]))
    return { table: [`There is no table ${name}.${didYouMean(name, names)}`] }
  }
  const unknown = Object.keys(values ?? {}).filter((field) => !table.fieldsByName.has(field))
  return Object.fromEntries(
    unknown.map((field) => [
      `values.${field}`,
      [`There is no field ${field} of ${name}.${didYouMean(field, table.fieldsByName.keys())}`],
    ]),
  )
}

/** Why a stored mailbox does not work (any more); null when nothing is known. */
export const mailboxProblem = async (
  services: CheckDependencies,
  tenant: Tenant,
  one: Pick<Mailbox, 'incoming' | 'channelId' | 'table' | 'values'>,
): Promise<string | null> =>
  Object.values(await checkMailbox(services, tenant, one, undefined))
    .flat()
    .join(' ') || null
