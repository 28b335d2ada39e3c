import { mayUseResource } from '../../../kernel/runtime/environment.ts'
import { eventBridgeSender } from '../aws/eventbridge.ts'
import { onlyOwners } from '../only-owners.ts'
import type { CreateSender } from '../sender-context.ts'

/** Puts events on the EventBridge buses of this account that are the tenant's. */
export const createSender: CreateSender<'eventbridge'> = ({ environment: { APP_MODE, EVENT_BUS_OWNERS } }) =>
  onlyOwners(eventBridgeSender(), (slug, { config: { bus_name: name } }) =>
    mayUseResource(APP_MODE, EVENT_BUS_OWNERS, name, slug)
      ? undefined
      : `The operator has not given the event bus ${JSON.stringify(name)} to this company (EVENT_BUS_OWNERS).`,
  )
