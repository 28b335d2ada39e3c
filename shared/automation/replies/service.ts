export { commentReplies } from './comment-replies.ts'
export { fillTemplate } from './fill-template.ts'
export { replyOptions } from './reply-options.ts'
export type { ReplyDependencies } from './dependencies.ts'
