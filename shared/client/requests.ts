/** The header that makes a write fail (412) when the record has changed since it was read. */
export const ifMatch = ({ version }: { readonly version: number }): { 'If-Match': string } => ({
  'If-Match': `"${version}"`,
})

/** The header that makes a request safe to repeat for 24 hours. Keep the key for the repetition. */
export const idempotencyKey = (key: string = crypto.randomUUID()): { 'Idempotency-Key': string } => ({
  'Idempotency-Key': key,
})

interface PageOf<Row> {
  readonly data: readonly Row[]
  readonly meta: { readonly next_cursor: string | null }
}

/**
 * Reads a list to its end, page by page at constant cost, and yields its rows. `read` is called with the cursor of each
 * page, first with undefined: pass it on in the query, or in the body of `list-server`.
 */
export async function* everyRow<Row>(
  read: (cursor: string | undefined) => Promise<PageOf<Row>>,
): AsyncGenerator<Row, void, undefined> {
  for (let cursor: string | undefined; ;) {
    const page = await read(cursor)
    yield* page.data
    if (page.meta.next_cursor === null) return
    cursor = page.meta.next_cursor
  }
}
