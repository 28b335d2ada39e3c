import { afterId, cursorCodec } from '../../../platform/http/paging/cursor.ts'

/** Cursors of related records, with and without row rules. */
export const relatedCursors = cursorCodec('related', afterId)
