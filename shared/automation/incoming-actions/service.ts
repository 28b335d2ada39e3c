export {
  changeIncomingAction,
  createIncomingAction,
  type IncomingActionAdministration,
  removeIncomingAction,
} from './administer/administer-incoming-actions.ts'
export { findIncomingAction, listIncomingActions } from './administer/list-incoming-actions.ts'
export { checkRule } from './check-incoming-action.ts'
export { type IncomingAction, incomingActionOf } from './incoming-action.ts'
export { listTargetModels } from './list-target-models.ts'
export { executeRule } from './execute-rule.ts'
export { commentReplies } from './replies/comment-replies.ts'
export { previewRule } from './preview-rule.ts'
export { reprocessMessage } from './reprocess-message.ts'
export type { ProcessingDependencies, RuleDependencies } from './run/dependencies.ts'
export { processMessage } from './run/process-message.ts'
