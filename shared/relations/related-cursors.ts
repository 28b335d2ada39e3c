import { afterId, cursorCodec } from '../http/paging/cursor.ts'

/** The cursors of related records, whether row rules hide some of them or not. */
export const relatedCursors = cursorCodec('related', afterId)
