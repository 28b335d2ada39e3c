import { enumerates } from './enumerates.ts'
import { afterHooks } from './operations/after-hooks.ts'
import { create } from './operations/create.ts'
import { remove } from './operations/remove.ts'
import { restore } from './operations/restore.ts'
import { update } from './operations/update.ts'

enumerates([create, update, remove, restore, afterHooks])
