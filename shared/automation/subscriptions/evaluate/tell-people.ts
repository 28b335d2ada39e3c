import type { Tenant } from '../../../kernel/tenancy.ts'
import type { Subscription } from '../subscription.ts'
import { divide, type Part, type PartQueue, peoplePerPart, sendParts, type SubscriptionMessage } from './parts.ts'
import type { SubscribedChange } from './subscribed-change.ts'
import { tellUsers, type TellUsersDependencies } from './tell-users.ts'
import { tellWatchers } from './tell-watchers.ts'

export type TellPeopleDependencies = TellUsersDependencies & PartQueue

/** People who are notified at the same time. */
const atOnce = 25

/**
 * Tells the people of some parts of a change. More of them than one message may tell get messages of their own; what time
 * does not suffice for is sent as another message, without those who were told.
 */
export async function tellPeople(
  services: TellPeopleDependencies,
  tenant: Tenant,
  message: SubscriptionMessage,
  change: SubscribedChange,
  {
    parts,
    subscriptions,
    timeIsUp,
  }: {
    readonly parts: readonly Part[]
    readonly subscriptions: readonly Subscription[]
    readonly timeIsUp: () => boolean
  },
): Promise<void> {
  if (parts.reduce((sum, { users }) => sum + users.length, 0) > peoplePerPart)
    return sendParts(services, message, parts.flatMap(divide))
  let steps = 0
  for (const [index, part] of parts.entries()) {
    const subscription = subscriptions.find(({ id }) => id === part.subscription)
    for (let start = 0; start < part.users.length; start += atOnce) {
      // At least one step is made, so that the rest is another one than before.
      if (steps++ > 0 && timeIsUp())
        return sendParts(services, message, [{ ...part, users: part.users.slice(start) }, ...parts.slice(index + 1)])
      const some = part.users.slice(start, start + atOnce)
      if (subscription) await tellUsers(services, tenant, subscription, change, some, part.again)
      else if (part.subscription === null) await tellWatchers(services, tenant, change, message, some)
    }
  }
}
