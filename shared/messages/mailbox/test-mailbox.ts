import type { Tenant } from '../../kernel/tenancy.ts'
import { readSettings } from '../../platform/settings/read-settings.ts'
import type { ConnectionDependencies } from './dependencies.ts'
import { MailboxFailure } from './imap/mailbox-failure.ts'
import { signIn } from './imap/sign-in.ts'
import { notConfigured, unreachable } from './mailbox-fault.ts'
import { mailboxSettingNames, mailboxSettingsOf } from './mailbox-settings.ts'
import type { TestedMailbox } from './schema.ts'

const withinMs = 20_000

/** Opens the mailbox of a tenant, and reads no mail. Throws Invalid that says why it cannot be opened. */
export async function testMailbox(services: ConnectionDependencies, tenant: Tenant): Promise<TestedMailbox> {
  const settings = mailboxSettingsOf(await readSettings(services, tenant, mailboxSettingNames))
  if ('missing' in settings) throw notConfigured(settings.missing)
  try {
    const opened = await signIn(services, tenant, settings, AbortSignal.timeout(withinMs))
    await opened.close()
    return { ok: true, mailbox: settings.folder, messages: opened.messages }
  } catch (error) {
    throw error instanceof MailboxFailure ? unreachable(error) : error
  }
}
