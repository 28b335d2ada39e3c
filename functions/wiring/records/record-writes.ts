import { startByScript } from '../../../shared/automation/processes/service.ts'
import { clock } from '../../../shared/kernel/clock.ts'
import { channelOfChat } from '../../../shared/messages/messenger/service.ts'
import { findTemplate } from '../../../shared/messages/notification-templates/service.ts'
import { dispatchToChannels } from '../../../shared/messages/notifications/service.ts'
import { createRecordWrites } from '../../../shared/records/records/service.ts'
import { createRecordLinks } from '../../../shared/records/relations/service.ts'
import { createFiles } from '../../../shared/tables/files/service.ts'
import { config } from '../config.ts'
import { files } from '../files.ts'
import { lazyObjects } from '../lazy-objects.ts'
import { queries } from '../lists/queries.ts'
import { orgTree } from '../org-tree.ts'
import { store } from '../store.ts'
import { tables } from '../tables.ts'
import { recordDiscussions } from './comments.ts'
import { rowAccess } from './row-access.ts'

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
  orgTree,
  files: createFiles(files),
  links: createRecordLinks({ store, config, clock }),
  discussions: recordDiscussions,
  startProcess: startByScript({ store, config, clock }),
  loadScripts: async () => {
    const { openScriptRuntime } = await import('../../../shared/scripts/script-runtime.ts')
    return { openScriptRuntime: (deps) => openScriptRuntime({ ...deps, dispatch, putObject: lazyObjects.putObject }) }
  },
})
