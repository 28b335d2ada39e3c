import { type Level, openLevel } from './level.ts'

const entriesAtOnce = 1000
const highWaterMarkBytes = 1 << 20

/** Copies all entries of a level into a new directory; answers how many. An iterator sees the moment of its beginning. */
export async function copyLevel(
  from: Level,
  directory: string,
  onProgress: (entries: number) => void = () => {},
): Promise<number> {
  const iterator = from.iterator({ highWaterMarkBytes, keys: true })
  try {
    const to = await openLevel(directory)
    try {
      let copied = 0
      for (;;) {
        const entries = await iterator.nextv(entriesAtOnce)
        // The last write takes all before it to the disk.
        await to.batch(
          entries.map(([key, value]) => ({ type: 'put' as const, key, value })),
          { sync: entries.length === 0 },
        )
        if (entries.length === 0) return copied
        copied += entries.length
        onProgress(copied)
      }
    } finally {
      await to.close()
    }
  } finally {
    await iterator.close()
  }
}
