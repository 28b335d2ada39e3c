import { fetchNow } from '../../../shared/messages/mailbox/fetch-now.ts'
import { testMailbox } from '../../../shared/messages/mailbox/test-mailbox.ts'
import { endpointGroup } from '../../../shared/platform/http/routing/endpoint-group.ts'
import { implement } from '../../../shared/platform/http/routing/implement.ts'
import { authenticate } from '../../wiring/authenticate.ts'
import { mailboxes } from '../../wiring/messages/mailboxes.ts'
import * as route from './routes.ts'

export const handler = endpointGroup({ authenticate }, [
  implement(route.fetchMailbox, ({ caller }) => fetchNow(mailboxes, caller.tenant)),
  implement(route.testMailbox, ({ caller }) => testMailbox(mailboxes, caller.tenant)),
])
