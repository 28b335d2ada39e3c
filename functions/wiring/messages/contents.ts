import { environment } from '../../../shared/kernel/runtime/environment.ts'
import { clock } from '../../../shared/kernel/time/clock.ts'
import { threadKeys } from '../../../shared/messages/deliveries/service.ts'
import { renderTemplate } from '../../../shared/messages/notification-templates/service.ts'
import { publicUrl } from '../../../shared/platform/http/routing/envelope.ts'
import { lazyObjects } from '../platform/lazy-objects.ts'
import { store } from '../platform/store.ts'

/** Where contents of messages are read, and how their templates are rendered. */
export const contents = {
  objects: lazyObjects,
  render: renderTemplate,
  threadKey: threadKeys({ store, clock }),
  recordUrl: ({ model, id }: { readonly model: string; readonly id: number }): string => {
    const { APP_URL: app } = environment()
    return app ? `${app.replace(/\/+$/, '')}/${model}/${id}` : `${publicUrl()}/api/e/${model}/${id}`
  },
}
