/** Comments, and messages, that one split takes along: a transaction takes 100 writes. */
export const maxSplitParts = 10
/** The text of a comment. */
export const maxCommentCharacters = 20_000
/** People outside who get a copy of a reply by mail. More of them are a newsletter. */
export const maxReplyCopies = 20
/** The subject of a reply by mail. */
export const maxReplySubjectCharacters = 200
/** Messages, and comments, that one forward passes on. */
export const maxForwardedMessages = 20
/** Files of a comment. */
export const maxCommentFiles = 20
/** People who watch a record. */
export const maxWatchers = 200
/** People who have stopped watching a record. So many people may have stopped watching a record. */
export const maxMuted = 1000
/** People whom a comment mentions. A transaction also notifies them, and a text that names more is a list, not a mention. */
export const maxMentions = 50
/** People who are notified of a comment. People who are notified of one comment at most. */
export const maxToldOfComment = 1000
/** People who watch a record because they commented on it. So many commenters become watchers by themselves: the row of a discussion stays small. */
export const maxCommenters = 1000
/** The words by which people to mention are searched. */
export const maxMentionSearchCharacters = 200
/** People who are offered for a mention. More words find the others. */
export const maxMentionable = 10
/** People who are looked at for that: whether they may read the comment. */
export const maxMentionTried = 200
/** People who are shown as looking at a record. A list of more tells nobody anything. */
export const maxPresent = 50
