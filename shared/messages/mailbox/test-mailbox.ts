import type { Tenant } from '../../kernel/tenancy.ts'
import { settingsMailboxId } from '../mailboxes/mailbox.ts'
import type { ConnectionDependencies } from './dependencies.ts'
import { findMailbox } from './find-mailbox.ts'
import { MailboxFailure } from './imap/mailbox-failure.ts'
import { notConfigured, unreachable } from './mailbox-fault.ts'
import type { TestedMailbox } from './schema.ts'
import { signIn, signInToGraph } from './sign-in.ts'

const withinMs = 20_000

/** Opens a mailbox of a tenant, and reads no mail. Throws Invalid that says why it cannot be opened, and NotFound. */
export async function testMailbox(
  services: ConnectionDependencies,
  tenant: Tenant,
  id: number = settingsMailboxId,
): Promise<TestedMailbox> {
  try {
    const found = await findMailbox(services, tenant, id)
    if (found.kind === 'unconfigured') throw notConfigured(found.missing)
    const { settings } = found
    const signal = AbortSignal.timeout(withinMs)
    const { graphBase, folder } = settings
    if (graphBase !== undefined) {
      const { messages } = await signInToGraph(services, tenant, settings, graphBase, signal)
      return { ok: true, mailbox: folder, messages }
    }
    const opened = await signIn(services, tenant, settings, signal)
    await opened.close()
    return { ok: true, mailbox: folder, messages: opened.messages }
  } catch (error) {
    throw error instanceof MailboxFailure ? unreachable(error) : error
  }
}
