import { clock } from '../../../shared/kernel/time/clock.ts'
import { fetchNow } from '../../../shared/messages/mailbox/fetch-now.ts'
import { followMailbox } from '../../../shared/messages/mailbox/follow-settings.ts'
import { readHealth } from '../../../shared/messages/mailbox/read-health.ts'
import { testMailbox } from '../../../shared/messages/mailbox/test-mailbox.ts'
import { type MailboxDependencies, mailboxes as objects } from '../../../shared/messages/mailboxes/mailboxes.ts'
import { implementObject } from '../../../shared/platform/configured-objects/implement-object.ts'
import { endpointGroup } from '../../../shared/platform/http/routing/endpoint-group.ts'
import { implement } from '../../../shared/platform/http/routing/implement.ts'
import { authenticate } from '../../wiring/authenticate.ts'
import { mailboxes } from '../../wiring/messages/mailboxes.ts'
import { config } from '../../wiring/platform/config.ts'
import { secretBox } from '../../wiring/platform/secrets.ts'
import { store } from '../../wiring/platform/store.ts'
import { tables } from '../../wiring/tables/tables.ts'
import * as one from './mailbox-routes.ts'
import * as route from './routes.ts'

const administration: MailboxDependencies = {
  store,
  config,
  clock,
  tables,
  secrets: secretBox,
  follow: (...given) => followMailbox(clock, ...given),
}
const five = {
  list: one.listMailboxes,
  create: one.createMailbox,
  get: one.getMailbox,
  change: one.changeMailbox,
  remove: one.deleteMailbox,
}

export const handler = endpointGroup({ authenticate }, [
  implement(route.fetchMailbox, ({ caller }) => fetchNow(mailboxes, caller.tenant)),
  implement(route.testMailbox, ({ caller }) => testMailbox(mailboxes, caller.tenant)),
  ...implementObject(five, objects, administration),
  implement(one.testOneMailbox, ({ caller, params }) => testMailbox(mailboxes, caller.tenant, params.id)),
  implement(one.fetchOneMailbox, ({ caller, params }) => fetchNow(mailboxes, caller.tenant, params.id)),
  implement(one.getMailboxHealth, ({ caller, params }) => readHealth({ store, config }, caller.tenant, params.id)),
])
