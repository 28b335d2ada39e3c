import { open, readdir, stat, statfs, unlink } from 'node:fs/promises'
import { join } from 'node:path'

/** Beside the log, LevelDB writes small files when it opens, and tables when it compacts. */
const spareBytes = 8 << 20
const chunk = Buffer.alloc(1 << 20)

/**
 * Whether the disk has room for LevelDB to open `directory` again: it writes a table of what is in its logs. A quota, or
 * a file system that became read-only, shows only in a write, so that many bytes are written and freed.
 */
export async function hasRoom(directory: string): Promise<boolean> {
  try {
    const needed = spareBytes + (await logBytes(directory))
    const { bavail, bsize } = await statfs(directory)
    if (bavail * bsize < needed) return false
    await writeAndFree(`${directory}.room`, needed)
    return true
  } catch {
    return false
  }
}

async function logBytes(directory: string): Promise<number> {
  const logs = (await readdir(directory)).filter((name) => name.endsWith('.log'))
  const sizes = await Promise.all(logs.map(async (name) => (await stat(join(directory, name))).size))
  return sizes.reduce((sum, size) => sum + size, 0)
}

/** The file has no name while it is written, so nothing of it stays when the process is killed. */
async function writeAndFree(path: string, bytes: number): Promise<void> {
  const file = await open(path, 'w')
  try {
    await unlink(path)
    for (let written = 0; written < bytes; written += chunk.length) await file.write(chunk)
    await file.datasync()
  } finally {
    await file.close()
  }
}
