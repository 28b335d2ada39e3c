import { receiveRequest } from './operations/receive-request.ts'
import { afterHooks } from './operations/records/after-hooks.ts'
import { comment } from './operations/records/comment.ts'
import { create } from './operations/records/create.ts'
import { remove } from './operations/records/remove.ts'
import { restore } from './operations/records/restore.ts'
import { rollup } from './operations/records/rollup.ts'
import { update } from './operations/records/update.ts'
import { runRules } from './operations/run-rules.ts'
import { testOperations } from './test-operations.ts'

testOperations([create, update, remove, restore, afterHooks, comment, rollup, receiveRequest, runRules])
