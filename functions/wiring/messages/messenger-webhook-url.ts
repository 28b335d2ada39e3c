import { environment } from '../../../shared/kernel/runtime/environment.ts'
import { publicUrl } from '../../../shared/platform/http/routing/envelope.ts'

/** Where the Bot API sends updates: the API, or the address of its function where the operator wants that. */
export const messengerWebhookUrl = (): string =>
  `${(environment().MESSENGER_URL ?? publicUrl()).replace(/\/+$/, '')}/api/messenger/webhook`
