import { afterHooks } from './operations/after-hooks.ts'
import { comment } from './operations/comment.ts'
import { create } from './operations/create.ts'
import { remove } from './operations/remove.ts'
import { restore } from './operations/restore.ts'
import { update } from './operations/update.ts'
import { testOperations } from './test-operations.ts'

testOperations([create, update, remove, restore, afterHooks, comment])
