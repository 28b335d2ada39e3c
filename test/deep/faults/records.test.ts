import { afterHooks } from './operations/after-hooks.ts'
import { comment } from './operations/comment.ts'
import { create } from './operations/create.ts'
import { receiveRequest } from './operations/receive-request.ts'
import { remove } from './operations/remove.ts'
import { restore } from './operations/restore.ts'
import { runRules } from './operations/run-rules.ts'
import { update } from './operations/update.ts'
import { testOperations } from './test-operations.ts'

testOperations([create, update, remove, restore, afterHooks, comment, receiveRequest, runRules])
