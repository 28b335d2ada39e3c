import { mayUseResource } from '../../../shared/kernel/account-resources.ts'
import { environment } from '../../../shared/kernel/environment.ts'
import { onlyOwners } from '../../../shared/messages/senders/service.ts'
import { lazySender } from './lazy-sender.ts'

const { APP_MODE, EVENT_BUS_OWNERS } = environment()
const eventBridge = lazySender<'eventbridge'>(async () => {
  const { eventBridgeSender } = await import('../../../shared/messages/senders/aws/eventbridge.ts')
  return eventBridgeSender()
})

/** Puts events on the EventBridge buses of this account that are the tenant's. */
export const events = onlyOwners(eventBridge, (slug, { config: { bus_name: name } }) =>
  mayUseResource(APP_MODE, EVENT_BUS_OWNERS, name, slug)
    ? undefined
    : `The operator has not given the event bus ${JSON.stringify(name)} to this company (EVENT_BUS_OWNERS).`,
)
