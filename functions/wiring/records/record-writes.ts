import { sendByScript } from '../../../shared/automation/processes/instances/send-events.ts'
import { startByScript } from '../../../shared/automation/processes/instances/start-by-script.ts'
import { instancesOf } from '../../../shared/automation/processes/runtime/record-changed.ts'
import { clock } from '../../../shared/kernel/time/clock.ts'
import { channelOfChat } from '../../../shared/messages/messenger/chat-bot.ts'
import { findTemplate } from '../../../shared/messages/notification-templates/template.ts'
import { dispatchToChannels } from '../../../shared/messages/notifications/dispatch-to-channels.ts'
import { createRecordWrites } from '../../../shared/records/records/record-writes.ts'
import { createRecordLinks } from '../../../shared/records/relations/links/record-links.ts'
import { createFiles } from '../../../shared/tables/files/service.ts'
import { queries } from '../lists/queries.ts'
import { config } from '../platform/config.ts'
import { lazyObjects } from '../platform/lazy-objects.ts'
import { store } from '../platform/store.ts'
import { files } from '../tables/files.ts'
import { orgTree } from '../tables/org-tree.ts'
import { tables } from '../tables/tables.ts'
import { recordDiscussions } from './comments.ts'
import { conditions, rowAccess } from './row-access.ts'

const dispatch = dispatchToChannels({
  clock,
  config,
  findTemplate: (tenant, code) => findTemplate({ config }, tenant, code),
  channelOfChat: (tenant, chatId) => channelOfChat(store, tenant, chatId),
})

/** Writes records and runs the hooks of their tables. The script runtime is loaded with the first hook. */
export const recordWrites = createRecordWrites({
  store,
  tables,
  clock,
  queries,
  referencesTo: queries.referencesTo,
  access: rowAccess,
  conditions,
  orgTree,
  files: createFiles(files),
  links: createRecordLinks({ store, config, clock }),
  discussions: recordDiscussions,
  processesOf: (tenant, record) => instancesOf(store, tenant, record),
  startProcess: startByScript({ store, config, clock }),
  sendProcessMessage: sendByScript({ store, config, clock }),
  loadScripts: async () => {
    const { openScriptRuntime } = await import('../../../shared/scripts/script-runtime.ts')
    return {
      openScriptRuntime: (services) => openScriptRuntime({ ...services, dispatch, putObject: lazyObjects.putObject }),
    }
  },
})
