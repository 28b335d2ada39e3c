import { clock } from '../../../shared/kernel/time/clock.ts'
import { fetchNow } from '../../../shared/messages/mailbox/fetch-now.ts'
import { followMailbox } from '../../../shared/messages/mailbox/follow-settings.ts'
import { beginSignIn, type SignInDependencies } from '../../../shared/messages/mailbox/oauth/begin-sign-in.ts'
import { finishSignIn } from '../../../shared/messages/mailbox/oauth/finish-sign-in.ts'
import { readHealth } from '../../../shared/messages/mailbox/read-health.ts'
import { testMailbox } from '../../../shared/messages/mailbox/test-mailbox.ts'
import { type MailboxDependencies, mailboxes as objects } from '../../../shared/messages/mailboxes/mailboxes.ts'
import { implementObject } from '../../../shared/platform/configured-objects/implement-object.ts'
import { endpointGroup } from '../../../shared/platform/http/routing/endpoint-group.ts'
import { publicUrl, Reply } from '../../../shared/platform/http/routing/envelope.ts'
import { implement, implementOpen } from '../../../shared/platform/http/routing/implement.ts'
import { implementVerbs } from '../../../shared/platform/http/routing/verb-routes.ts'
import { authenticate } from '../../wiring/authenticate.ts'
import { mailboxes } from '../../wiring/messages/mailboxes.ts'
import { config } from '../../wiring/platform/config.ts'
import { secretBox, secrets } from '../../wiring/platform/secrets.ts'
import { store } from '../../wiring/platform/store.ts'
import { tables } from '../../wiring/tables/tables.ts'
import * as own from './mailbox-routes.ts'
import * as route from './routes.ts'
import { pageForBrowser } from './sign-in-page.ts'

const administration: MailboxDependencies = {
  store,
  config,
  clock,
  tables,
  secrets: secretBox,
  follow: (...given) => followMailbox(clock, ...given),
}
const signIn: SignInDependencies = {
  store,
  config,
  clock,
  secrets,
  fetchPublic: mailboxes.fetchPublic,
  publicUrl: publicUrl(),
}

/** The prefix ties the cookie to this host, but browsers accept it with https only. */
const isSecure = signIn.publicUrl.startsWith('https:')
const cookieName = isSecure ? '__Host-mailbox-sign-in' : 'mailbox-sign-in'

/** `Lax`: the browser sends it when the provider leads back, but not with requests that other sites make. */
const cookie = (value: string, maxAgeSeconds: number) => ({
  'set-cookie': `${cookieName}=${value}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`,
})

const cookieValue = (cookies: readonly string[]): string | undefined =>
  cookies.find((one) => one.startsWith(`${cookieName}=`))?.slice(cookieName.length + 1)

const group = endpointGroup({ authenticate }, [
  implement(route.fetchMailbox, ({ caller }) => fetchNow(mailboxes, caller.tenant)),
  implement(route.testMailbox, ({ caller }) => testMailbox(mailboxes, caller.tenant)),
  ...implementObject(own.mailboxObjectRoutes, objects, administration),
  ...implementVerbs(own.mailboxVerbs, mailboxes, {
    test: (services, { tenant }, id) => testMailbox(services, tenant, id),
    fetch: (services, { tenant }, id) => fetchNow(services, tenant, id),
    health: (services, { tenant }, id) => readHealth(services, tenant, id),
    async authorize(_services, caller, id) {
      const { url, browserSecret, lifeSeconds } = await beginSignIn(signIn, caller, id)
      return new Reply({ url }, cookie(browserSecret, lifeSeconds))
    },
  }),
  implementOpen(own.finishMailboxSignIn, async ({ query, caller, cookies }) => {
    const arrival = { parameters: query, caller, browserSecret: cookieValue(cookies) }
    return new Reply(await finishSignIn(signIn, arrival), cookie('', 0))
  }),
])

/** Who returns from a provider is a person at a browser: what came of it is a page. */
export const handler: typeof group = async (event, context) => {
  const answered = await group(event, context)
  return event.rawPath === own.finishMailboxSignIn.path ? pageForBrowser(event, answered) : answered
}
