/** Chunks that run concurrently. More would only contend at the table. */
const concurrency = 4

/** Splits items into chunks of `size` and runs them, up to four at a time. */
export async function inChunks<T>(
  items: readonly T[],
  size: number,
  run: (chunk: readonly T[]) => Promise<void>,
): Promise<void> {
  let next = 0
  async function work(): Promise<void> {
    while (next < items.length) {
      const start = next
      next += size
      await run(items.slice(start, start + size))
    }
  }
  await Promise.all(Array.from({ length: concurrency }, work))
}
