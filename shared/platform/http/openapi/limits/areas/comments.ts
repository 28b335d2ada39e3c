import * as limits from '../../../../../kernel/limits/comments.ts'
import { explained } from '../explained.ts'

export const commentsLimits = explained('Comments and watchers', limits, {
  maxCommentCharacters: ['characters', 'the text of a comment', '422 on `body`'],
  maxReplyCopies: ['addresses', 'copies of a reply by mail', '422 on `cc`'],
  maxReplySubjectCharacters: ['characters', 'the subject of a reply by mail', '422 on `subject`'],
  maxForwardedMessages: ['messages', '`message_ids`, and `comment_ids`, of a forward', '422'],
  maxCommentFiles: ['files', 'files of a comment', '422 on `attachments`'],
  maxSplitParts: ['comments', 'comments, and messages, that one split takes along', '422'],
  maxWatchers: ['people', 'people who watch a record', '422 on `user_ids`'],
  maxMuted: ['people', 'people who have stopped watching a record', '422 on `user_ids`'],
  maxMentions: ['people', 'people whom a comment mentions', '422 on `body`'],
  maxToldOfComment: ['people', 'people who are told of a comment', 'The others are not told'],
  maxMentionSearchCharacters: ['characters', 'the words by which people to mention are searched', '422 on `search`'],
  maxMentionable: ['people', 'people who are offered for a mention', 'More words find the others'],
  maxMentionTried: ['people', 'people who are looked at for that', 'More words find the others'],
  maxPresent: ['people', 'people who are shown as looking at a record', 'The others are not shown'],
  maxCommenters: [
    'people',
    'people who watch a record because they commented on it',
    'Later ones watch it when they say so',
  ],
})
