import type { TenantRef } from '../../../kernel/tenancy.ts'
import { archivedMessages } from '../../../messages/incoming-messages/archived-messages.ts'
import type { ReadingDependencies } from '../../../messages/incoming-messages/find-message.ts'
import { messageSequence } from '../../../messages/incoming-messages/message.ts'
import { byId } from './process-sources.ts'
import type { Source } from './source.ts'

/** The messages that came in, with what became of them. */
export const messageSource = (services: ReadingDependencies, tenant: TenantRef): Source =>
  byId(services, tenant, 'incoming_messages', messageSequence, (ids) => archivedMessages(services, tenant, ids))
